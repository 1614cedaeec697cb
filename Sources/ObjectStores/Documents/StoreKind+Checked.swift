public import AtomicStores
public import Foundation
import ModelDescription
import ModelFiles
public import PersistentStores
import StoreRows

/// Checks the results of an app's store type against the model, and adds the file's name to its errors.
extension StoreKind {
  func checkedMetadata(in bytes: Data, path: String) throws -> StoreMetadata {
    try Self.naming(path) { try self.metadata(in: bytes, path: path) }
  }

  func checkedMetadata(ofFile path: String) throws -> StoreMetadata {
    try Self.naming(path) { try self.metadata(ofFile: path) }
  }

  func checkedDocument(in bytes: Data, of model: EntityHierarchy, path: String) throws -> StoreDocument {
    let document = try Self.naming(path) { try self.document(in: bytes, of: model, path: path) }
    try document.check(against: model, path: path)
    return document
  }

  func checkedBytes(of document: StoreDocument, model: EntityHierarchy, path: String) throws -> Data {
    let bytes = try Self.naming(path) { try self.bytes(of: document, model: model) }
    if !Self.isBuiltIn {
      try compare(document, with: checkedDocument(in: bytes, of: model, path: path), path: path)
    }
    return bytes
  }

  /// Writes a store whose objects are read while they are written, if the store type supports it.
  func checkedBytes(of content: DocumentContent, model: EntityHierarchy, path: String) throws -> Data {
    guard let kind = self as? any PiecewiseStoreKind else {
      return try checkedBytes(of: content.document(), model: model, path: path)
    }
    do {
      return try kind.bytes(of: content, model: model)
    } catch var error as StoreDocumentError {
      error.path = path
      throw error
    }
  }

  /// Finds content that an app's store type omits, before the file is written.
  private func compare(_ document: StoreDocument, with read: StoreDocument, path: String) throws(StoreDocumentError) {
    let found = Dictionary(read.objects.map { ($0.id, $0.filled) }) { first, _ in first }
    for object in document.objects where found[object.id] != object.filled {
      let names = Set(object.filled.keys).union((found[object.id] ?? [:]).keys)
      let lost = names.sorted().first { found[object.id]?[$0] != object.filled[$0] }
      throw StoreDocumentError(
        path: path, .object("\(object.id)", property: found[object.id] == nil ? nil : lost),
        .malformed("the store type \(name) does not read back the content that it wrote"))
    }
  }

  private static var isBuiltIn: Bool { StoreKinds.builtIn.contains { type(of: $0) == Self.self } }

  private static func naming<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch var error as StoreDocumentError {
      error.path = path
      throw error
    } catch let error as StoreError {
      throw error
    } catch let error as POSIXError where isBuiltIn {
      throw error
    } catch let error as DecodingError {
      throw StoreDocumentError(path: path, nil, .malformed(error.cause))
    } catch {
      throw StoreDocumentError(path: path, nil, .kind(CaughtError(error)))
    }
  }
}

extension StoreDocument.Object {
  /// The values, without those that may be omitted.
  fileprivate var filled: [String: RecordValue] { values.filter { $0.value != .null && $0.value != .objects([]) } }
}

extension DecodingError {
  /// The location in the file and the cause, without the names of Swift types.
  fileprivate var cause: String {
    let (context, missing): (Context, String?) =
      switch self {
      case .keyNotFound(let key, let context): (context, key.stringValue)
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): (context, nil)
      @unknown default: (Context(codingPath: [], debugDescription: "\(self)"), nil)
      }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    let cause = missing.map { "the key “\($0)” is missing" } ?? context.debugDescription
    return path.isEmpty ? cause : "\(path): \(cause)"
  }
}

extension StoreCreator {
  /// Creates an atomic store.
  ///
  /// - Parameters:
  ///   - path: the path of the store, which must not exist.
  ///   - uuid: the identity of the store (default: a new one).
  ///   - rows: the rows to fill it with; nil for an empty store.
  ///   - interruption: called often; return true to stop.
  /// - Throws: `StoreCreationError`, `StoreDocumentError` for a value that the store type cannot store; no file is left
  ///   then.
  public func create(
    at path: String, kind: any StoreKind, uuid: UUID = UUID(), filling rows: SyntheticRows? = nil,
    interruption: (() -> Bool)? = nil
  ) throws {
    let version = try LoadedVersion(bundle: "", name: "", isCurrent: true, model: hierarchy.model)
    try StoreConversion(version).make(at: path, kind: kind) { store in
      do {
        try StoreError.writingTemporaryStore(store) {
          try create(at: store, uuid: uuid, filling: rows, interruption: interruption)
        }
      } catch StoreCreationError.interrupted {
        throw StoreCreationError.interrupted(path: path)
      } catch StoreCreationError.failed(_, let error) {
        throw StoreCreationError.failed(path: path, error: error)
      }
    }
  }
}
