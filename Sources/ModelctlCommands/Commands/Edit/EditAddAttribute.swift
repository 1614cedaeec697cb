import ArgumentParser
import ModelKit

struct EditAddAttribute: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "attribute",
    abstract: "Add an attribute to an entity.",
    usage: "modelctl edit add attribute <entity.name> --type <type> [<options>]",
    discussion: """
      EXAMPLES
        modelctl edit add attribute Order.note --type String
        modelctl edit add attribute Order.count --type "Integer 64" --required \\
          --default 0
        modelctl edit add attribute Order.total --type Decimal \\
          --derivation rows.@sum.price

      It is optional, as in Xcode, unless --required says otherwise.
      """)

  @Argument(help: ArgumentHelp("The entity and the attribute's name.", valueName: "entity.name"))
  var property: PropertyName

  @OptionGroup var attribute: AttributeOptions
  @OptionGroup var options: EditOptions
  @OptionGroup var color: ColorOption

  var output: OutputOptions { options.output }

  func run() throws {
    try options.apply(.addAttribute(attribute.attribute(named: property.name), entity: property.entity))
  }
}
