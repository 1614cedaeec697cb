import ArgumentParser
import ModelKit

/// Adds a relationship.
struct EditAddRelationship: ModelctlCommand {
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

  enum Count: String, EnumerableFlag {
    case toOne
    case toMany
  }

  enum InverseCount: String, EnumerableFlag {
    case inverseToOne
    case inverseToMany
  }

  @Argument(help: ArgumentHelp("The entity and the relationship's name.", valueName: "entity.name"))
  var property: PropertyName

  @Option(name: .customLong("to"), help: ArgumentHelp("The entity at the other end.", valueName: "entity"))
  var destination: String

  @Flag(help: "How many objects it leads to.")
  var count: Count

  @Flag(help: "Whether it may lead to none.")
  var presence: Presence = .optional

  @Flag(help: "The objects have an order.")
  var ordered = false

  @Option(name: .customLong("min"), help: ArgumentHelp("The least number of objects.", valueName: "n"))
  var minimum: Int?

  @Option(name: .customLong("max"), help: ArgumentHelp("The greatest number of objects.", valueName: "n"))
  var maximum: Int?

  @Option(
    name: .customLong("delete-rule"),
    help: ArgumentHelp("nullify, cascade, deny or no-action.", valueName: "rule"))
  var deleteRule: DeleteRuleName = DeleteRuleName(rule: .nullify)

  @Option(name: .long, help: ArgumentHelp("The relationship back.", valueName: "name"))
  var inverse: String?

  @Flag(help: "How many objects an inverse that is added leads to.")
  var inverseCount: InverseCount?

  @OptionGroup var options: EditOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    guard (minimum ?? 0) >= 0, (maximum ?? 0) >= 0 else {
      throw ValidationError("--min and --max take no negative number")
    }
    let greatest = Int(Int32.max)
    guard (minimum ?? 0) <= greatest, (maximum ?? 0) <= greatest else {
      throw ValidationError("--min and --max take no number above \(greatest)")
    }
    if let minimum, let maximum, maximum > 0, minimum > maximum {
      throw ValidationError("--min is greater than --max")
    }
    if count == .toOne, maximum != nil || (minimum ?? 0) > 1 || ordered {
      throw ValidationError("--max, --ordered and a --min above 1 are for --to-many")
    }
    if maximum == 1 { throw ValidationError("--max 1 is --to-one") }
    if inverse == nil, inverseCount != nil { throw ValidationError("name the inverse with --inverse") }
  }

  func run() throws {
    let relationship = RelationshipDescription(
      name: property.name, destinationEntityName: destination, isOptional: presence == .optional,
      minCount: minimum ?? 0, maxCount: count == .toOne ? 1 : maximum ?? 0, isOrdered: ordered,
      deleteRule: deleteRule.rule)
    let isToMany = inverseCount.map { $0 == .inverseToMany } ?? (count == .toOne)
    let back = inverse.map {
      RelationshipDescription(
        name: $0, destinationEntityName: property.entity, isOptional: true, maxCount: isToMany ? 0 : 1)
    }
    try options.apply(.addRelationship(relationship, entity: property.entity, inverse: back))
  }
}
