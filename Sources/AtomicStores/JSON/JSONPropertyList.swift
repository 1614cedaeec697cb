import Foundation
package import ModelFiles
package import PersistentStores

/// Metadata as JSON.
///
/// Texts, Booleans, lists, dictionaries and whole numbers keep their form. Everything else is an object with one key
/// that names its type, such as `{"$date": 12.5}`.
enum JSONPropertyList {
  /// The key whose values are hashes, which are written as base64 without a type.
  private static let hashesKey = "NSStoreModelVersionHashes"
  private static let exact = Int64(1) << 53

  // MARK: Reading

  static func list(_ node: JSONNode, key: String? = nil) throws(JSONFileError) -> PropertyList {
    switch node.value {
    case .null: throw JSONFileError(.wrongValue("null is not a value of metadata"), at: node.location)
    case .bool(let flag): return .boolean(flag)
    case .string(let text): return .string(text)
    case .number:
      guard let whole = node.wholeNumber else {
        throw JSONFileError(.wrongValue("a number with a fraction must be written {\"$real\": …}"), at: node.location)
      }
      return .integer(whole)
    case .array(let nodes):
      var elements: [PropertyList] = []
      for node in nodes { elements.append(try list(node)) }
      return .array(elements)
    case .object(let members):
      if key != hashesKey, members.count == 1, let only = members.first, only.key.hasPrefix("$") {
        return try typed(only)
      }
      return .dictionary(try dictionary(members, areHashes: key == hashesKey))
    }
  }

  private static func dictionary(
    _ members: [JSONMember], areHashes: Bool = false
  ) throws(JSONFileError) -> [String: PropertyList] {
    var entries: [String: PropertyList] = [:]
    for member in members {
      entries[member.key] = areHashes ? .data(try data(member.value)) : try list(member.value)
    }
    return entries
  }

  private static func typed(_ member: JSONMember) throws(JSONFileError) -> PropertyList {
    let node = member.value
    switch member.key {
    case "$data": return .data(try data(node))
    case "$date": return .date(try real(node))
    case "$real": return .real(try real(node))
    case "$single": return .single(Float(try real(node)))
    case "$integer": return .integer(try number(node, Int64.init))
    case "$unsigned": return .unsigned(try number(node, UInt64.init))
    case "$uid": return .uid(try number(node, UInt64.init))
    case "$dictionary": return .dictionary(try dictionary(try node.object().members))
    default:
      let known = ["$data", "$date", "$real", "$single", "$integer", "$unsigned", "$uid", "$dictionary"]
      throw JSONFileError(.unknownKey(member.key, known: known), at: member.keyLocation)
    }
  }

  private static func data(_ node: JSONNode) throws(JSONFileError) -> Data {
    guard let data = Base64.decoded(try node.string()) else {
      throw JSONFileError(.wrongValue("this is not valid base64"), at: node.location)
    }
    return data
  }

  private static func real(_ node: JSONNode) throws(JSONFileError) -> Double {
    if case .number(let number) = node.value { return number }
    return try number(node) { ["inf", "-inf", "nan"].contains($0) ? Double($0) : nil }
  }

  private static func number<Value>(_ node: JSONNode, _ make: (String) -> Value?) throws(JSONFileError) -> Value {
    guard let value = make(try node.string()) else {
      throw JSONFileError(.wrongValue("this is not a valid number of its type"), at: node.location)
    }
    return value
  }

  // MARK: Writing

  static func text(_ list: PropertyList, key: String? = nil) -> String {
    switch list {
    case .string(let text): JSONStoreWriter.quoted(text)
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let number) where number.magnitude < exact.magnitude: "\(number)"
    case .integer(let number): "{\"$integer\": \"\(number)\"}"
    case .unsigned(let number): "{\"$unsigned\": \"\(number)\"}"
    case .real(let number): "{\"$real\": \(real(number))}"
    case .single(let number): "{\"$single\": \(real(Double(number)))}"
    case .date(let seconds): "{\"$date\": \(real(seconds))}"
    case .data(let data): "{\"$data\": \"\(data.base64EncodedString())\"}"
    case .uid(let number): "{\"$uid\": \"\(number)\"}"
    case .array(let elements): "[\(elements.map { text($0) }.joined(separator: ", "))]"
    case .dictionary(let entries): dictionary(entries, isOfHashes: key == hashesKey)
    }
  }

  private static func dictionary(_ entries: [String: PropertyList], isOfHashes: Bool) -> String {
    let members = entries.sorted { $0.key < $1.key }.map { key, value in
      if isOfHashes, case .data(let data) = value {
        return "\(JSONStoreWriter.quoted(key)): \"\(data.base64EncodedString())\""
      }
      return "\(JSONStoreWriter.quoted(key)): \(text(value))"
    }
    let object = "{\(members.joined(separator: ", "))}"
    let isAmbiguous = !isOfHashes && entries.count == 1 && entries.keys.first?.hasPrefix("$") == true
    return isAmbiguous ? "{\"$dictionary\": \(object)}" : object
  }

  private static func real(_ number: Double) -> String { number.isFinite ? "\(number)" : "\"\(number)\"" }
}

package enum JSONStoreMetadata {
  package static func read(_ node: JSONNode, path: String) throws(StoreDocumentError) -> StoreMetadata {
    let uuid: String
    var entries: [String: PropertyList] = [:]
    do throws(JSONFileError) {
      let object = try node.object()
      uuid = try object.required("NSStoreUUID").string()
      for member in object.members where member.key != "NSStoreUUID" {
        entries[member.key] = try JSONPropertyList.list(member.value, key: member.key)
      }
    } catch {
      throw StoreDocumentError(error, path: path)
    }
    do throws(StoreError) {
      return try StoreMetadata(uuid: uuid, entries: entries, path: path)
    } catch {
      throw StoreDocumentError(error, path: path, at: .line(node.location.line, column: node.location.column))
    }
  }
}
