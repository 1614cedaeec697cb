import ModelDescription
import TestSupport

/// Makes models with every kind of attribute and relationship, as a seed wills.
struct RandomModel {
  var random: SeededGenerator

  private static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .string, .boolean, .date, .uuid, .uri,
    .binary,
  ]

  /// A model of two to four entities, some of them below another.
  mutating func model() -> ManagedObjectModel {
    var entities: [EntityDescription] = []
    for name in ["Alpha", "Beta", "Gamma", "Delta"].prefix(Int.random(in: 2...4, using: &random)) {
      let parent = Int.random(in: 0..<3, using: &random) == 0 ? entities.randomElement(using: &random)?.name : nil
      entities.append(.entity(name, under: parent, attributes(of: name)))
    }
    for number in 1...Int.random(in: 2...5, using: &random) { relate(&entities, "link\(number)") }
    return ManagedObjectModel(entities: entities)
  }

  private mutating func attributes(of entity: String) -> [AttributeDescription] {
    (1...Int.random(in: 4...8, using: &random)).map { number in
      let type = Self.types.randomElement(using: &random) ?? .string
      var attribute = AttributeDescription.optional("\(entity.lowercased())\(number)", type)
      attribute.allowsExternalBinaryDataStorage = type == .binary && Bool.random(using: &random)
      return attribute
    } + [.optional("\(entity.lowercased())Name")]
  }

  private mutating func relate(_ entities: inout [EntityDescription], _ name: String) {
    let near = Int.random(in: entities.indices, using: &random)
    let far = Int.random(in: entities.indices, using: &random)
    let (one, other) = (entities[near].name, entities[far].name)
    let back = name + "Back"
    let (isOrdered, isBackOrdered) = (Bool.random(using: &random), Bool.random(using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      entities[near].relationships.append(.toOne(name, other, inverse: nil))
    case 1 where near != far:
      entities[near].relationships.append(.toMany(name, other, inverse: nil))
    case 2:
      entities[near].relationships.append(.toOne(name, other, inverse: back))
      entities[far].relationships.append(.toOne(back, one, inverse: name))
    case 3:
      entities[near].relationships.append(.toMany(name, other, inverse: back, ordered: isOrdered))
      entities[far].relationships.append(.toMany(back, one, inverse: name, ordered: isBackOrdered))
    case 4 where near == far:
      entities[near].relationships.append(.toMany(name, other, inverse: name))
    default:
      entities[near].relationships.append(.toMany(name, other, inverse: back, ordered: isOrdered))
      entities[far].relationships.append(.toOne(back, one, inverse: name))
    }
  }
}
