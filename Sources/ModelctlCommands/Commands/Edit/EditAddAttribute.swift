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

      The attribute is optional, as in Xcode, unless you give --required. A required
      attribute needs --default if stores already have rows of the entity.
      """)

  @Argument(help: ArgumentHelp("The entity and the name of the attribute.", valueName: "entity.name"))
  var property: PropertyName

  @OptionGroup(title: "Attribute options") var attribute: AttributeOptions
  @OptionGroup var options: EditOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var output: OutputOptions { options.output }

  func run() throws {
    try options.apply(.addAttribute(attribute.attribute(named: property.name), entity: property.entity))
  }
}
