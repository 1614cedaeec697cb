public import Foundation
public import ModelDescription
import ModelFiles
public import PersistentStores

/// An atomic store type, which is read and written completely: Core Data's XML and binary stores, JSON, and the types
/// of apps.
///
/// An app adds a store type with a type that conforms to this protocol. Its stores are then identified, migrated, read
/// and written like any other store.
public protocol StoreKind: Sendable {
  /// Its name, which is the `NSStoreType` of its metadata, such as `XML`.
  var name: String { get }

  /// True if a file with these first bytes is of this store type.
  ///
  /// - Parameter start: the first bytes of the file, at most 4096.
  /// - Returns: true if it is of this type.
  func recognizes(_ start: Data) -> Bool

  /// Reads the metadata of a store, for which no model is needed.
  ///
  /// - Throws: ``StoreDocumentError`` if the store is invalid.
  func metadata(in bytes: Data, path: String) throws -> StoreMetadata

  /// Reads the metadata of a store from its file, with as few bytes as the store type allows.
  ///
  /// - Throws: ``StoreDocumentError`` if the store is invalid, `POSIXError` for a file that cannot be read.
  func metadata(ofFile path: String) throws -> StoreMetadata

  /// Reads a store.
  ///
  /// - Throws: ``StoreDocumentError`` if the store is invalid.
  func document(in bytes: Data, of model: EntityHierarchy, path: String) throws -> StoreDocument

  /// Writes a store.
  ///
  /// - Throws: ``StoreDocumentError`` for a value that the store type cannot store.
  func bytes(of document: StoreDocument, model: EntityHierarchy) throws -> Data
}

extension StoreKind {
  /// Reads the metadata of a store from all bytes of its file.
  public func metadata(ofFile path: String) throws -> StoreMetadata {
    try metadata(in: FileBytes.whole(path), path: path)
  }
}

/// The built-in atomic store types, and the detection of a file's store type.
public enum StoreKinds {
  /// The number of bytes of a file that detection reads.
  private static let startSize = 4096

  /// The store types that do not need code of an app.
  public static let builtIn: [any StoreKind] = [JSONStoreKind(), XMLStoreKind(), BinaryStoreKind()]

  /// Finds the store type of a file by its first bytes.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - kinds: the store types to check, in this order.
  /// - Returns: the store type; nil for an SQLite store, for any other file and for a file that cannot be read.
  public static func kind(ofFile path: String, among kinds: [any StoreKind] = builtIn) -> (any StoreKind)? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path),
      attributes[.type] as? FileAttributeType == .typeRegular, let handle = FileBytes.handle(path)
    else { return nil }
    defer { try? handle.close() }
    guard let start = try? handle.read(upToCount: startSize) else { return nil }
    return kinds.first { $0.recognizes(start) }
  }
}
