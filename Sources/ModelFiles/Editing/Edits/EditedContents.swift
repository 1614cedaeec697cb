public import Foundation
public import ModelDescription

/// A `contents` file after an edit: what was not touched has the same bytes.
public struct EditedContents: Hashable, Sendable {
  /// Something that the edit did.
  public struct Change: Hashable, Sendable {
    /// The entity or property it was done to.
    public let element: ModelElement
    /// What was done, as in `Order.note: removed`.
    public let sentence: String
  }

  /// The bytes before.
  public let oldData: Data
  /// The bytes after.
  public let data: Data
  /// The model after.
  public let file: ModelFile
  /// What was done, what was asked for first.
  public let changes: [Change]
  /// What is to be looked at by people: names in texts that are not changed, and what a migration needs.
  public let warnings: [String]

  /// Edits a file; nothing is written.
  ///
  /// - Throws: ``ContentsEditError`` when the change cannot be made, or would leave a model that cannot be used.
  public init(_ edit: ContentsEdit, of data: Data, path: String) throws(ContentsEditError) {
    var session = try EditSession(data, path: path)
    switch edit {
    case .addEntity(let entity): try session.add(entity)
    case .addAttribute(let attribute, let entity): try session.add(attribute, to: entity)
    case .addRelationship(let relationship, let entity, let inverse):
      try session.add(relationship, to: entity, inverse: inverse)
    case .rename(.entity(let entity), let name, let origin): try session.rename(entity: entity, to: name, origin)
    case .rename(.property(let entity, let property), let name, let origin):
      try session.rename(property, of: entity, to: name, origin)
    case .addConstraint(let properties, let entity): try session.add(constraint: properties, to: entity)
    case .addIndex(let index, let entity): try session.add(index, to: entity)
    case .removeConstraint(let properties, let entity): try session.remove(constraint: properties, of: entity)
    case .removeIndex(let name, let entity): try session.remove(index: name, of: entity)
    case .remove(.entity(let entity)): try session.remove(entity: entity)
    case .remove(.property(let entity, let property)): try session.remove(property: property, of: entity)
    case .rename(let element, _, _), .remove(let element): throw .notEditable(element)
    case .set(let element, let changes): try session.set(changes, of: element)
    case .retype(let entity, let attribute, let type, let storedType):
      try session.retype(attribute, of: entity, to: type, from: storedType)
    }
    oldData = data
    self.data = session.result()
    changes = session.changes
    warnings = session.warnings
    do throws(ModelFileError) {
      file = try ContentsReader.read(self.data, path: path)
    } catch {
      throw .unreadable(error)
    }
    do throws(ModelStructureError) {
      _ = try EntityHierarchy(file.model)
    } catch {
      throw .broken(error)
    }
  }
}

/// A change to a model that is made in the text of its `contents` file.
public enum ContentsEdit: Hashable, Sendable {
  /// Adds an entity with what it declares.
  case addEntity(EntityDescription)
  /// Adds an attribute to an entity.
  case addAttribute(AttributeDescription, entity: String)
  /// Adds a relationship to an entity, and its other end: the relationship of that name in the destination, which is
  /// made of the inverse where it is not there.
  case addRelationship(RelationshipDescription, entity: String, inverse: RelationshipDescription?)
  /// Gives an entity or property another name, and the renaming identifier by which the version before knows it.
  ///
  /// Where the origin is not known, that is the identifier it has, else its old name.
  case rename(ModelElement, to: String, origin: ElementOrigin? = nil)
  /// Adds a uniqueness constraint over properties to an entity.
  case addConstraint([String], entity: String)
  /// Adds an index to an entity.
  case addIndex(FetchIndexDescription, entity: String)
  /// Takes the uniqueness constraint over these properties away, in whatever order it has them.
  case removeConstraint([String], entity: String)
  /// Takes an index away.
  case removeIndex(String, entity: String)
  /// Takes an entity or property away, with everything that is nothing without it.
  case remove(ModelElement)
  /// Gives an entity or property other settings.
  case set(ModelElement, [SettingChange])
  /// Gives an attribute another type.
  case retype(entity: String, attribute: String, to: AttributeType, storedType: AttributeType? = nil)
}
