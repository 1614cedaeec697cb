import Foundation
import ModelDescription

extension EditSession {
  mutating func add(_ entity: EntityDescription) throws(ContentsEditError) {
    try check(newEntityName: entity.name)
    guard hierarchy.entity(named: entity.name) == nil else { throw .exists(.entity(entity.name)) }
    try checkIdentity(entity.renamingIdentifier ?? entity.name, ofEntity: entity.name)
    if let parent = entity.superentityName { _ = try node(ofEntity: parent) }
    var entity = entity
    entity.isSyncable = entityNodes.isEmpty || entityNodes.contains { $0["syncable"] != nil }
    insert(ContentsForm.element(entity), in: source.root)
    note(.entity(entity.name), "added" + (entity.superentityName.map { ", a kind of \($0)" } ?? ""))
    guard let configuration = model.configurations.first else { return }
    warn(
      "\(entity.name) is a member of no configuration, such as \(configuration.name); a store that is opened with one "
        + "does not hold it")
  }

  mutating func add(_ attribute: AttributeDescription, to entity: String) throws(ContentsEditError) {
    let owner = try node(ofEntity: entity)
    try check(newName: attribute.name)
    try checkFree(attribute.name, in: entity)
    let element = ModelElement.property(entity: entity, name: attribute.name)
    try checkIdentity(
      attribute.renamingIdentifier ?? attribute.name, of: attribute.name, in: entity, isAttribute: true)
    if let setting = AttributeSetting.allCases.first(where: { $0.isSet(in: attribute) && !$0.suits(attribute.type) }) {
      throw .unsuitableSetting(element, setting, type: attribute.type.name)
    }
    if attribute.type == .composite {
      let name = attribute.compositeName ?? ""
      guard model.composites.contains(where: { $0.name == name }) else { throw .unknownComposite(name) }
    }
    let values = [attribute.defaultValue, attribute.validation.minimum, attribute.validation.maximum]
    guard values.allSatisfy({ $0.map { AttributeSpelling.defaultValue($0) != nil } ?? true }) else {
      throw .unwritableValue(element, type: attribute.type.name)
    }
    var attribute = attribute
    attribute.isSyncable = Self.says("syncable", properties(near: owner))
    insert(PropertyForm.element(attribute), in: owner)
    note(element, "added, \(attribute.type.name), \(attribute.isOptional ? "optional" : "required")")
    if !attribute.isOptional, attribute.defaultValue == nil, !attribute.isTransient, attribute.derivation == nil {
      warn(
        "\(element) is required and has no default value: where an older version has rows of \(entity), they cannot be "
          + "migrated; give it one, or make it optional")
    }
  }

  mutating func add(
    _ relationship: RelationshipDescription, to entity: String, inverse: RelationshipDescription?
  ) throws(ContentsEditError) {
    let owner = try node(ofEntity: entity)
    try check(newName: relationship.name)
    try checkFree(relationship.name, in: entity)
    try checkIdentity(
      relationship.renamingIdentifier ?? relationship.name, of: relationship.name, in: entity, isAttribute: false)
    let destination = relationship.destinationEntityName ?? ""
    let far = try node(ofEntity: destination)
    var relationship = relationship
    relationship.isSyncable = Self.says("syncable", properties(near: owner))
    if let inverse {
      relationship.inverseName = inverse.name
      relationship.inverseEntityName = destination
    }
    insert(PropertyForm.element(relationship), in: owner)
    let element = ModelElement.property(entity: entity, name: relationship.name)
    note(element, "added, to \(relationship.isToMany ? "many" : "one") \(destination)")
    if let inverse { try addInverse(inverse, of: relationship, from: entity, in: far) }
  }

  private mutating func addInverse(
    _ inverse: RelationshipDescription, of relationship: RelationshipDescription, from entity: String,
    in far: MarkupNode
  ) throws(ContentsEditError) {
    let destination = far["name"] ?? ""
    let element = ModelElement.property(entity: destination, name: inverse.name)
    if destination == entity, inverse.name == relationship.name { return }
    if let node = far.children.first(where: { $0.name == "relationship" && $0["name"] == inverse.name }) {
      if let other = node.filled("inverseName") {
        throw .inverseTaken(element, by: "\(node.filled("inverseEntity") ?? "").\(other)")
      }
      guard hierarchy.isEntity(entity, kindOf: node["destinationEntity"] ?? "") else { throw .exists(element) }
      set("inverseName", relationship.name, on: node)
      set("inverseEntity", entity, on: node)
      return note(element, "the inverse of \(entity).\(relationship.name)")
    }
    try check(newName: inverse.name)
    try checkFree(inverse.name, in: destination)
    try checkIdentity(
      inverse.renamingIdentifier ?? inverse.name, of: inverse.name, in: destination, isAttribute: false)
    var inverse = inverse
    inverse.destinationEntityName = entity
    (inverse.inverseName, inverse.inverseEntityName) = (relationship.name, entity)
    inverse.isSyncable = relationship.isSyncable
    insert(PropertyForm.element(inverse), in: far)
    note(
      element, "added, to \(inverse.isToMany ? "many" : "one") \(entity), the inverse of \(entity).\(relationship.name)"
    )
  }

  /// The properties of an entity, or of all where it has none.
  private func properties(near entity: MarkupNode) -> [MarkupNode] {
    let own = entity.children.filter { Self.propertyKinds.contains($0.name) }
    return own.isEmpty
      ? entityNodes.flatMap(\.children).filter { Self.propertyKinds.contains($0.name) } : own
  }

  /// True when all nodes have a flag, and there is one.
  private static func says(_ flag: String, _ nodes: [MarkupNode]) -> Bool {
    !nodes.isEmpty && nodes.allSatisfy { $0[flag] == "YES" }
  }
}
