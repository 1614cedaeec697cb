public import Foundation
public import ModelDescription
public import PersistentStores

/// Core Data's binary store, `NSBinaryStoreType`.
///
/// Source: nine stores that Core Data wrote. What is written was not yet opened by Core Data.
public struct BinaryStoreKind: StoreKind {
  /// `Binary`.
  public let name = "Binary"

  /// Makes the kind, which has no settings.
  public init() {}

  /// True for bytes that begin with `CoreData`.
  public func recognizes(_ start: Data) -> Bool { start.starts(with: BinaryStoreHeader.magic) }

  /// Reads what a store says about itself.
  public func metadata(in bytes: Data, path: String) throws -> StoreMetadata {
    try BinaryStoreFile(bytes, path: path).numbered().metadata
  }

  /// Reads a store.
  public func document(in bytes: Data, of model: EntityHierarchy, path: String) throws -> StoreDocument {
    try BinaryStoreReader.document(in: BinaryStoreFile(bytes, path: path), of: model)
  }

  /// Writes a store.
  public func bytes(of document: StoreDocument, model: EntityHierarchy) throws -> Data {
    try BinaryStoreWriter.bytes(of: document, model: model)
  }

  /// Recovers as much of a store's model as the file shows, with which it can be read and written back.
  ///
  /// The file has no names of attributes: they are `attribute1` and so on, by their positions, and their types are those of
  /// the values. Relationships that no object has are taken for attributes without values. Inheritance, inverses and
  /// destinations other than the first one found are unknown.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - path: the file, for messages.
  /// - Returns: the model.
  /// - Throws: ``StoreDocumentError`` for what is wrong with the file.
  public func model(in bytes: Data, path: String) throws -> ManagedObjectModel {
    try BinaryStoreModel.model(of: BinaryStoreFile(bytes, path: path))
  }
}
