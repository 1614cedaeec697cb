import ModelDescription

/// A property with values or links in the rows, which may continue one of its kind in the source.
protocol ComparedProperty: Sendable {
  /// The kind that a property becomes when it keeps its name and nothing else.
  associatedtype Counterpart: ComparedProperty

  /// Which properties of this kind continue which.
  static var declarations: KeyPath<DifferenceBuilder, DeclarationPairing> { get }
  /// What is reported of one that becomes its counterpart, and of its values or links.
  static var becomingCounterpart: (kind: Change.Kind, effect: DataEffect) { get }

  static func declared(by entity: EntityDescription) -> [Self]
  static func all(of entity: String, in hierarchy: EntityHierarchy) -> [String: EntityHierarchy.Declared<Self>]
  static func names(ofDestination entity: String, in pairing: EntityPairing) -> PropertyPairing

  var name: String { get }
  var isTransient: Bool { get }
  /// What each change means that concerns the property as a whole.
  var added: Assessment { get }
  var removed: Assessment { get }
  var moved: Assessment { get }
}

extension AttributeDescription: ComparedProperty {
  typealias Counterpart = RelationshipDescription

  static var declarations: KeyPath<DifferenceBuilder, DeclarationPairing> { \.attributes }
  static var becomingCounterpart: (kind: Change.Kind, effect: DataEffect) {
    (.attributeBecameRelationship, .valuesLostAndNoLinks)
  }

  static func declared(by entity: EntityDescription) -> [AttributeDescription] { entity.attributes }

  static func all(
    of entity: String, in hierarchy: EntityHierarchy
  ) -> [String: EntityHierarchy.Declared<AttributeDescription>] {
    hierarchy.allAttributes(of: entity)
  }

  static func names(ofDestination entity: String, in pairing: EntityPairing) -> PropertyPairing {
    pairing.attributes(ofDestination: entity)
  }

  var added: Assessment { .added(self) }
  var removed: Assessment { .removed(self) }
  var moved: Assessment { .moved(self) }
}

extension RelationshipDescription: ComparedProperty {
  typealias Counterpart = AttributeDescription

  static var declarations: KeyPath<DifferenceBuilder, DeclarationPairing> { \.relationships }
  static var becomingCounterpart: (kind: Change.Kind, effect: DataEffect) {
    (.relationshipBecameAttribute, .linksLostAndNoValues)
  }

  static func declared(by entity: EntityDescription) -> [RelationshipDescription] { entity.relationships }

  static func all(
    of entity: String, in hierarchy: EntityHierarchy
  ) -> [String: EntityHierarchy.Declared<RelationshipDescription>] {
    hierarchy.allRelationships(of: entity)
  }

  static func names(ofDestination entity: String, in pairing: EntityPairing) -> PropertyPairing {
    pairing.relationships(ofDestination: entity)
  }

  var added: Assessment { .added(self) }
  var removed: Assessment { .removed(self) }
  var moved: Assessment { .moved(self) }
}
