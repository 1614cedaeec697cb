public import Foundation
public import ModelDescription

/// A `contents` file after an edit; unedited parts have the same bytes.
public struct EditedContents: Hashable, Sendable {
  /// A change that the edit made.
  public struct Change: Hashable, Sendable {
    /// The changed entity or property.
    public let element: ModelElement
    /// The change in words, as in `Order.note: removed`.
    public let sentence: String
  }

  /// A consequence of the edit that you should check.
  public struct Warning: Hashable, Sendable, CustomStringConvertible {
    /// The consequence as a sentence.
    public let cause: String
    /// The remedy; nil if the cause implies it.
    public let advice: Advice?

    /// The consequence and the remedy in words.
    public var description: String { cause + (advice.map { "; \($0.words)" } ?? "") }

    /// The consequence, and the remedy with its commands.
    package var text: String { ErrorWords(cause, advice).sentence }
  }

  /// The bytes before the edit.
  public let oldData: Data
  /// The bytes after the edit.
  public let data: Data
  /// The model after the edit.
  public let file: ModelFile
  /// The changes, the requested change first.
  public let changes: [Change]
  /// The names in texts that the edit does not change, and the needs of a migration.
  public let warnings: [Warning]

  /// Edits a file; nothing is written.
  ///
  /// - Throws: ``ContentsEditError`` if the change is not possible, or would leave an unusable model.
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

/// A change of a model in the text of its `contents` file.
public enum ContentsEdit: Hashable, Sendable {
  /// Adds an entity with its properties.
  case addEntity(EntityDescription)
  /// Adds an attribute to an entity.
  case addAttribute(AttributeDescription, entity: String)
  /// Adds a relationship to an entity, and its inverse in the destination if the destination does not have it.
  case addRelationship(RelationshipDescription, entity: String, inverse: RelationshipDescription?)
  /// Gives an entity or property another name, and the renaming identifier of the previous version.
  ///
  /// If the origin is unknown, the identifier is kept; an element without an identifier gets its old name as one.
  case rename(ModelElement, to: String, origin: ElementOrigin? = nil)
  /// Adds a uniqueness constraint over properties to an entity.
  case addConstraint([String], entity: String)
  /// Adds an index to an entity.
  case addIndex(FetchIndexDescription, entity: String)
  /// Removes the uniqueness constraint over these properties, in any order.
  case removeConstraint([String], entity: String)
  /// Removes an index.
  case removeIndex(String, entity: String)
  /// Removes an entity or property, with everything that depends on it.
  case remove(ModelElement)
  /// Gives an entity or property other settings.
  case set(ModelElement, [SettingChange])
  /// Gives an attribute another type.
  case retype(entity: String, attribute: String, to: AttributeType, storedType: AttributeType? = nil)
}
