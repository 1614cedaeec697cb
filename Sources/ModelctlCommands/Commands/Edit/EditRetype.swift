import ArgumentParser
import ModelKit

/// Changes the type of an attribute.
struct EditRetype: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "retype",
    abstract: "Change the type of an attribute.",
    usage: "modelctl edit retype <entity.name> <type> [<options>]",
    discussion: """
      EXAMPLES
        modelctl edit retype Order.number "Integer 64"

      modelctl rewrites the default value and the limits for the new type. If the
      new type cannot have a setting, modelctl removes it and lists it. If Core
      Data does not convert the values, modelctl warns you.
      """)

  @Argument(help: ArgumentHelp("The entity and the name of the attribute.", valueName: "entity.name"))
  var property: PropertyName

  @Argument(help: "The new type of the attribute.")
  var type: TypeName

  @OptionGroup var options: EditOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var output: OutputOptions { options.output }

  func validate() throws { _ = try type.type }

  func run() throws {
    let target = try options.target()
    let storedType = target.formerType(of: property.name, in: property.entity)
    try options.apply(
      .retype(entity: property.entity, attribute: property.name, to: try type.type, storedType: storedType), to: target)
  }
}
