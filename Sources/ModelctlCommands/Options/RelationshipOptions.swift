import ArgumentParser
import ModelKit

/// What a new relationship and its inverse are.
struct RelationshipOptions: ParsableArguments {
  enum Count: String, EnumerableFlag {
    case toOne
    case toMany
  }

  enum InverseCount: String, EnumerableFlag {
    case inverseToOne
    case inverseToMany
  }

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

  /// The relationship.
  func relationship(named name: String) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destination, isOptional: presence == .optional,
      minCount: minimum ?? 0, maxCount: count == .toOne ? 1 : maximum ?? 0, isOrdered: ordered,
      deleteRule: deleteRule.rule)
  }

  /// Its inverse, nil for none.
  ///
  /// - Parameter entity: the entity that the inverse leads back to.
  /// - Returns: the relationship back.
  func inverse(to entity: String) -> RelationshipDescription? {
    let isToMany = inverseCount.map { $0 == .inverseToMany } ?? (count == .toOne)
    return inverse.map {
      RelationshipDescription(
        name: $0, destinationEntityName: entity, isOptional: true, maxCount: isToMany ? 0 : 1)
    }
  }
}
