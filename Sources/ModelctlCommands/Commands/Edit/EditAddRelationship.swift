import ArgumentParser
import ModelKit

struct EditAddRelationship: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "relationship",
    abstract: "Add a relationship, and its inverse.",
    usage: """
      modelctl edit add relationship <entity.name> --to <entity> \\
        (--to-one | --to-many) [--inverse <name>] [<options>]
      """,
    discussion: """
      EXAMPLES
        modelctl edit add relationship Order.customer --to Customer --to-one \\
          --inverse orders
        modelctl edit add relationship Order.rows --to Row --to-many --ordered \\
          --delete-rule cascade --inverse order --required

      The inverse is the destination's relationship of that name. Where there
      is none it is added: to-many for a to-one, to-one for a to-many.
      """)

  @Argument(help: ArgumentHelp("The entity and the relationship's name.", valueName: "entity.name"))
  var property: PropertyName

  @OptionGroup var relationship: RelationshipOptions
  @OptionGroup var options: EditOptions
  @OptionGroup var color: ColorOption

  var output: OutputOptions { options.output }

  func run() throws {
    let entity = property.entity
    try options.apply(
      .addRelationship(
        relationship.relationship(named: property.name), entity: entity, inverse: relationship.inverse(to: entity)))
  }
}
