import ArgumentParser
import ModelKit

/// Gives an attribute another type.
struct EditRetype: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "retype",
    abstract: "Give an attribute another type.",
    usage: "modelctl edit retype <entity.name> <type> [<options>]",
    discussion: """
      EXAMPLES
        modelctl edit retype Order.number "Integer 64"

      The default value and the limits are written as the new type wants
      them. What it has no use for goes, and is told.
      """)

  @Argument(help: ArgumentHelp("The entity and the attribute's name.", valueName: "entity.name"))
  var property: PropertyName

  @Argument(help: "String, Integer 64, Boolean, Date and so on.")
  var type: TypeName

  @OptionGroup var options: EditOptions
  @OptionGroup var color: ColorOption

  var output: OutputOptions { options.output }

  func validate() throws { _ = try type.type }

  func run() throws {
    let target = try options.target()
    let storedType = target.formerType(of: property.name, in: property.entity)
    try options.apply(
      .retype(entity: property.entity, attribute: property.name, to: try type.type, storedType: storedType), to: target)
  }
}
