import Foundation
import ModelKit

/// An app's own kind of store: JSON with metadata, and of each object its entity, reference, values and links.
struct UserStoreKind: StoreKind {
  private struct File: Codable {
    var kind, uuid: String
    var versionHashes: VersionHashes
    var lastKeys: [String: Int64]
    var objects: [Item]
  }

  private struct Item: Codable {
    var entityName: String
    var referenceId: Int64
    var values: [String: String] = [:]
    var identifiers: [String: [RecordID]] = [:]
  }

  let name = "Users"

  func recognizes(_ start: Data) -> Bool { String(decoding: start, as: UTF8.self).contains("\"kind\" : \"\(name)\"") }

  func metadata(in bytes: Data, path: String) throws -> StoreMetadata {
    let file = try JSONDecoder().decode(File.self, from: bytes)
    return StoreMetadata(uuid: file.uuid, versionHashes: file.versionHashes, identifiers: [])
  }

  func document(in bytes: Data, of model: EntityHierarchy, path: String) throws -> StoreDocument {
    let file = try JSONDecoder().decode(File.self, from: bytes)
    let objects = try file.objects.map { item in
      let attributes = model.allAttributes(of: item.entityName)
      let relationships = model.allRelationships(of: item.entityName)
      var object = StoreDocument.Object(id: RecordID(entity: item.entityName, key: item.referenceId), values: [:])
      for (name, text) in item.values {
        object.values[name] = .attribute(try .parse(text, as: attributes[name]?.property.type ?? .string))
      }
      for (name, ids) in item.identifiers {
        let isToMany = relationships[name]?.property.isToMany ?? true
        object.values[name] = isToMany || ids.count != 1 ? .objects(ids) : .object(ids[0])
      }
      return object
    }
    return StoreDocument(metadata: try metadata(in: bytes, path: path), objects: objects, lastKeys: file.lastKeys)
  }

  func bytes(of document: StoreDocument, model: EntityHierarchy) throws -> Data {
    let items = document.objects.map { object in
      var item = Item(entityName: object.id.entity, referenceId: object.id.key)
      for (name, value) in object.values {
        if case .attribute(let value) = value { item.values[name] = value.text }
        item.identifiers[name] = value.links
      }
      return item
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(
      File(
        kind: name, uuid: document.metadata.uuid, versionHashes: document.metadata.versionHashes,
        lastKeys: document.lastKeys, objects: items))
  }
}
