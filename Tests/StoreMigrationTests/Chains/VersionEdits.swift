import ModelDescription
import TestSupport

/// Random edits of a model with both ends of every relationship, as developers make them from version to version.
struct VersionEdits {
  var random: SeededGenerator

  static let start = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Animal",
      attributes: [
        AttributeDescription(name: "name", type: .string, isOptional: true),
        AttributeDescription(name: "age", type: .integer32, isOptional: true),
      ],
      relationships: [
        .link("home", to: "Place", inverse: "animals", maximum: 1),
        .link("parents", to: "Animal", inverse: "children"),
        .link("children", to: "Animal", inverse: "parents"),
      ]),
    EntityDescription(
      name: "Cat", superentityName: "Animal",
      attributes: [
        AttributeDescription(name: "colour", type: .string, isOptional: true),
        AttributeDescription(name: "photo", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true),
      ],
      relationships: [.link("toys", to: "Toy", inverse: nil)]),
    EntityDescription(
      name: "Dog", superentityName: "Animal",
      attributes: [AttributeDescription(name: "colour", type: .integer16, isOptional: true)],
      relationships: [.link("collar", to: "Toy", inverse: "dog", maximum: 1)]),
    EntityDescription(
      name: "Place",
      attributes: [
        AttributeDescription(name: "title", type: .string, isOptional: true),
        AttributeDescription(name: "opened", type: .date, isOptional: true),
        AttributeDescription(
          name: "count", type: .integer64, isOptional: true, derivation: Derivation(expression: "animals.@count")),
      ],
      relationships: [
        .link("animals", to: "Animal", inverse: "home", ordered: true),
        .link("keepers", to: "Keeper", inverse: "places"),
      ]),
    EntityDescription(
      name: "Keeper",
      attributes: [AttributeDescription(name: "badge", type: .uuid, isOptional: true)],
      relationships: [
        .link("places", to: "Place", inverse: "keepers", ordered: true),
        .link("boss", to: "Keeper", inverse: nil, maximum: 1),
        .link("favourite", to: "Cat", inverse: nil, maximum: 1),
      ],
      uniquenessConstraints: [["badge"]]),
    EntityDescription(
      name: "Toy",
      attributes: [AttributeDescription(name: "price", type: .double, isOptional: true)],
      relationships: [.link("dog", to: "Dog", inverse: "collar", maximum: 1)]),
  ])

  /// The model after one to three edits.
  mutating func edit(_ model: ManagedObjectModel) -> ManagedObjectModel {
    var model = model
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      switch Int.random(in: 0..<20, using: &random) {
      case 0: addEntity(to: &model)
      case 1: removeEntity(from: &model)
      case 2, 3: renameEntity(of: &model)
      case 4: addParent(to: &model)
      case 5: moveOut(of: &model)
      case 6: moveUnder(in: &model)
      case 7, 8: changeAttribute(of: &model)
      case 9: addAttribute(to: &model)
      case 10: moveAttribute(in: &model)
      case 11: swapNames(in: &model)
      case 12: addRelationship(to: &model)
      case 13: removeRelationship(from: &model)
      case 14, 15: renameRelationship(of: &model)
      case 16, 17: toggleOrder(of: &model)
      case 18: toggleCount(of: &model)
      default: changeInverse(in: &model)
      }
    }
    return model
  }

  mutating func pick<Values: Collection>(_ values: Values) -> Values.Element? { values.randomElement(using: &random) }

  mutating func newName(_ prefix: String) -> String { "\(prefix)\(Int.random(in: 0..<1000, using: &random))" }
}

extension RelationshipDescription {
  /// An optional relationship whose inverse, if it has one, stands at the destination.
  static func link(
    _ name: String, to destination: String, inverse: String?, maximum: Int = 0, ordered: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destination, inverseName: inverse,
      inverseEntityName: inverse.map { _ in destination }, isOptional: true, maxCount: maximum, isOrdered: ordered)
  }
}
