import Foundation
package import ModelFiles
import PersistentStores

/// The text of a JSON store, with the location of each value.
package struct JSONStoreText {
  /// The format that is written and read.
  package static let format = 1
  /// The maximum nesting of values; composite attributes and an app's metadata can be nested.
  package static let depthLimit = 64
  private static let valueLimit = 100_000_000
  /// The keys of the outermost object whose values are not needed for the metadata.
  static let passed: Set<String> = ["lastKeys", "objects"]

  let path: String
  private let root: JSONObject

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8.
  ///   - path: the path of its file.
  ///   - passed: keys whose values must be well formed and are skipped.
  init(_ bytes: Data, path: String, passing passed: Set<String> = []) throws(StoreDocumentError) {
    try self.init(path: path) { () throws(JSONFileError) in
      try JSONReader.read(
        Array(bytes), file: path, depthLimit: Self.depthLimit, valueLimit: Self.valueLimit, passing: passed)
    }
  }

  /// Reads a text, and passes on its objects one at a time, each with its entity.
  init(_ bytes: [UInt8], path: String, object: @escaping (String, JSONNode) -> Void) throws(StoreDocumentError) {
    try self.init(path: path) { () throws(JSONFileError) in
      try JSONReader.read(
        bytes, file: path, depthLimit: Self.depthLimit, valueLimit: Self.valueLimit, listsOf: "objects",
        element: object)
    }
  }

  private init(path: String, _ read: () throws(JSONFileError) -> JSONNode) throws(StoreDocumentError) {
    self.path = path
    do throws(JSONFileError) {
      let node = try read()
      root = try node.object(keys: ["format", "metadata", "lastKeys", "objects"])
      let format = try root.required("format")
      guard try format.integer() == Self.format else {
        throw JSONFileError(.wrongValue("this format is not supported; only 1 is"), at: format.location)
      }
    } catch {
      throw StoreDocumentError(error, path: path)
    }
  }

  /// Runs a lookup in the text, and translates its errors.
  func reading<Value>(_ body: () throws(JSONFileError) -> Value) throws(StoreDocumentError) -> Value {
    do throws(JSONFileError) {
      return try body()
    } catch {
      throw StoreDocumentError(error, path: path)
    }
  }

  func error(_ node: JSONNode, _ finding: StoreDocumentError.Finding) -> StoreDocumentError {
    StoreDocumentError(path: path, .line(node.location.line, column: node.location.column), finding)
  }

  func metadata() throws -> StoreMetadata {
    try JSONStoreMetadata.read(try reading { () throws(JSONFileError) in try root.required("metadata") }, path: path)
  }

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
  /// Translates an error in a JSON text.
  package init(_ error: JSONFileError, path: String) {
    self.init(path: path, .line(error.location.line, column: error.location.column), .malformed(error.cause))
    correction = error.advice
  }
}
