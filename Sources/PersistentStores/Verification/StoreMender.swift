package import GRDB
package import ModelDescription

/// A repair of one finding in a store.
public struct StoreMending: Hashable, Sendable {
  /// The kind of the repaired finding.
  public let kind: StoreFinding.Kind
  /// The number of changed rows, or 1 if the repair is not about rows.
  public let count: Int
  /// The repair as a sentence.
  public let sentence: String

  init(_ kind: StoreFinding.Kind, count: Int = 1, _ sentence: String) {
    (self.kind, self.count, self.sentence) = (kind, count, sentence)
  }
}

extension StoreMending: CustomStringConvertible {
  /// The sentence with the kind.
  public var description: String { "\(sentence) [\(kind.rawValue)]" }
}

/// Repairs, in a transaction, the findings that have only one right result.
///
/// Indexes are repaired first, because queries of rows use them. The schema, entity numbers, dangling links and highest
/// keys follow.
package struct StoreMender {
  private let hierarchy: EntityHierarchy
  private let database: Database
  private let path: String
  private var snapshot: StoreSnapshot
  private var bound: BoundLayout
  private var mended: [StoreMending] = []

  private var layout: SQLStoreLayout { bound.layout }

  /// The layout of a new store with the entity numbers of this store.
  private var fresh: SQLStoreLayout {
    SQLStoreLayout(
      of: hierarchy,
      entityNumbers: Dictionary(layout.entityNumbers.map { ($0.name, $0.number) }) { first, _ in first })
  }

  private init(_ hierarchy: EntityHierarchy, in database: Database, path: String) throws {
    (self.hierarchy, self.database, self.path) = (hierarchy, database, path)
    snapshot = try StoreSnapshot(reading: database, counting: false)
    bound = BoundLayout(of: hierarchy, to: snapshot)
  }

  /// The kinds of findings that can be repaired, at least in part.
  package static let kinds: Set<StoreFinding.Kind> = [
    .staleIndex, .schema, .unknownEntity, .danglingReference, .primaryKeyMaximum,
  ]

  /// Returns the remedy for a store's errors.
  ///
  /// - Parameter isRepaired: true if the findings are those that a repair left.
  /// - Returns: nil if neither a repair nor a new store changes anything: there is no error, or all are in values.
  package static func remedy(for findings: [StoreFinding], isRepaired: Bool) -> Remedy? {
    // A property is named only if its join table has another name than in Core Data; that cannot be repaired.
    let errors = findings.filter { $0.severity == .error && !($0.kind == .schema && $0.property != nil) }
    let kinds = Set(errors.map(\.kind))
    if !isRepaired, !kinds.contains(.damage), !kinds.isDisjoint(with: Self.kinds) { return .repair }
    return kinds.isDisjoint(with: [.damage, .schema, .staleIndex]) ? nil : .rescue
  }

  /// A remedy for a store with errors.
  package enum Remedy {
    /// Repair the store in place.
    case repair
    /// Copy the readable rows into a new store.
    case rescue
  }

  /// Repairs a store in the open transaction.
  ///
  /// - Parameters:
  ///   - findings: the findings of the store; only their kinds are repaired.
  ///   - path: the store's path.
  /// - Returns: the repairs. Verify the store again to get the remaining findings.
  /// - Throws: `DatabaseError`.
  package static func mend(
    _ findings: [StoreFinding], of hierarchy: EntityHierarchy, in database: Database, path: String
  ) throws -> [StoreMending] {
    let kinds = Set(findings.map(\.kind))
    guard !kinds.contains(.damage), !kinds.isDisjoint(with: Self.kinds) else { return [] }
    var mender = try StoreMender(hierarchy, in: database, path: path)
    // An index that is still wrong would lead to changes of rows that are right.
    guard try mender.mendIndexes() else { return mender.mended }
    if kinds.contains(.schema) || kinds.contains(.unknownEntity) { try mender.mendNumbers() }
    if kinds.contains(.schema) { try mender.mendTables() }
    if kinds.contains(.danglingReference) { try mender.mendLinks() }
    if kinds.contains(.schema) { try mender.mendIndexesAndTriggers() }
    try mender.mendHighestKeys()
    return mender.mended
  }

  /// Reads the schema again after a change.
  private mutating func readSchema() throws {
    snapshot = try StoreSnapshot(reading: database, counting: false)
    bound = BoundLayout(of: hierarchy, to: snapshot)
  }

  /// Runs `work`, and reverts it if the rows do not allow it.
  ///
  /// - Returns: false if the work was reverted.
  private func attempt(_ work: () throws -> Void) throws -> Bool {
    try database.execute(sql: "SAVEPOINT modelctl_mending")
    do {
      try work()
      try database.execute(sql: "RELEASE modelctl_mending")
      return true
    } catch {
      try database.execute(sql: "ROLLBACK TO modelctl_mending; RELEASE modelctl_mending")
      switch error {
      case StoreError.staleIndexes: return false
      case let error as DatabaseError where [.SQLITE_CONSTRAINT, .SQLITE_ERROR].contains(error.resultCode): return false
      default: throw error
      }
    }
  }

  /// Rebuilds stale indexes.
  ///
  /// - Returns: false if one of them cannot be rebuilt.
  private mutating func mendIndexes() throws -> Bool {
    var isWhole = true
    for index in try IndexCheck.stale(in: database) {
      if try attempt({ try IndexCheck.rebuild([index], in: database, path: path) }) {
        mended.append(.init(.staleIndex, "the index \(index.name) was rebuilt from the rows of \(index.table)"))
      } else {
        isWhole = false
      }
    }
    return isWhole
  }

  // MARK: Z_PRIMARYKEY

  /// The rows of Z_PRIMARYKEY for an entity; a sound store has exactly one.
  private func numbers(of entity: String) -> [Int] { snapshot.entityRows.filter { $0.name == entity }.map(\.number) }

  private var hasNumbers: Bool {
    let columns = snapshot.tables.first { $0.name == "Z_PRIMARYKEY" }?.columns.map(\.name) ?? []
    return Set(columns).isSuperset(of: ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"])
  }

  private mutating func mendNumbers() throws {
    guard hasNumbers else { return }
    try mendNumbersOfRows()
    try mendMissingNumbers()
    for entity in hierarchy.numberedEntities {
      let superentity = entity.superentityName
      let expected = superentity.map { numbers(of: $0) } ?? [0]
      guard expected.count == 1, numbers(of: entity.name).count == 1,
        let row = snapshot.entityRows.first(where: { $0.name == entity.name }), row.superentityNumber != expected[0]
      else { continue }
      try database.execute(
        sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = ? WHERE Z_NAME = ?", arguments: [expected[0], entity.name])
      mended.append(.init(.schema, "entity \(entity.name) now has the parent number \(expected[0])"))
    }
    try readSchema()
  }

  /// Sets the number of an entity that is alone in its table to the number of all its rows, if no other entity has that
  /// number.
  private mutating func mendNumbersOfRows() throws {
    for table in layout.tables {
      guard case .hierarchy(let root) = table.content, hierarchy.family(of: root).count == 1, has(table.name),
        let known = numbers(of: root).first, numbers(of: root).count == 1
      else { continue }
      let found = try Row.fetchAll(
        database, sql: "SELECT DISTINCT Z_ENT FROM \(SQLIdentifier(table.name)) NOT INDEXED LIMIT 2")
      guard found.count == 1, let number = found[0].integer(0).map(Int.init), number > 0, number != known,
        !snapshot.entityRows.contains(where: { $0.number == number })
      else { continue }
      try database.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_ENT = ? WHERE Z_NAME = ?", arguments: [number, root])
      mended.append(.init(.unknownEntity, "entity \(root) now has the number \(number), which its rows use"))
    }
    try readSchema()
  }

  /// Adds missing entities with the number of a new store, if all other entities have the numbers of a new store.
  private mutating func mendMissingNumbers() throws {
    let fresh = SQLStoreLayout(of: hierarchy).entityNumbers
    // A row may still have the name that an entity had before.
    let missing = fresh.filter { bound.deviations.contains(.missingEntity(name: $0.name)) }
    guard !missing.isEmpty,
      fresh.allSatisfy({ entity in numbers(of: entity.name).allSatisfy { $0 == entity.number } })
    else { return }
    for entity in missing where !snapshot.entityRows.contains(where: { $0.number == entity.number }) {
      try database.execute(
        sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
        arguments: [entity.number, entity.name, entity.superentityNumber])
      mended.append(
        .init(.schema, "entity \(entity.name) now has a row in Z_PRIMARYKEY, with the number \(entity.number)"))
    }
    try readSchema()
  }

  /// Gives every root at least the highest key of its table.
  private mutating func mendHighestKeys() throws {
    guard hasNumbers else { return }
    for table in layout.tables {
      guard case .hierarchy(let root) = table.content, has(table.name), numbers(of: root).count == 1,
        let highest = try Row.fetchOne(
          database, sql: "SELECT MAX(Z_PK) FROM \(SQLIdentifier(table.name)) NOT INDEXED")?.integer(0)
      else { continue }
      try database.execute(
        sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ? AND (Z_MAX IS NULL OR Z_MAX < ?)",
        arguments: [highest, root, highest])
      guard database.changesCount > 0 else { continue }
      mended.append(.init(.primaryKeyMaximum, "Z_MAX of \(root) is \(highest) now"))
    }
  }

  // MARK: Schema

  private func has(_ table: String) -> Bool {
    snapshot.tables.contains { $0.name.uppercased() == table.uppercased() }
  }

  /// Creates the missing tables that never had a row: those of entities without used keys, and join tables between
  /// entities without objects.
  private mutating func mendTables() throws {
    var isChanged = false
    let fresh = fresh
    for table in fresh.tables where bound.deviations.contains(.missingTable(table.name)) {
      // A guessed name must not be used for a repair.
      if fresh.selfJoins.contains(where: { $0.table == table.name && $0.evidence == .guess }) { continue }
      guard try isEmpty(table), try attempt({ try database.execute(sql: table.createStatement) }) else { continue }
      mended.append(.init(.schema, "created table \(table.name), which was missing and never had a row"))
      isChanged = true
    }
    if isChanged { try readSchema() }
  }

  private func isEmpty(_ table: SQLTable) throws -> Bool {
    switch table.content {
    case .hierarchy(let root):
      let rows = snapshot.entityRows.filter { $0.name == root }
      return rows.count == 1 && rows[0].maximumPrimaryKey == 0
    case .join(let address):
      let destination = hierarchy.allRelationships(of: address.entity)[address.property]?.property.destinationEntityName
      return try [address.entity, destination].contains { entity in
        guard let target = entity.flatMap({ fresh.table(ofEntity: $0) }) else { return false }
        guard has(target.name) else { return try isEmpty(target) }
        return try Row.fetchOne(database, sql: "SELECT 1 FROM \(SQLIdentifier(target.name)) NOT INDEXED LIMIT 1") == nil
      }
    }
  }

  private mutating func mendIndexesAndTriggers() throws {
    for case .missingIndex(let index) in bound.deviations where has(index.table) {
      guard try attempt({ try database.execute(sql: index.createStatement) }) else { continue }
      mended.append(.init(.schema, "created the missing index \(index.name)"))
    }
    // SQLite does not check that the tables and columns of a trigger exist.
    let fresh = fresh
    guard !bound.deviations.contains(where: \.isAboutNames) else { return }
    for case .missingSpatialIndex(let name) in bound.deviations {
      guard let index = fresh.spatialIndexes.first(where: { $0.name == name }), has(index.table),
        try attempt({ for sql in [index.sql, index.fillStatement] { try database.execute(sql: sql) } })
      else { continue }
      mended.append(.init(.schema, "R-tree table \(name) was missing and was made from the rows of \(index.table)"))
    }
    var isDerivedAnew = false
    for case .missingTrigger(let name, let table) in bound.deviations {
      guard let trigger = fresh.triggers.first(where: { $0.name == name }), has(table),
        try attempt({ try database.execute(sql: trigger.sql) })
      else { continue }
      mended.append(.init(.schema, "created the missing trigger \(name)"))
      isDerivedAnew = true
    }
    guard isDerivedAnew else { return }
    for sql in DerivedAttributeTriggerBuilder.refreshStatements(hierarchy: hierarchy, layout: fresh) {
      _ = try attempt { try database.execute(sql: sql) }
    }
  }

  // MARK: Links

  private mutating func mendLinks() throws {
    for part in try DanglingLinks.remove(in: database, of: hierarchy).parts {
      let links = part.count == 1 ? "1 dangling link" : "\(part.count) dangling links"
      let done = part.isOfJoinTable ? "removed" : "emptied"
      mended.append(.init(.danglingReference, count: part.count, "\(part.relationship): \(links), \(done)"))
    }
  }
}

extension LayoutDifference {
  /// True if a table or a column is missing or has another name than in a new store.
  fileprivate var isAboutNames: Bool {
    switch self {
    case .missingTable, .missingColumn, .columnName, .joinTableName: true
    default: false
    }
  }
}
