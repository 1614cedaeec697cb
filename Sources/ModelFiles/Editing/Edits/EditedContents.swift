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
  /// - Parameters:
  ///   - edit: the change.
  ///   - data: the file's bytes.
  ///   - path: the path that messages name.
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
