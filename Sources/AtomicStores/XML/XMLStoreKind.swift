public import Foundation
public import ModelDescription
public import PersistentStores

/// Core Data's XML store, `NSXMLStoreType`.
///
/// Source: 48 stores that Core Data wrote.
public struct XMLStoreKind: StoreKind {
  /// `XML`, which the metadata in the file does not repeat.
  public let name = "XML"

  /// Makes the kind, which has no settings.
  public init() {}

  /// True for text whose document type, or whose first element, is `database`.
  public func recognizes(_ start: Data) -> Bool {
    let text = String(decoding: start, as: UTF8.self).drop { $0 == "\u{FEFF}" || $0.isWhitespace }
    guard text.hasPrefix("<") else { return false }
    return text.range(of: #"<(!DOCTYPE\s+)?database[\s>]"#, options: .regularExpression) != nil
  }

  /// Reads what a store says about itself.
  public func metadata(in bytes: Data, path: String) throws -> StoreMetadata {
    try XMLStoreFile(bytes, path: path).metadata()
  }

  /// Reads a store.
  public func document(in bytes: Data, of model: EntityHierarchy, path: String) throws -> StoreDocument {
    try XMLStoreReader.document(in: XMLStoreFile(bytes, path: path), of: model)
  }

  /// Writes a store.
  public func bytes(of document: StoreDocument, model: EntityHierarchy) throws -> Data {
    try XMLStoreWriter.bytes(of: document, model: model)
  }

  /// Recovers as much of a store's model as the file shows, with which it can be read and written back.
  ///
  /// Entities have the spelling of the version hashes, properties are in lower case. Inheritance and inverses are unknown.
  /// To-many relationships are ordered, so that the file's order is kept.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - path: the file, for messages.
  /// - Returns: the model.
  /// - Throws: ``StoreDocumentError`` for what is wrong with the file.
  public func model(in bytes: Data, path: String) throws -> ManagedObjectModel {
    try XMLStoreModel.model(of: XMLStoreFile(bytes, path: path))
  }
}
