import GRDB
import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration

/// Reads the objects of a store by its model, under the names that this very store has.
struct StoreContentReader {
  private let hierarchy: EntityHierarchy
  private let layout: SQLStoreLayout
  private let database: Database

  /// Prepares to read.
  ///
  /// - Throws: `DatabaseError` when SQLite cannot read the file.
  init(_ database: Database, of hierarchy: EntityHierarchy) throws {
    self.database = database
    self.hierarchy = hierarchy
    layout = BoundLayout(of: hierarchy, to: try StoreSnapshot(reading: database, counting: false)).layout
  }

  /// Reads the content of a store's file.
  ///
  /// - Throws: `StoreError`.
  static func content(ofStore path: String, _ hierarchy: EntityHierarchy) throws -> StoreContent {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    return try reader.read { try StoreContentReader($0, of: hierarchy).read() }
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
      return try fetch(
        source, destination, order: relationship.isOrdered ? order : nil, from: table, ofFamily: nil)
    case nil:
      return nil
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
