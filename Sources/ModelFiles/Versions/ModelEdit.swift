public import ModelDescription

/// One edit of an entity that turns a version's definition into the store's.
public struct ModelEdit: Hashable, Sendable {
  /// A difference in the store's definition.
  public enum Change: Hashable, Sendable {
    case abstract(Bool)
    /// The entity had another parent, or none.
    case superentity(String?)
    case entityModifier(String?)
    case addedConstraint([String])
    case removedConstraint([String])
    case addedAttribute(AttributeDescription)
    case addedRelationship(RelationshipDescription)
    case removedProperty(String)
    case renamedProperty(String, storeName: String)
    case optional(String, Bool)
    case type(String, store: AttributeType, version: AttributeType)
    case externalStorage(String, Bool)
    case preservation(String, Bool)
    /// A transient property was stored.
    case stored(String)
    /// A derived attribute was an ordinary one.
    case notDerived(String)
    case counts(String, minimum: Int, maximum: Int, wasToMany: Bool)
    case ordered(String, Bool)
    case destination(String, store: String, version: String?)
    case inverse(String, String?)
    case propertyModifier(String, String?)
    /// A property was defined as in a different version.
    case definition(String, asIn: String)
  }

  /// The entity that declares what is different.
  public let entity: String
  /// A difference in the store's definition.
  public let change: Change

  /// Makes an edit.
  public init(entity: String, change: Change) { (self.entity, self.change) = (entity, change) }
}

extension ModelEdit: CustomStringConvertible {
  /// The edit as a sentence, as seen from the time when the store was written.
  public var description: String {
    switch change {
    case .abstract(let isAbstract): "\(entity) was \(isAbstract ? "still" : "not yet") abstract"
    case .superentity(let name): "\(entity) \(name.map { "still had the parent \($0)" } ?? "had no parent yet")"
    case .entityModifier(let modifier): "\(entity) had \(Self.words(modifier))"
    case .addedConstraint(let names): "\(entity) still had the uniqueness constraint (\(names.joined(separator: ", ")))"
    case .removedConstraint(let names):
      "\(entity) did not yet have the uniqueness constraint (\(names.joined(separator: ", ")))"
    case .addedAttribute(let attribute):
      "\(entity) had the attribute \(attribute.name) (\(attribute.type.name)"
        + "\(attribute.isOptional ? ", optional" : ""))"
    case .addedRelationship(let relationship):
      "\(entity) had the relationship \(relationship.name) to \(relationship.destinationEntityName ?? "nothing")"
    case .removedProperty(let name): "\(entity).\(name) was not there"
    case .renamedProperty(let name, let storeName): "\(entity).\(name) was still named \(storeName)"
    case .optional(let name, let isOptional): "\(entity).\(name) was \(isOptional ? "still" : "not yet") optional"
    case .type(let name, let store, let version):
      "\(entity).\(name) was still of type \(store.name), not \(version.name)"
    case .externalStorage(let name, let allows):
      "\(entity).\(name) \(allows ? "still allowed" : "did not yet allow") external storage"
    case .preservation(let name, let preserves):
      "\(entity).\(name) was \(preserves ? "still" : "not yet") preserved after deletion"
    case .stored(let name): "\(entity).\(name) was still stored, not transient"
    case .notDerived(let name): "\(entity).\(name) was not yet derived"
    case .counts(let name, let minimum, let maximum, let wasToMany):
      if maximum == 1 && wasToMany {
        "\(entity).\(name) was still to-one\(minimum == 0 ? "" : " with a minimum of \(minimum)")"
      } else if maximum != 1 && !wasToMany {
        "\(entity).\(name) was still to-many\(minimum == 0 ? "" : " with a minimum of \(minimum)")"
      } else {
        "\(entity).\(name) had a minimum count of \(minimum) and \(maximum == 0 ? "no maximum" : "a maximum of \(maximum)")"
      }
    case .ordered(let name, let isOrdered): "\(entity).\(name) was \(isOrdered ? "still" : "not yet") ordered"
    case .destination(let name, let store, let version):
      "\(entity).\(name) still pointed at \(store), not \(version ?? "nothing")"
    case .inverse(let name, let inverse):
      inverse.map { "\(entity).\(name) still had the inverse \($0)" } ?? "\(entity).\(name) had no inverse yet"
    case .propertyModifier(let name, let modifier): "\(entity).\(name) had \(Self.words(modifier))"
    case .definition(let name, let version): "\(entity).\(name) was still defined as in \(version)"
    }
  }

  private static func words(_ modifier: String?) -> String {
    modifier.map { "the version hash modifier “\($0)”" } ?? "no version hash modifier yet"
  }
}

/// How one entity of a store differs from a model version.
public struct EntityDifference: Hashable, Sendable {
  /// The kind of the difference.
  public enum Kind: Hashable, Sendable {
    /// The version lacks an entity of that name.
    case onlyInStore
    /// The store lacks an entity of that name.
    case onlyInVersion
    /// The store's entity is the version's under another name.
    case renamed(inVersion: String)
    /// These edits of the version's entity give exactly the store's hash.
    case edited([ModelEdit])
    /// The store's entity is that of a different version, more than two edits away.
    case asIn(version: String)
    /// The parent alone causes the difference.
    case inherited(from: String)
    /// The new name of an entity that a relationship points to causes the difference.
    case renamedDestination
    /// The hashes differ by more than two edits.
    case unexplained
    /// The same, and the store has columns for attributes that no version here has.
    case unknownAttributes(columns: [String])

    /// False when no edits were found that give the store's hash.
    public var isExplained: Bool {
      switch self {
      case .unexplained, .unknownAttributes: false
      default: true
      }
    }
  }

  /// The entity's name in the store.
  public let entity: String
  /// The kind of the difference.
  public let kind: Kind

  /// Makes a difference.
  public init(entity: String, kind: Kind) { (self.entity, self.kind) = (entity, kind) }
}

extension EntityDifference.Kind {
  /// The number of edits that explain the difference; consequences of other edits are not counted.
  var editCount: Int {
    switch self {
    case .inherited, .renamedDestination: 0
    case .onlyInStore, .onlyInVersion, .renamed, .asIn: 1
    case .edited(let edits): edits.count
    case .unexplained, .unknownAttributes: 3
    }
  }
}

extension EntityDifference: CustomStringConvertible {
  /// The difference as a sentence, as seen from the time when the store was written.
  public var description: String {
    switch kind {
    case .onlyInStore: "\(entity) is only in the store"
    case .onlyInVersion: "\(entity) was not there"
    case .renamed(let name): "\(name) was still named \(entity)"
    case .edited(let edits): edits.map(\.description).joined(separator: ", and ")
    case .asIn(let version): "\(entity) was still as in \(version)"
    case .inherited(let parent): "\(entity) differs only by its parent \(parent)"
    case .renamedDestination: "\(entity) differs only by the name of the entity it points at"
    case .unexplained: "\(entity) differs by more than two edits"
    case .unknownAttributes(let columns):
      """
      \(entity) had \(columns.count == 1 ? "an attribute" : "attributes") that no version here has (\
      \(columns.count == 1 ? "column" : "columns") \(NameList.text(columns)) of \(entity))
      """
    }
  }
}
