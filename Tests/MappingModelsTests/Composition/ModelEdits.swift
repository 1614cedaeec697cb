import ModelDescription
import TestSupport

/// Random edits of a model, as developers make them from version to version.
struct ModelEdits {
  var random: SeededGenerator

  static let start = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Base",
      attributes: [
        AttributeDescription(name: "title", type: .string, isOptional: true),
        AttributeDescription(name: "size", type: .integer16, isOptional: true),
      ]
    ),
    EntityDescription(
      name: "Left",
      superentityName: "Base",
      attributes: [AttributeDescription(name: "note", type: .string, isOptional: true)]
    ),
    EntityDescription(name: "Right", superentityName: "Base"),
    EntityDescription(
      name: "Owner",
      attributes: [AttributeDescription(name: "image", type: .binary, isOptional: true)],
      relationships: [
        RelationshipDescription(name: "items", destinationEntityName: "Base", isOptional: true, isOrdered: true),
        RelationshipDescription(name: "queue", destinationEntityName: "Base", isOptional: true, isOrdered: true),
        RelationshipDescription(name: "best", destinationEntityName: "Left", isOptional: true, maxCount: 1),
      ]
    ),
  ])

  mutating func edit(_ model: ManagedObjectModel) -> ManagedObjectModel {
    var model = model
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let entity = model.entities.indices.randomElement(using: &random) else { continue }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: editEntities(of: &model, at: entity)
      case 1, 2: editAttributes(of: &model.entities[entity])
      case 3: addAttribute(to: &model.entities[entity])
      default:
        let linked = model.entities.indices.filter { !model.entities[$0].relationships.isEmpty }
        if let owner = linked.randomElement(using: &random) { editRelationships(of: &model, at: owner) }
      }
    }
    return model
  }

  private mutating func editEntities(of model: inout ManagedObjectModel, at position: Int) {
    let old = model.entities[position]
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      let name = "E\(Int.random(in: 0..<20, using: &random))"
      guard !model.entities.contains(where: { $0.name == name || $0.canonicalName == name }) else { return }
      model.entities[position].renamingIdentifier = old.canonicalName
      model.entities[position].name = name
      for other in model.entities.indices {
        if model.entities[other].superentityName == old.name { model.entities[other].superentityName = name }
        for link in model.entities[other].relationships.indices
        where model.entities[other].relationships[link].destinationEntityName == old.name {
          model.entities[other].relationships[link].destinationEntityName = name
        }
      }
    case 1:
      let isUsed = model.entities.contains { other in
        other.superentityName == old.name || other.relationships.contains { $0.destinationEntityName == old.name }
      }
      if !isUsed { model.entities.remove(at: position) }
    default:
      guard let name = ["Left", "Right", "Owner"].randomElement(using: &random),
        !model.entities.contains(where: { $0.name == name || $0.canonicalName == name })
      else { return }
      model.entities.append(EntityDescription(name: name))
    }
  }

  private mutating func editAttributes(of entity: inout EntityDescription) {
    guard let position = entity.attributes.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: entity.attributes.remove(at: position)
    case 1:
      let old = entity.attributes[position]
      entity.attributes[position].renamingIdentifier = old.canonicalName
      entity.attributes[position].name = "a\(Int.random(in: 0..<1000, using: &random))"
    case 2:
      guard entity.attributes[position].type.isNumeric,
        let type = [AttributeType.integer16, .integer32, .integer64, .double].randomElement(using: &random)
      else { return }
      entity.attributes[position].type = type
    case 3:
      entity.attributes[position].isOptional.toggle()
      if !entity.attributes[position].isOptional { entity.attributes[position].defaultValue = .string("default") }
    default: entity.attributes[position].allowsExternalBinaryDataStorage.toggle()
    }
  }

  private mutating func addAttribute(to entity: inout EntityDescription) {
    guard let name = ["size", "note", "image", "extra"].randomElement(using: &random),
      !entity.attributes.contains(where: { $0.name == name || $0.canonicalName == name })
    else { return }
    entity.attributes.append(
      AttributeDescription(name: name, type: .integer32, isOptional: true, defaultValue: .integer(7))
    )
  }

  private mutating func editRelationships(of model: inout ManagedObjectModel, at position: Int) {
    guard let link = model.entities[position].relationships.indices.randomElement(using: &random) else { return }
    let old = model.entities[position].relationships[link]
    switch Int.random(in: 0..<9, using: &random) {
    case 0: model.entities[position].relationships.remove(at: link)
    case 1:
      model.entities[position].relationships[link].renamingIdentifier = old.canonicalName
      model.entities[position].relationships[link].name = "r\(Int.random(in: 0..<1000, using: &random))"
    case 2: model.entities[position].relationships[link].maxCount = old.maxCount == 1 ? 0 : 1
    case 3, 4, 5: model.entities[position].relationships[link].isOrdered.toggle()
    default:
      let roots = model.entities.filter { $0.superentityName == nil }.map(\.name)
      let family = model.entities.filter { $0.superentityName == old.destinationEntityName }.map(\.name)
      let parent = model.entities.first { $0.name == old.destinationEntityName }?.superentityName
      let choices = family + (parent.map { [$0] } ?? roots)
      model.entities[position].relationships[link].destinationEntityName = choices.randomElement(using: &random)
    }
  }
}
