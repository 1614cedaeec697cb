import Foundation
import ModelFiles
import PersistentStores

/// The text of a JSON store, with the place of each value.
struct JSONStoreText {
  /// The format that is written and read.
  static let format = 1
  /// The deepest that values lie in each other: composite attributes nest, and metadata of apps.
  private static let depthLimit = 64
  private static let valueLimit = 100_000_000

  let path: String
  private let root: JSONObject

  init(_ bytes: Data, path: String) throws(StoreDocumentError) {
    self.path = path
    do throws(JSONFileError) {
      let node = try JSONReader.read(
        Array(bytes), file: path, depthLimit: Self.depthLimit, valueLimit: Self.valueLimit)
      root = try node.object(keys: ["format", "metadata", "lastKeys", "objects"])
      let format = try root.required("format")
      guard try format.integer() == Self.format else {
        throw JSONFileError(.wrongValue("this is no format that this program reads; it reads 1"), at: format.location)
      }
    } catch {
      throw StoreDocumentError(error, path: path)
    }
  }

  /// Runs a look-up in the text.
  func reading<Value>(_ body: () throws(JSONFileError) -> Value) throws(StoreDocumentError) -> Value {
    do throws(JSONFileError) {
      return try body()
    } catch {
      throw StoreDocumentError(error, path: path)
    }
  }

  func error(_ node: JSONNode, _ fault: StoreDocumentError.Fault) -> StoreDocumentError {
    StoreDocumentError(path: path, .line(node.location.line, column: node.location.column), fault)
  }

  func metadata() throws -> StoreMetadata {
    let object = try reading { () throws(JSONFileError) in try root.required("metadata").object() }
    let (uuid, entries) = try reading { () throws(JSONFileError) in
      var entries: [String: PropertyList] = [:]
      for member in object.members where member.key != "NSStoreUUID" {
        entries[member.key] = try JSONPropertyList.list(member.value, key: member.key)
      }
      return (try object.required("NSStoreUUID").string(), entries)
    }
    do throws(StoreError) {
      return try StoreMetadata(uuid: uuid, entries: entries, path: path)
    } catch {
      throw StoreDocumentError(error, path: path)
    }
  }

  /// The objects of each entity.
  func objects() throws(StoreDocumentError) -> [JSONMember] {
    try reading { () throws(JSONFileError) in try root.required("objects").object().members }
  }

  /// The last keys of root entities that the text names.
  func lastKeys() throws(StoreDocumentError) -> [(root: JSONMember, key: Int64)] {
    try reading { () throws(JSONFileError) in
      var keys: [(root: JSONMember, key: Int64)] = []
      for member in try root["lastKeys"]?.object().members ?? [] {
        keys.append((member, Int64(try member.value.integer())))
      }
      return keys
    }
  }
}

extension StoreDocumentError {
  /// What is wrong with a JSON text.
  init(_ error: JSONFileError, path: String) {
    self.init(
      path: path, .line(error.location.line, column: error.location.column), .malformed(error.words))
  }
}
