public import ModelDescription

/// One edit of an entity that turns a version's definition into the store's.
public struct ModelEdit: Hashable, Sendable {
  /// What is different in the store's definition.
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
    /// A property was defined as in another version.
    case definition(String, asIn: String)
  }

  /// The entity that declares what is different.
  public let entity: String
  /// What is different in the store's definition.
  public let change: Change

  /// Makes an edit.
  public init(entity: String, change: Change) {
    self.entity = entity
    self.change = change
  }
}

extension ModelEdit: CustomStringConvertible {
  /// The edit in one sentence, as seen from the time when the store was written.
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
