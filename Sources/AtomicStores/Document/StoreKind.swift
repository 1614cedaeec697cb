public import Foundation
public import ModelDescription
import ModelFiles
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
  /// - Throws: ``StoreDocumentError`` for what is wrong with it.
  func metadata(in bytes: Data, path: String) throws -> StoreMetadata

  /// Reads what a store says about itself from its file, of which a kind reads no more than it must.
  ///
  /// - Throws: ``StoreDocumentError`` for what is wrong with it, `POSIXError` for a file that cannot be read.
  func metadata(ofFile path: String) throws -> StoreMetadata

  /// Reads a store.
  ///
  /// - Throws: ``StoreDocumentError`` for what is wrong with it.
  func document(in bytes: Data, of model: EntityHierarchy, path: String) throws -> StoreDocument

  /// Writes a store.
  ///
  /// - Throws: ``StoreDocumentError`` for a value that the kind cannot hold.
  func bytes(of document: StoreDocument, model: EntityHierarchy) throws -> Data
}

extension StoreKind {
  /// Reads what a store says about itself from all bytes of its file.
  public func metadata(ofFile path: String) throws -> StoreMetadata {
    try metadata(in: FileBytes.whole(path), path: path)
  }
}

/// The kinds of stores that are read as a whole, and which of them a file is of.
public enum StoreKinds {
  /// How many bytes of a file are looked at.
  private static let startSize = 4096

  /// The kinds that need no app.
  public static let builtIn: [any StoreKind] = [JSONStoreKind(), XMLStoreKind(), BinaryStoreKind()]

  /// Finds the kind of a file by its first bytes.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - kinds: the kinds that are asked, the first one first.
  /// - Returns: the kind; nil for an SQLite store, for any other file and for one that cannot be read.
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
