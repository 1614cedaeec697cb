import Foundation
import GRDB
public import ModelDescription
import ModelFiles
public import PersistentStores

/// The content of an SQLite store, read by the tests' own reader: objects, keys, links, orders and metadata.
public struct StoreContent {
  /// The objects with their links, without derived attributes; external data is in the row.
  public let graph: ObjectGraph
  /// The last key that was given, by entity.
  public let lastKeys: [String: Int64]
  /// The metadata of the store.
  public let metadata: StoreMetadata

  /// Reads a store.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - model: its model.
  /// - Throws: `StoreError`, `DatabaseError`.
  public init(_ path: String, _ model: EntityHierarchy) throws {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let (graph, rows) = try reader.read { database in
      (
        try ObjectGraphReader(database, model).read(),
        try Row.fetchAll(database, sql: "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY")
      )
    }
    var held = graph
    for entity in model.model.entities {
      held.rows[entity.name] = Self.held(graph.rows[entity.name] ?? [:], of: entity.name, model, path)
      for relationship in entity.relationships
      where relationship.inverseName == relationship.name && relationship.destinationEntityName == entity.name {
        // One of both directions stands for the other.
        let name = "\(entity.name).\(relationship.name)"
        let links = graph.links[name] ?? []
        held.links[name] = links.union(links.map { ObjectGraph.Link(near: $0.far, far: $0.near) })
      }
    }
    self.graph = held
    let known = rows.map { ($0["Z_NAME"] as String, ($0["Z_MAX"] as Int64?) ?? 0) }
      .filter { model.entity(named: $0.0) != nil }
    lastKeys = Dictionary(known) { first, _ in first }
    metadata = try reader.metadata()
  }

  private static func held(
    _ rows: [Int64: [String: DatabaseValue]], of entity: String, _ model: EntityHierarchy, _ path: String
  ) -> [Int64: [String: DatabaseValue]] {
    var (derived, external): (Set<String>, Set<String>) = ([], [])
    for attribute in model.allAttributes(of: entity).values.map(\.property) {
      for leaf in attribute.leaves {
        let name = leaf.path.joined(separator: ".")
        if attribute.derivation != nil { derived.insert(name) }
        if leaf.attribute.allowsExternalBinaryDataStorage { external.insert(name) }
      }
    }
    let store = URL(fileURLWithPath: path)
    let support = ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA"
    let folder = store.deletingLastPathComponent().appendingPathComponent(support)
    return rows.mapValues { values in
      var held = values.filter { !derived.contains($0.key) }.mapValues(exact)
      for name in external { held[name] = held[name].map { data($0, in: folder) } }
      return held
    }
  }

  /// The data of a column: a 1 and the data, or a 2 and the name of its file.
  private static func data(_ value: DatabaseValue, in folder: URL) -> DatabaseValue {
    guard case .blob(let bytes) = value.storage, let first = bytes.first else { return value }
    if first == 1 { return Data(bytes.dropFirst()).databaseValue }
    let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
    guard first == 2, UUID(uuidString: name) != nil,
      let held = try? Data(contentsOf: folder.appendingPathComponent(name))
    else { return value }
    return held.databaseValue
  }

  /// A text by its characters' numbers where two spellings could be taken for one.
  private static func exact(_ value: DatabaseValue) -> DatabaseValue {
    guard case .string(let text) = value.storage, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return value }
    return text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined().databaseValue
  }

  /// The differences from another store, one per line.
  ///
  /// - Parameter other: the other store.
  /// - Returns: the lines, without the version of Core Data that a store records.
  public func differences(from other: StoreContent) -> [String] {
    var found = graph.differences(from: other.graph)
    for entity in Set(lastKeys.keys).union(other.lastKeys.keys).sorted()
    where lastKeys[entity] != other.lastKeys[entity] {
      found.append("\(entity): last keys \(lastKeys[entity] ?? 0) and \(other.lastKeys[entity] ?? 0)")
    }
    if metadata.uuid != other.metadata.uuid { found.append("UUID: \(metadata.uuid) and \(other.metadata.uuid)") }
    let (mine, theirs) = (metadata.entries, other.metadata.entries)
    for key in Set(mine.keys).union(theirs.keys).sorted()
    where key != "NSPersistenceFrameworkVersion" && mine[key] != theirs[key] {
      found.append("\(key): \(String(describing: mine[key])) and \(String(describing: theirs[key]))")
    }
    return found
  }
}
