import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreContents
import StoreRows
import TestSupport

/// A store as texts, written by this other hand.
struct LoadTexts {
  let document: StoreDocument
  let hierarchy: EntityHierarchy

  init(_ path: String, _ hierarchy: EntityHierarchy) throws {
    self.hierarchy = hierarchy
    document = try StoreDocument(storeAt: path, model: hierarchy)
  }

  /// Writes the text of a form, and gives where.
  func write(_ form: LoadFormat, to folder: TemporaryFolder) throws -> String {
    let name = folder.path("text\(UUID().uuidString)" + (form == .csv ? "" : ".\(form.rawValue)"))
    switch form {
    case .json: try json().write(to: URL(fileURLWithPath: name))
    case .jsonl: try Data(lines().utf8).write(to: URL(fileURLWithPath: name))
    case .csv:
      try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: false)
      for entity in hierarchy.model.entities where !entity.isAbstract {
        try Data(table(entity.name).utf8).write(to: URL(fileURLWithPath: "\(name)/\(entity.name).csv"))
      }
    }
    return name
  }

  private func json() throws -> Data { try JSONStoreKind().bytes(of: document, model: hierarchy) }

  /// The lines of the JSON store, each with its entity in front.
  private func lines() throws -> String {
    var entity = ""
    var text = ""
    for line in String(decoding: try json(), as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("  \""), line.hasSuffix("\": [") {
        entity = String(line.dropFirst(2).dropLast(3))
      } else if line.hasPrefix("   {") {
        let body = Self.body(line)
        let name = String(entity.dropFirst().dropLast())
        let key = hierarchy.allAttributes(of: name)["entity"] == nil ? "entity" : "$entity"
        text += "{\"\(key)\": \(entity), \(body)}\n"
      }
    }
    return text
  }

  /// An object without its braces and what follows it.
  private static func body(_ line: Substring) -> String {
    let body = String(line.dropFirst(4))
    let endings = ["}]}}", "}],", "}]", "},", "}"]
    return endings.first { body.hasSuffix($0) }.map { String(body.dropLast($0.count)) } ?? body
  }

  private func table(_ entity: String) throws -> String {
    let attributes = hierarchy.allAttributes(of: entity).values.map(\.property).filter { !$0.isTransient }
      .sorted { $0.name < $1.name }
    let relationships = hierarchy.allRelationships(of: entity).values.map(\.property)
      .filter { !$0.isTransient && isWritten($0, of: entity) }.sorted { $0.name < $1.name }
    let leaves = attributes.flatMap { attribute in
      attribute.type == .composite ? attribute.leaves.map(\.path) : [[attribute.name]]
    }
    let keyName = hierarchy.allAttributes(of: entity)["id"] == nil ? "id" : "$id"
    let header = [keyName] + leaves.map { $0.joined(separator: ".") } + relationships.map(\.name)
    var text = header.joined(separator: ",") + "\n"
    let root = try JSONReader.read(Array(json()), file: "", depthLimit: 64, valueLimit: .max).object()
    let objects = try root.required("objects").object()[entity]?.array() ?? []
    for node in objects {
      let object = try node.object()
      var fields = [try Self.field(object.required(keyName))]
      for path in leaves { fields.append(try Self.field(Self.node(path, in: object))) }
      for relationship in relationships { fields.append(try Self.field(object[relationship.name])) }
      text += fields.joined(separator: ",") + "\n"
    }
    return text
  }

  /// To-many relationships that nothing else defines.
  private func isWritten(_ relationship: RelationshipDescription, of entity: String) -> Bool {
    guard relationship.isToMany, !relationship.isOrdered else { return true }
    guard let name = relationship.inverseName, let destination = relationship.destinationEntityName,
      let inverse = hierarchy.allRelationships(of: destination)[name]
    else { return true }
    guard inverse.property.isToMany else { return false }
    let own = hierarchy.allRelationships(of: entity)[relationship.name]?.entity.name ?? entity
    return (own, relationship.name) <= (inverse.entity.name, name) || inverse.property.isOrdered
  }

  private static func node(_ path: [String], in object: JSONObject) throws -> JSONNode? {
    guard let node = object[path[0]] else { return nil }
    return path.count == 1 ? node : try Self.node(Array(path.dropFirst()), in: node.object())
  }

  private static func field(_ node: JSONNode?) throws -> String {
    guard let node else { return "" }
    let text: String
    switch node.value {
    case .null: return ""
    case .array(let nodes): text = try nodes.map { try field($0) }.joined(separator: " ")
    case .object(let members): text = "\(members[0].key):\(try field(members[0].value))"
    case .string(let string): text = string
    case .bool(let flag): text = "\(flag)"
    case .number(let number): text = node.wholeNumber.map { "\($0)" } ?? "\(number)"
    }
    let needsQuotes =
      text.isEmpty || text.contains { ",\"\r\n\r\n".contains($0) } || text.first == " " || text.last == " "
    return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }
}

extension StoreDocument {
  /// The objects without computed values.
  func underived(_ hierarchy: EntityHierarchy) -> StoreDocument {
    var document = self
    for position in document.objects.indices {
      let attributes = hierarchy.allAttributes(of: document.objects[position].id.entity)
      document.objects[position].values = document.objects[position].values.filter { name, _ in
        attributes[name]?.property.derivation == nil
      }
    }
    return document
  }
}
