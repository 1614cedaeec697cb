/// The most objects that may stand at the other end of a relationship in code: ``ToOne`` or ``ToMany``.
public protocol RelationshipCardinality {}

/// At most one object.
public enum ToOne: RelationshipCardinality {}

/// Any number of objects.
public enum ToMany: RelationshipCardinality {}

/// A relationship in code.
///
/// As in Xcode's editor a to-many relationship may be empty unless ``required(_:)`` says otherwise; a to-one
/// relationship, like an attribute, is required unless ``optional(_:)`` says otherwise.
public struct Relationship<Cardinality: RelationshipCardinality>: EntityComponent {
  private let destination: EntityReference
  private let inverse: String?
  private var inverseEntity: EntityReference?
  private var relationship: RelationshipDescription
  private var isSyncable: Bool?

  private init(
    _ name: String, to destination: EntityReference, isToMany: Bool, inverse: String?, deleteRule: DeleteRule
  ) {
    (self.destination, self.inverse) = (destination, inverse)
    relationship = RelationshipDescription(
      name: name, destinationEntityName: nil, isOptional: isToMany, maxCount: isToMany ? 0 : 1,
      deleteRule: deleteRule)
  }

  /// Adds the relationship to an entity.
  public func add(to draft: inout EntityDraft) {
    var relationship = relationship
    relationship.destinationEntityName = destination.name
    if let inverse {
      relationship.inverseName = inverse
      relationship.inverseEntityName = (inverseEntity ?? destination).name
    }
    relationship.isSyncable = isSyncable ?? draft.propertiesAreSyncable
    draft.entity.relationships.append(relationship)
  }

  private func with(_ change: (inout RelationshipDescription) -> Void) -> Self {
    var copy = self
    change(&copy.relationship)
    return copy
  }
}

extension Relationship where Cardinality == ToOne {
  /// Describes a relationship to one object.
  ///
  /// - Parameter inverse: the name of the relationship that is the other end of the same link.
  public init(_ name: String, toOne destination: String, inverse: String? = nil, deleteRule: DeleteRule = .nullify) {
    self.init(name, to: EntityReference(destination), isToMany: false, inverse: inverse, deleteRule: deleteRule)
  }

  /// Describes a relationship to one object of the entity of a type.
  ///
  /// - Parameters:
  ///   - destination: the type that describes the entity at the other end.
  ///   - inverse: the name of the relationship that is the other end of the same link.
  public init<Destination: EntityDescribing>(
    _ name: String, toOne destination: Destination.Type, inverse: String? = nil, deleteRule: DeleteRule = .nullify
  ) {
    self.init(name, to: EntityReference(destination), isToMany: false, inverse: inverse, deleteRule: deleteRule)
  }

  /// Lets there be no object.
  public func optional(_ isOptional: Bool = true) -> Self { with { $0.isOptional = isOptional } }
}

extension Relationship where Cardinality == ToMany {
  /// Describes a relationship to any number of objects.
  ///
  /// - Parameter inverse: the name of the relationship that is the other end of the same link.
  public init(_ name: String, toMany destination: String, inverse: String? = nil, deleteRule: DeleteRule = .nullify) {
    self.init(name, to: EntityReference(destination), isToMany: true, inverse: inverse, deleteRule: deleteRule)
  }

  /// Describes a relationship to any number of objects of the entity of a type.
  ///
  /// - Parameters:
  ///   - destination: the type that describes the entity at the other end.
  ///   - inverse: the name of the relationship that is the other end of the same link.
  public init<Destination: EntityDescribing>(
    _ name: String, toMany destination: Destination.Type, inverse: String? = nil, deleteRule: DeleteRule = .nullify
  ) {
    self.init(name, to: EntityReference(destination), isToMany: true, inverse: inverse, deleteRule: deleteRule)
  }

  /// Lets it not be empty.
  public func required(_ isRequired: Bool = true) -> Self { with { $0.isOptional = !isRequired } }

  /// Keeps an order.
  public func ordered() -> Self { with { $0.isOrdered = true } }

  /// Sets the greatest number of objects, 0 for any.
  ///
  /// Core Data tells to-one and to-many apart by this number alone: 1 makes the relationship to-one.
  public func maxCount(_ count: Int) -> Self { with { $0.maxCount = count } }
}

extension Relationship {
  /// Sets the least number of objects, which is 0 where nothing is said and enters the hash.
  ///
  /// Newer versions of Xcode mostly leave it out beside a relationship to one; older ones wrote 1.
  public func minCount(_ count: Int) -> Self { with { $0.minCount = count } }

  /// Names the entity that declares the inverse, where it is not the destination itself but a parent of it.
  public func inverseEntity(_ entity: String) -> Self {
    var copy = self
    copy.inverseEntity = EntityReference(entity)
    return copy
  }

  /// Leaves the links out of the store.
  public func transient() -> Self { with { $0.isTransient = true } }

  /// Gives it an index of the older form.
  public func indexed() -> Self { with { $0.isIndexed = true } }

  /// Pairs it with the relationship that had this name, or this identifier, in another version.
  public func renamingIdentifier(_ identifier: String) -> Self { with { $0.renamingIdentifier = identifier } }

  /// Changes its hash and nothing else.
  public func versionHashModifier(_ modifier: String) -> Self { with { $0.versionHashModifier = modifier } }

  /// Gives it entries of the developer's own.
  public func userInfo(_ entries: [String: String]) -> Self { with { $0.userInfo = entries } }

  /// Sets the obsolete sync flag of the editor.
  public func syncable(_ isSyncable: Bool = true) -> Self {
    var copy = self
    copy.isSyncable = isSyncable
    return copy
  }
}
