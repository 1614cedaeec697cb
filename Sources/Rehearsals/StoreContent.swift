import GRDB
import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration

/// The objects of a store as plain values, for the comparison of two stores.
struct StoreContent: Equatable {
  /// The value of every stored attribute, by entity, `Z_PK` and leaf path.
  var objects: [String: [Int64: [String: DatabaseValue]]] = [:]
  /// The other ends of every stored relationship, by declaring entity and name, then by `Z_PK`.
  var links: [RelationshipName: [Int64: [Int64]]] = [:]

  /// A relationship by the entity that declares it.
  struct RelationshipName: Hashable {
    let entity: String
    let relationship: String
  }

  var objectCount: Int { objects.values.reduce(0) { $0 + $1.count } }

  var valueCount: Int { objects.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }

  /// The number of links, each seen from one side.
  var linkCount: Int { links.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }

  /// The differences from a different store of the same model, one for each entity or property.
  func differences(from other: StoreContent) -> [ContentDifference] {
    var found: [ContentDifference] = []
    for entity in Set(objects.keys).union(other.objects.keys).sorted() {
      found += Self.differences(of: entity, objects[entity] ?? [:], other.objects[entity] ?? [:])
    }
    let names = Set(links.keys).union(other.links.keys)
    for name in names.sorted(by: { ($0.entity, $0.relationship) < ($1.entity, $1.relationship) }) {
      let (mine, theirs) = (links[name] ?? [:], other.links[name] ?? [:])
      let keys = Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }.sorted()
      guard let first = keys.first else { continue }
      found.append(
        ContentDifference(
          entity: name.entity, property: name.relationship, kind: .links, count: keys.count, firstKey: first,
          values: Self.text(mine[first] ?? []), otherValues: Self.text(theirs[first] ?? [])))
    }
    return found
  }

  private static func differences(
    of entity: String, _ mine: [Int64: [String: DatabaseValue]], _ theirs: [Int64: [String: DatabaseValue]]
  ) -> [ContentDifference] {
    var found: [ContentDifference] = []
    let uncommon = Set(mine.keys).symmetricDifference(theirs.keys).sorted()
    if let first = uncommon.first {
      found.append(
        ContentDifference(
          entity: entity, property: nil, kind: .objects, count: uncommon.count, firstKey: first,
          values: "\(mine.count) objects", otherValues: "\(theirs.count) objects"))
    }
    var keys: [String: [Int64]] = [:]
    for (key, values) in mine {
      guard let others = theirs[key] else { continue }
      for (path, value) in values where others[path] != value { keys[path, default: []].append(key) }
    }
    for (path, unsorted) in keys.sorted(by: { $0.key < $1.key }) {
      guard let first = unsorted.min() else { continue }
      found.append(
        ContentDifference(
          entity: entity, property: path, kind: .values, count: unsorted.count, firstKey: first,
          values: Self.text(mine[first]?[path]), otherValues: Self.text(theirs[first]?[path])))
    }
    return found
  }

  private static func text(_ keys: [Int64]) -> String {
    keys.isEmpty ? "no links" : "Z_PK " + keys.prefix(5).map(String.init).joined(separator: ", ")
  }

  private static func text(_ value: DatabaseValue?) -> String {
    switch value?.storage {
    case .int64(let number)?: "\(number)"
    case .double(let number)?: "\(number)"
    case .string(let text)?: "“\(text.prefix(40))”"
    case .blob(let bytes)?: "\(bytes.count) bytes"
    case .null?, nil: "nothing"
    }
  }
}

/// Reads the objects of a store by its model, under the names that this very store has.
struct StoreContentReader {
  private let hierarchy: EntityHierarchy
  private let layout: SQLStoreLayout
  private let database: Database

  /// Prepares to read.
  init(_ database: Database, of hierarchy: EntityHierarchy) throws {
    (self.database, self.hierarchy) = (database, hierarchy)
    layout = BoundLayout(of: hierarchy, to: try StoreSnapshot(reading: database, counting: false)).layout
  }

  /// Reads the content of a store's file.
  static func content(ofStore path: String, _ hierarchy: EntityHierarchy) throws -> StoreContent {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    return try reader.read { database in
      try IndexCheck.prove(database, path: path)
      return try StoreContentReader(database, of: hierarchy).read()
    }
  }

  /// Reads everything but moments of saving, which no two migrations share.
  func read() throws -> StoreContent {
    var content = StoreContent()
    for entity in hierarchy.model.entities {
      if !entity.isAbstract { content.objects[entity.name] = try objects(of: entity.name) }
      for relationship in entity.relationships where !relationship.isTransient {
        let address = PropertyAddress(entity: entity.name, property: relationship.name)
        guard let links = try links(of: relationship, at: address) else { continue }
        content.links[.init(entity: entity.name, relationship: relationship.name)] = links
      }
    }
    return content
  }

  private func objects(of entity: String) throws -> [Int64: [String: DatabaseValue]] {
    guard let table = layout.table(ofEntity: entity), let number = layout.number(of: entity) else { return [:] }
    let selected = hierarchy.storedAttributes(of: entity).values.compactMap { attribute -> (String, String)? in
      guard attribute.derivation?.expression != "now()",
        let column = layout.column(ofAttribute: PropertyAddress(entity: entity, property: attribute.path))
      else { return nil }
      return (attribute.path, column.name)
    }
    let columns = (["Z_PK"] + selected.map(\.1)).map { SQLIdentifier($0).quoted }.joined(separator: ", ")
    let found = try Row.fetchAll(
      database, sql: "SELECT \(columns) FROM \(SQLIdentifier(table.name).quoted) WHERE Z_ENT = ?", arguments: [number])
    var objects: [Int64: [String: DatabaseValue]] = [:]
    for row in found {
      var values: [String: DatabaseValue] = [:]
      for (position, attribute) in selected.enumerated() { values[attribute.0] = row[position + 1] }
      objects[row[0]] = values
    }
    return objects
  }

  /// The links of a relationship by the near end, in their order where it has one, else by primary key.
  private func links(
    of relationship: RelationshipDescription, at address: PropertyAddress
  ) throws -> [Int64: [Int64]]? {
    switch layout.storage(ofRelationship: address, in: hierarchy) {
    case .toOne(let table, let column, _, _)?:
      return try fetch("Z_PK", column, order: nil, from: table, ofFamily: address.entity)
    case .inverseOfToOne(let inverse)?:
      // An unordered one is seen from its inverse already.
      guard relationship.isOrdered,
        case .toOne(let table, let column, _, let order)? = layout.storage(ofRelationship: inverse, in: hierarchy)
      else { return nil }
      return try fetch(column, "Z_PK", order: order, from: table, ofFamily: inverse.entity)
    case .owner(let table, let column, let order)?:
      return try fetch(column, "Z_PK", order: relationship.isOrdered ? order : nil, from: table, ofFamily: nil)
    case .join(let table, let source, let destination, _, let order)?:
      return try fetch(source, destination, order: relationship.isOrdered ? order : nil, from: table, ofFamily: nil)
    case nil: return nil
    }
  }

  private func fetch(
    _ near: String, _ far: String, order: String?, from table: String, ofFamily entity: String?
  ) throws -> [Int64: [Int64]] {
    let (nearName, farName) = (SQLIdentifier(near).quoted, SQLIdentifier(far).quoted)
    let members = entity.map { layout.numbers(ofFamily: $0).map(String.init).joined(separator: ", ") }
    let condition = members.map { " AND Z_ENT IN (\($0))" } ?? ""
    let sorting = [order.map { SQLIdentifier($0).quoted }, farName].compactMap { $0 }.joined(separator: ", ")
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT \(nearName), \(farName) FROM \(SQLIdentifier(table).quoted) \
        WHERE \(nearName) IS NOT NULL AND \(farName) IS NOT NULL\(condition) ORDER BY \(nearName), \(sorting)
        """)
    var links: [Int64: [Int64]] = [:]
    for row in rows { links[row[0], default: []].append(row[1]) }
    return links
  }
}

/// A difference between two migrated stores in a single entity or property.
public struct ContentDifference: Hashable, Sendable {
  /// The kind of difference.
  public enum Kind: Hashable, Sendable {
    /// Objects that only one of the two has.
    case objects
    /// Values of an attribute.
    case values
    /// Links of a relationship, or their order.
    case links
  }

  /// The entity.
  public let entity: String
  /// The attribute's leaf path, or the relationship; nil for complete objects.
  public let property: String?
  /// The kind of difference.
  public let kind: Kind
  /// The number of objects for which it does.
  public let count: Int
  /// The `Z_PK` of the first of them.
  public let firstKey: Int64
  /// The content of the first store.
  public let values: String
  /// The content of the second store.
  public let otherValues: String

  /// The element as people name it.
  public var element: String { property.map { "\(entity).\($0)" } ?? entity }
}
