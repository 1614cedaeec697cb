public import Foundation
public import ModelDescription
public import PersistentStores

/// A store as JSON with its metadata, an object a line, sorted: it can be read, and compared in git.
///
/// ```json
/// {"format": 1, "metadata": {"NSStoreType": "JSON", "NSStoreUUID": "…"},
///  "objects": {
///   "Customer": [
///    {"id": 1, "fullName": "Anna", "orders": [7]}],
///   "Order": [
///    {"id": 7, "customer": 1, "date": "2026-01-02T03:04:05Z", "total": "80.00"}]}}
/// ```
///
/// Decimal numbers, and whole ones from 2^53 on, are texts; binary data is base64; a date that no text gives exactly is a number
/// of seconds since 2001. A link to an object of another entity than the relationship's is `{"Manager": 3}`. Where an entity has
/// a property `id`, the key is called `$id`; the value of an attribute without a type names its own, such as `{"int64": 7}`.
public struct JSONStoreKind: StoreKind {
  /// Needs nothing.
  public init() {}

  /// `JSON`.
  public var name: String { "JSON" }

  /// True for a JSON object of which `format` and `metadata` are members, and not only words inside others.
  public func recognizes(_ start: Data) -> Bool {
    let names = JSONMemberNames.outermost(in: start)
    return names.contains("format") && names.contains("metadata")
  }

  /// Reads the metadata; the rest of the text is read too, as half a file is none.
  public func metadata(in bytes: Data, path: String) throws -> StoreMetadata {
    try JSONStoreText(bytes, path: path).metadata()
  }

  /// Reads a store.
  public func document(in bytes: Data, of model: EntityHierarchy, path: String) throws -> StoreDocument {
    let text = try JSONStoreText(bytes, path: path)
    return try JSONStoreReader(text, model).document()
  }

  /// Writes a store; equal documents give equal bytes.
  public func bytes(of document: StoreDocument, model: EntityHierarchy) throws -> Data {
    try JSONStoreWriter(document, model).bytes()
  }
}
