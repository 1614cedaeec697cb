import ArgumentParser
import ModelKit

struct EditAddRelationship: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "relationship",
    abstract: "Add a relationship and its inverse.",
    usage: """
      modelctl edit add relationship <entity.name> --destination <entity> \\
        (--to-one | --to-many) [--inverse <name>] [<options>]
      """,
    discussion: """
      EXAMPLES
        modelctl edit add relationship Order.customer --destination Customer \\
          --to-one --inverse orders
        modelctl edit add relationship Order.rows --destination Row --to-many \\
          --ordered --delete-rule cascade --inverse order --required

      If the destination already has a relationship of the name --inverse, it
      becomes the inverse. If not, modelctl adds it: to-many for a to-one
      relationship, and to-one for a to-many relationship.
      """)

  @Argument(help: ArgumentHelp("The entity and the name of the relationship.", valueName: "entity.name"))
  var property: PropertyName

  @OptionGroup(title: "Relationship options") var relationship: RelationshipOptions
  @OptionGroup var options: EditOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var output: OutputOptions { options.output }

  func run() throws {
    let entity = property.entity
    try options.apply(
      .addRelationship(
        relationship.relationship(named: property.name), entity: entity, inverse: relationship.inverse(to: entity)))
  }
}
