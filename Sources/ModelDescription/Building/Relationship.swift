/// The cardinality of a relationship in code: ``ToOne`` or ``ToMany``.
public protocol RelationshipCardinality {}

/// At most one object.
public enum ToOne: RelationshipCardinality {}

/// Any number of objects.
public enum ToMany: RelationshipCardinality {}

/// A relationship in code.
///
/// As in Xcode's editor, a to-many relationship can be empty unless you call ``required(_:)``. A to-one relationship is
/// required, like an attribute, unless you call ``optional(_:)``.
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
  /// - Parameter inverse: the name of the inverse relationship.
  public init(_ name: String, toOne destination: String, inverse: String? = nil, deleteRule: DeleteRule = .nullify) {
    self.init(name, to: EntityReference(destination), isToMany: false, inverse: inverse, deleteRule: deleteRule)
  }

  /// Describes a relationship to one object of the entity of a type.
  ///
  /// - Parameters:
  ///   - destination: the type that describes the destination entity.
  ///   - inverse: the name of the inverse relationship.
  public init<Destination: EntityDescribing>(
    _ name: String, toOne destination: Destination.Type, inverse: String? = nil, deleteRule: DeleteRule = .nullify
  ) {
    self.init(name, to: EntityReference(destination), isToMany: false, inverse: inverse, deleteRule: deleteRule)
  }

  /// Makes the relationship optional.
  public func optional(_ isOptional: Bool = true) -> Self { with { $0.isOptional = isOptional } }
}

extension Relationship where Cardinality == ToMany {
  /// Describes a relationship to any number of objects.
  ///
  /// - Parameter inverse: the name of the inverse relationship.
  public init(_ name: String, toMany destination: String, inverse: String? = nil, deleteRule: DeleteRule = .nullify) {
    self.init(name, to: EntityReference(destination), isToMany: true, inverse: inverse, deleteRule: deleteRule)
  }

  /// Describes a relationship to any number of objects of the entity of a type.
  ///
  /// - Parameters:
  ///   - destination: the type that describes the destination entity.
  ///   - inverse: the name of the inverse relationship.
  public init<Destination: EntityDescribing>(
    _ name: String, toMany destination: Destination.Type, inverse: String? = nil, deleteRule: DeleteRule = .nullify
  ) {
    self.init(name, to: EntityReference(destination), isToMany: true, inverse: inverse, deleteRule: deleteRule)
  }

  /// Makes the relationship required.
  public func required(_ isRequired: Bool = true) -> Self { with { $0.isOptional = !isRequired } }

  /// Makes the relationship ordered.
  public func ordered() -> Self { with { $0.isOrdered = true } }

  /// Sets the maximum number of objects, 0 for any number.
  ///
  /// Core Data distinguishes to-one and to-many only by this number: 1 makes the relationship to-one.
  public func maxCount(_ count: Int) -> Self { with { $0.maxCount = count } }
}

extension Relationship {
  /// Sets the minimum number of objects, which is hashed (default: 0).
  ///
  /// Newer versions of Xcode mostly leave it out for a to-one relationship; older versions wrote 1.
  public func minCount(_ count: Int) -> Self { with { $0.minCount = count } }

  /// Names the entity that declares the inverse, if a parent of the destination declares it.
  public func inverseEntity(_ entity: String) -> Self {
    var copy = self
    copy.inverseEntity = EntityReference(entity)
    return copy
  }

  /// Makes the relationship transient, so that the store does not contain its links.
  public func transient() -> Self { with { $0.isTransient = true } }

  /// Adds an index of the older format.
  public func indexed() -> Self { with { $0.isIndexed = true } }

  /// Sets the renaming identifier: the name or identifier of the relationship in an earlier version.
  public func renamingIdentifier(_ identifier: String) -> Self { with { $0.renamingIdentifier = identifier } }

  /// Sets the version hash modifier, which changes only the hash.
  public func versionHashModifier(_ modifier: String) -> Self { with { $0.versionHashModifier = modifier } }

  /// Adds userInfo entries.
  public func userInfo(_ entries: [String: String]) -> Self { with { $0.userInfo = entries } }

  /// Sets the obsolete sync flag of the editor.
  public func syncable(_ isSyncable: Bool = true) -> Self {
    var copy = self
    copy.isSyncable = isSyncable
    return copy
  }
}
