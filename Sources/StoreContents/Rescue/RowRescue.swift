import Foundation
import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// Reads each row that can be read of a store's tables, and writes the objects into a new store.
struct RowRescue {
  /// The number of objects written together, and the maximum number of bytes of their values.
  private static let batchCount = 500
  private static let batchBytes = 4 << 20

  private let source: Database
  private let store: StoreModel
  private let folder: String
  private let destination: RecordReading
  private let writing: RecordWriting
  private let files: ExternalFiles
  private let isInterrupted: @Sendable () -> Bool
  private var writes = RecordWrites()
  private var size = 0
  private(set) var keys = RecordKeys()
  var tally: RescueTally

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - store: the model with the tables and columns that the store has.
  ///   - folder: the store's folder of external data.
  ///   - destination: reads in the transaction in which the new store is written.
  init(
    _ source: Database, _ store: StoreModel, folder: String, to destination: RecordReading, _ tally: RescueTally,
    isInterrupted: @escaping @Sendable () -> Bool
  ) throws {
    (self.source, self.store, self.folder, self.destination) = (source, store, folder, destination)
    (self.tally, self.isInterrupted) = (tally, isInterrupted)
    files = ExternalFiles(ofStore: destination.path)
    writing = try RecordWriting(destination, files: files)
  }

  /// Reads all tables of entities.
  mutating func run() throws {
    for table in store.layout.tables {
      if case .hierarchy(let root) = table.content { try read(table, root) }
    }
    try flush()
    for table in store.layout.tables { if case .join(let naming) = table.content { try read(table, naming) } }
    try flush()
    files.finish()
  }

  // MARK: Tables

  private mutating func read(_ table: SQLTable, _ root: String) throws {
    var reader = EntityRows(table, root, store)
    let rows: StoredRowCursor
    do {
      rows = try StoredRowCursor(reader.query, in: source)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      let cause = error.message ?? "SQLite gives no cause"
      tally.add(.table, lost: true, root, "table \(table.name) cannot be read: \(cause)", key: nil)
      return
    }
    var last: Int64?
    while try rows.next() {
      guard let key = rows.row.integer(0) else {
        tally.add(.row, lost: true, root, "the row has no key", key: nil)
        continue
      }
      guard key != last else {
        tally.add(.secondRow, lost: true, root, "another object has the same key", key: key)
        continue
      }
      last = key
      guard let plan = reader.plan(of: rows.row, key: key, &tally) else { continue }
      var version = rows.row.integer(2) ?? 0
      if version < 1 || version == .max {
        version = 1
        tally.add(.objectVersion, lost: false, plan.entity, "Z_OPT was set to 1", key: key)
      }
      var object = RescuedObject(id: RecordID(entity: plan.entity, key: key), folder: folder)
      object.read(rows.row, plan, store.layout, &tally)
      writes.insertions.append(.init(id: object.id, version: version, values: object.values, changed: []))
      writes.newLinks.formUnion(object.links)
      writes.places += object.places
      size += object.size
      keys.raise(root, to: key)
      tally.kept[plan.entity, default: 0] += 1
      if writes.insertions.count >= Self.batchCount || size >= Self.batchBytes { try flush() }
    }
    reader.note(&tally)
  }

  /// Reads the links of a join table.
  private mutating func read(_ table: SQLTable, _ naming: PropertyAddress) throws {
    guard let near = table.column(.joinSource(naming)), let far = table.column(.joinDestination(naming)) else { return }
    let inverse = store.inverse(of: naming)
    let orders = [SQLColumn.Role.joinDestinationOrder(naming), .joinSourceOrder(naming)].map { table.column($0) }
    let names =
      [near.name, far.name].map { SQLIdentifier($0).quoted }
      + orders.map { column in
        column.map { SQLIdentifier($0.name).quoted } ?? "NULL"
      }
    let rows = try StoredRowCursor(
      "SELECT \(names.joined(separator: ", ")) FROM \(SQLIdentifier(table.name).quoted) NOT INDEXED", in: source)
    while try rows.next() {
      guard let one = rows.row.integer(0), let other = rows.row.integer(1) else {
        tally.add(
          .link, lost: true, naming.entity, naming.property, "one end of the link is missing", key: rows.row.integer(0))
        continue
      }
      writes.newLinks.insert(.init(relationship: naming, near: one, far: other))
      if let place = rows.row.integer(2) {
        writes.places.append(.init(relationship: naming, near: one, far: other, place: place))
      }
      if let inverse, let place = rows.row.integer(3) {
        writes.places.append(.init(relationship: inverse, near: other, far: one, place: place))
      }
      if writes.newLinks.count >= Self.batchCount { try flush() }
    }
  }

  private mutating func flush() throws {
    if isInterrupted() { throw StoreError.interrupted(path: destination.path) }
    guard !writes.isEmpty else { return }
    try writing.write(writes, keys: RecordKeys(), author: nil, derived: .restored)
    // Nobody else looks for the files that rows of a new store name.
    files.finish()
    (writes, size) = (RecordWrites(), 0)
  }
}

/// The rows of a single table, with the columns of each entity.
private struct EntityRows {
  private let root: String
  private let store: StoreModel
  private let positions: [SQLColumn.Role: Int32]
  private var plans: [String: RescuePlan] = [:]
  private var rows: [String: Int] = [:]
  /// The statement that gives the rows, by key.
  let query: String

  init(_ table: SQLTable, _ root: String, _ store: StoreModel) {
    (self.root, self.store) = (root, store)
    func name(_ role: SQLColumn.Role) -> String? { table.column(role).map { SQLIdentifier($0.name).quoted } }
    let key = name(.primaryKey) ?? "rowid"
    var names = [key, name(.entityNumber) ?? "NULL", name(.optimisticLock) ?? "1"]
    var positions: [SQLColumn.Role: Int32] = [:]
    for column in table.columns {
      switch column.role {
      case .primaryKey, .entityNumber, .optimisticLock: continue
      default:
        positions[column.role] = Int32(names.count)
        names.append(SQLIdentifier(column.name).quoted)
      }
    }
    self.positions = positions
    query =
      "SELECT \(names.joined(separator: ", ")) FROM \(SQLIdentifier(table.name).quoted) NOT INDEXED ORDER BY \(key)"
  }

  /// The plan to read the object of a row; nil if its entity is unknown.
  mutating func plan(of row: SteppedRow, key: Int64, _ tally: inout RescueTally) -> RescuePlan? {
    let number = row.integer(1).flatMap { Int(exactly: $0) }
    if let name = number.flatMap({ store.layout.entity(number: $0) }), let plan = plan(ofEntity: name) {
      rows[name, default: 0] += 1
      return plan
    }
    // The properties that have values may leave one entity only.
    let family = store.hierarchy.family(of: root).filter { !$0.isAbstract }.map(\.name)
    let held = Set(positions.filter { !row.isNull($0.value) }.map(\.key))
    let fitting = family.filter { name in plan(ofEntity: name)?.roles.isSuperset(of: held) == true }
    guard family.count == 1 || fitting.count == 1, let name = family.count == 1 ? family[0] : fitting.first,
      let plan = plan(ofEntity: name)
    else {
      let said = number.map { "Z_ENT is \($0)" } ?? "Z_ENT is not a number"
      tally.add(.entity, lost: true, root, "\(said), not an entity of the table", key: key)
      return nil
    }
    rows[name, default: 0] += 1
    tally.add(.entity, lost: false, name, "Z_ENT was set to the number of the entity", key: key)
    return plan
  }

  private mutating func plan(ofEntity name: String) -> RescuePlan? {
    if let plan = plans[name] { return plan }
    guard store.hierarchy.rootName(of: name) == root,
      let entity = store.hierarchy.entity(named: name), !entity.isAbstract
    else { return nil }
    let plan = RescuePlan(name, positions, store)
    plans[name] = plan
    return plan
  }

  /// Notes the columns that the table lacks, once for all rows.
  func note(_ tally: inout RescueTally) {
    for (name, plan) in plans.sorted(by: { $0.key < $1.key }) {
      guard let count = rows[name] else { continue }
      for (property, isFilled) in plan.missing {
        tally.add(
          .column, lost: !isFilled, name, property,
          isFilled ? "the column is missing; the default value is used" : "the column is missing", key: nil,
          count: count)
      }
    }
  }
}

/// The columns of a single entity's properties in the rows of a query.
struct RescuePlan {
  struct Value {
    let path: [String]
    let attribute: AttributeDescription
    let position: Int32
  }

  struct Link {
    let name: String
    let destination: String
    let key: Int32
    let number: Int32?
    let order: Int32?
    /// The inverse, if it is a to-many relationship.
    let inverse: PropertyAddress?
  }

  /// A to-many relationship without inverse that may have the object.
  struct Owner {
    let address: PropertyAddress
    let key: Int32
    let order: Int32?
  }

  let entity: String
  private(set) var values: [Value] = []
  private(set) var links: [Link] = []
  private(set) var owners: [Owner] = []
  /// The columns that an object of the entity may have values in.
  private(set) var roles: Set<SQLColumn.Role> = []
  /// The properties without a column, and whether a default is used for them.
  private(set) var missing: [(property: String, isFilled: Bool)] = []
  /// The default values of attributes without a column.
  private(set) var defaults: [String: RecordValue] = [:]

  init(_ entity: String, _ positions: [SQLColumn.Role: Int32], _ store: StoreModel) {
    self.entity = entity
    let hierarchy = store.hierarchy
    for declared in hierarchy.allAttributes(of: entity).values.sorted(by: { $0.property.name < $1.property.name })
    where !declared.property.isTransient {
      for (path, leaf) in declared.property.leaves where SQLColumn.DeclaredType(leaf.type) != nil {
        let role = SQLColumn.Role.attribute(
          PropertyAddress(entity: declared.entity.name, property: path.joined(separator: ".")))
        if let position = positions[role] {
          roles.insert(role)
          values.append(Value(path: path, attribute: leaf, position: position))
        } else if declared.property.derivation == nil {
          let value = path.count == 1 ? leaf.defaultValue : nil
          if let value { defaults[path[0]] = .attribute(value) }
          missing.append((path.joined(separator: "."), value != nil))
        }
      }
    }
    for declared in hierarchy.allRelationships(of: entity).values.sorted(by: { $0.property.name < $1.property.name })
    where !declared.property.isTransient && !declared.property.isToMany {
      let address = PropertyAddress(entity: declared.entity.name, property: declared.property.name)
      guard let destination = declared.property.destinationEntityName, hierarchy.entity(named: destination) != nil
      else {
        continue
      }
      guard let key = positions[.toOne(address)] else {
        missing.append((address.property, false))
        continue
      }
      roles.formUnion([.toOne(address), .toOneEntity(address), .toOneOrder(address)])
      links.append(
        Link(
          name: address.property, destination: destination, key: key, number: positions[.toOneEntity(address)],
          order: positions[.toOneOrder(address)], inverse: store.inverse(of: address)))
    }
    for (role, position) in positions {
      guard case .toManyOwner(let address) = role, let owner = store.relationship(address)?.destinationEntityName,
        hierarchy.isEntity(entity, kindOf: owner)
      else { continue }
      roles.formUnion([role, .toManyOwnerOrder(address)])
      owners.append(Owner(address: address, key: position, order: positions[.toManyOwnerOrder(address)]))
    }
  }
}
