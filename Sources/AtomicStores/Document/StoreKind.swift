public import Foundation
public import ModelDescription
public import PersistentStores

/// A kind of store that is read and written as a whole: Core Data's XML and binary stores, JSON, and those that apps add.
///
/// An app adds a kind of its own by a type that conforms; stores of it are identified, migrated, read and written then as those
/// of any other kind.
public protocol StoreKind: Sendable {
  /// Its name, which is the `NSStoreType` of its metadata, such as `XML`.
  var name: String { get }

  /// True when a file that begins with some bytes is of this kind.
  ///
  /// - Parameter start: the first bytes of the file, 4096 at most.
  /// - Returns: whether it is.
  func recognizes(_ start: Data) -> Bool

  /// Reads what a store says about itself, for which no model is needed.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - path: the file, for messages.
  /// - Returns: its metadata.
  /// - Throws: ``StoreDocumentError`` for what is wrong with it.
  func metadata(in bytes: Data, path: String) throws -> StoreMetadata

  /// Reads a store.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - model: its model.
  ///   - path: the file, for messages.
  /// - Returns: what it holds.
  /// - Throws: ``StoreDocumentError`` for what is wrong with it.
  func document(in bytes: Data, of model: EntityHierarchy, path: String) throws -> StoreDocument

  /// Writes a store.
  ///
  /// - Parameters:
  ///   - document: what it holds.
  ///   - model: its model.
  /// - Returns: the whole file.
  /// - Throws: ``StoreDocumentError`` for a value that the kind cannot hold.
  func bytes(of document: StoreDocument, model: EntityHierarchy) throws -> Data
}
