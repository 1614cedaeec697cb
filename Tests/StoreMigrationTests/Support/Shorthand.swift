import ModelDescription

/// Short words for the models of tests.
extension AttributeDescription {
  /// An optional attribute.
  static func optional(
    _ name: String, _ type: AttributeType = .string, was identifier: String? = nil, default value: AttributeValue? = nil
  ) -> Self {
    AttributeDescription(
      name: name, type: type, isOptional: true, defaultValue: value, renamingIdentifier: identifier)
  }

  /// A required attribute.
  static func required(_ name: String, _ type: AttributeType = .string, default value: AttributeValue? = nil) -> Self {
    AttributeDescription(name: name, type: type, defaultValue: value)
  }

  /// A derived attribute.
  static func derived(_ name: String, _ type: AttributeType, _ expression: String) -> Self {
    AttributeDescription(name: name, type: type, isOptional: true, derivation: Derivation(expression: expression))
  }
}

extension RelationshipDescription {
  static func toOne(
    _ name: String, _ destination: String, inverse: String?, optional: Bool = true, was identifier: String? = nil
  ) -> Self {
    RelationshipDescription(
      name: name, destinationEntityName: destination, inverseName: inverse,
      inverseEntityName: inverse.map { _ in destination }, isOptional: optional, minCount: optional ? 0 : 1,
      maxCount: 1,
      renamingIdentifier: identifier)
  }

  static func toMany(
    _ name: String, _ destination: String, inverse: String?, ordered: Bool = false, was identifier: String? = nil
  ) -> Self {
    RelationshipDescription(
      name: name, destinationEntityName: destination, inverseName: inverse,
      inverseEntityName: inverse.map { _ in destination }, isOptional: true, isOrdered: ordered,
      renamingIdentifier: identifier)
  }
}

extension EntityDescription {
  /// An entity of a name with properties.
  static func entity(
    _ name: String, under parent: String? = nil, abstract: Bool = false, was identifier: String? = nil,
    _ attributes: [AttributeDescription] = [], _ relationships: [RelationshipDescription] = [],
    unique: [[String]] = []
  ) -> Self {
    EntityDescription(
      name: name, superentityName: parent, isAbstract: abstract, attributes: attributes, relationships: relationships,
      uniquenessConstraints: unique, renamingIdentifier: identifier)
  }
}
