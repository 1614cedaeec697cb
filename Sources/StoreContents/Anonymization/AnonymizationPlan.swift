import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores

/// The masks of all columns of a store.
struct AnonymizationPlan {
  private(set) var tables: [TablePlan] = []
  /// The unique indexes, which are created before the rows.
  private(set) var uniqueIndexes: [String] = []
  /// The statements of the other indexes and the views.
  private(set) var laterStatements: [String] = []
  private(set) var triggers: [String] = []
  /// The statements that fill R-trees, with the statements that create them.
  private(set) var spatialStatements: [String] = []
  /// The statements that compute derived attributes.
  private(set) var derivedStatements: [SQLStatement] = []
  /// The attributes whose numbers are shifted together, by the names of groups.
  private(set) var groups: [String: ShiftGroup] = [:]

  private let store: StoreModel
  private let rules: [PropertyAddress: ResolvedRule]

  init(_ store: StoreModel, rules: AnonymizationRules, path: String, in database: Database) throws {
    self.store = store
    self.rules = try rules.resolved(in: store)
    let snapshot = try StoreSnapshot(reading: database, counting: false)
    let unique = Dictionary(grouping: snapshot.indexes.filter(\.isUnique)) { $0.table.uppercased() }
    let virtual = Set(snapshot.virtualTables.map { $0.uppercased() })
    let spatial = Dictionary(store.layout.spatialIndexes.map { ($0.name.uppercased(), $0) }) { first, _ in first }
    let hidden = Set(
      try String.fetchAll(database, sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'")
        .map { $0.uppercased() })
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
    )
    for row in rows {
      guard let type = String.fromDatabaseValue(row[0]), let name = String.fromDatabaseValue(row[1]),
        let sql = String.fromDatabaseValue(row[2]), !hidden.contains(name.uppercased()),
        !(store.keepsExactValues && name == ExactValueTable.name)
      else { continue }
      switch type {
      case "table" where virtual.contains(name.uppercased()):
        guard let index = spatial[name.uppercased()] else {
          throw AnonymizationError.virtualTable(path: path, table: name)
        }
        spatialStatements += [sql, Self.filling(index)]
      case "table": try add(name, sql, uniqueKeys: (unique[name.uppercased()] ?? []).map(\.columns), in: database)
      case "index" where snapshot.indexes.contains { $0.name == name && $0.isUnique }: uniqueIndexes.append(sql)
      case "trigger": triggers.append(sql)
      default: laterStatements.append(sql)
      }
    }
    addDerived()
  }

  private static func filling(_ index: SQLSpatialIndex) -> String {
    let columns = index.columns.map { SQLIdentifier($0).quoted }
    return """
      INSERT INTO \(SQLIdentifier(index.name)) SELECT \((["Z_PK"] + columns.flatMap { [$0, $0] }).joined(separator: ", ")) \
      FROM \(SQLIdentifier(index.table)) WHERE \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
      """
  }

  private mutating func add(_ name: String, _ sql: String, uniqueKeys: [[String]], in database: Database) throws {
    let names = try String.fetchAll(
      database, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid", arguments: [name])
    let known = store.layout.tables.first { $0.name.uppercased() == name.uppercased() }
    let unique = Set(uniqueKeys.joined().map { $0.uppercased() })
    let columns = names.map { column in
      let address = known.flatMap { attribute(of: column, in: $0) }
      return TablePlan.Column(
        name: column, mask: mask(of: column, in: name, known), isUnique: unique.contains(column.uppercased()),
        attribute: address.map { "\($0)" }, rule: address.flatMap { rules[$0] })
    }
    let holdsObjects = if case .hierarchy? = known?.content { true } else { false }
    tables.append(
      TablePlan(name: name, sql: sql, columns: columns, uniqueKeys: uniqueKeys, holdsObjects: holdsObjects))
  }

  private func attribute(of column: String, in table: SQLTable) -> PropertyAddress? {
    let found = table.columns.first { $0.name.uppercased() == column.uppercased() }
    guard case .attribute(let address)? = found?.role else { return nil }
    return address
  }

  private mutating func mask(of column: String, in table: String, _ known: SQLTable?) -> ColumnMask {
    if let known {
      guard let found = known.columns.first(where: { $0.name.uppercased() == column.uppercased() }) else {
        return ["Z_PK", "Z_ENT", "Z_OPT"].contains(column.uppercased()) ? .copy : .unknown
      }
      guard case .attribute(let address) = found.role else { return .copy }
      return mask(of: address)
    }
    switch (table.uppercased(), column.uppercased()) {
    case ("Z_PRIMARYKEY", _), ("ACHANGE", "ZCOLUMNS"): return .copy
    case ("ACHANGE", let name) where name.hasPrefix("ZTOMBSTONE"): return .empty
    case ("ATRANSACTION", "ZQUERYGEN"): return .empty
    case ("ATRANSACTION", "ZTIMESTAMP"):
      return number(group: "ATRANSACTION.ZTIMESTAMP", NumberBounds(-.infinity, .infinity, isWhole: false, isDate: true))
    default: return .unknown
    }
  }

  private mutating func mask(of address: PropertyAddress) -> ColumnMask {
    let leaves = self.leaves(at: address)
    guard let leaf = leaves.first else { return .unknown }
    switch rules[address]?.rule {
    case .keep?: return leaves.contains(where: \.allowsExternalBinaryDataStorage) ? .copyWithFiles : .copy
    case .null?: return .empty
    case .replace(let text)?:
      if let value = ReplacedValue(text, for: leaf) { return .constant(value.stored) }
    case .shift(let group?)?: return mask(of: leaves, group: group, address)
    case .mask?, .shift(nil)?, nil: break
    }
    return mask(of: leaves, group: nil, address)
  }

  private mutating func mask(
    of leaves: [AttributeDescription], group: String?, _ address: PropertyAddress
  ) -> ColumnMask {
    let isMarked = leaves[0].allowsExternalBinaryDataStorage
    let type = leaves[0].type
    switch type {
    case .boolean: return .copy
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
      var bounds: NumberBounds?
      for leaf in leaves {
        let range = NumberLimits.range(of: leaf)
        let isWhole = ![.double, .float, .date].contains(type)
        let own = NumberBounds(range.lower, range.upper, isWhole: isWhole, isDate: type == .date)
        bounds?.narrow(to: own)
        bounds = bounds ?? own
      }
      let name = group.map { "\($0) of \(type == .date ? "dates" : "numbers")" } ?? "\(address)"
      guard let bounds else { return .unknown }
      return number(group: name, bounds, isSingle: type == .float, rules[address])
    case .string:
      let patterns = Set(leaves.compactMap(\.validation.regularExpression)).sorted()
      return .text(attribute: "\(address)", patterns: patterns)
    case .uri: return .address
    case .uuid: return .uuid
    case .binary: return .bytes(isMarked: isMarked)
    case .transformable: return .archive(isMarked: isMarked)
    case .undefined, .objectID, .composite, .unrecognized: return .unknown
    }
  }

  private mutating func number(
    group: String, _ bounds: NumberBounds, isSingle: Bool = false, _ rule: ResolvedRule? = nil
  ) -> ColumnMask {
    let member = groups[group, default: ShiftGroup()].add(ShiftGroup.Member(bounds: bounds, rule: rule))
    return .number(group: group, member: member, isSingle: isSingle)
  }

  /// The attribute of a column as its entity declares it, then as subentities declare it again.
  private func leaves(at address: PropertyAddress) -> [AttributeDescription] {
    let path = address.property.split(separator: ".").map(String.init)
    return store.hierarchy.family(of: address.entity).compactMap { entity in
      guard let name = path.first, let attribute = store.hierarchy.allAttributes(of: entity.name)[name]?.property else {
        return nil
      }
      return attribute.leaves.first { $0.path == path }?.attribute
    }
  }

  private mutating func addDerived() {
    for entity in store.hierarchy.model.entities {
      for attribute in entity.attributes {
        guard let derivation = attribute.derivation, derivation.expression != "now()",
          let table = store.table(ofEntity: entity.name),
          let column = store.place(.attribute(PropertyAddress(entity: entity.name, property: attribute.name)))?.column,
          let value = DerivedValue(derivation, of: entity.name, table: table.name, in: store)
        else { continue }
        derivedStatements.append(
          """
          UPDATE \(name: table.name) SET \(name: column.name) = \(value.expression) \
          WHERE Z_ENT IN (\(.list(store.familyNumbers(of: entity.name))))
          """)
      }
    }
  }

  mutating func add(_ value: Double, to group: String, member: Int) { groups[group]?.add(value, to: member) }
}

/// The attributes whose numbers are shifted by one amount, which keeps the values of each within its limits.
struct ShiftGroup {
  struct Member {
    var bounds: NumberBounds
    /// The rule that adds the attribute to the group; nil if there is none.
    let rule: ResolvedRule?
  }

  private(set) var members: [Member] = []

  mutating func add(_ member: Member) -> Int {
    members.append(member)
    return members.count - 1
  }

  mutating func add(_ value: Double, to member: Int) { members[member].bounds.add(value) }

  /// The shift that a hash chooses.
  func shift(_ hash: UInt64) throws(AnonymizationError) -> NumberShift {
    let moved = members.filter { !$0.bounds.isEmpty }
    let all = moved.map(\.bounds)
    guard let first = all.first else { return NumberShift(amount: 0, ring: nil) }
    let least = all.reduce(first.least) { min($0, $1.least) }
    let greatest = all.reduce(first.greatest) { max($0, $1.greatest) }
    let isWhole = all.contains(where: \.isWhole)
    // Numbers that are never negative stay so.
    let floor = least >= 0 && !first.isDate ? 0 : -Double.infinity
    let wanted = first.isDate ? 63_072_000 : min(max(1000, greatest - least), 1e9)
    let down = all.reduce(-wanted) { max($0, min(max($1.lower, floor), $1.least) - $1.least) }
    let up = all.reduce(wanted) { min($0, max($1.upper, $1.greatest) - $1.greatest) }
    let share = Double(hash >> 11) / Double(1 << 53)
    var amount = down + share * (up - down)
    if isWhole || up - down > 4 { amount.round(.towardZero) }
    if amount == 0 { amount = up >= 1 ? 1 : down <= -1 ? -1 : up - down > 0 && !isWhole ? (up > 0 ? up : down) / 2 : 0 }
    if amount != 0 { return NumberShift(amount: amount, ring: nil) }
    if all.contains(where: { ($0.lower, $0.upper) != (first.lower, first.upper) }), let rule = moved.last?.rule {
      throw .noShift(path: rule.path, line: rule.line, names: moved.compactMap(\.rule?.name))
    }
    // The values fill all that is allowed: each becomes another of them.
    let (low, high) = (min(max(first.lower, floor), least), max(first.upper, greatest))
    let count = high - low + (isWhole ? 1 : 0)
    guard count > 0, count < 1e15 else { return NumberShift(amount: 0, ring: nil) }
    let turn = isWhole ? (1 + share * (count - 1)).rounded(.down) : count * (0.25 + share / 2)
    return NumberShift(amount: turn, ring: low..<(low + count))
  }
}

/// The masks of a single table.
struct TablePlan {
  let name: String
  let sql: String
  let columns: [Column]
  /// The names of the columns of each unique index.
  let uniqueKeys: [[String]]
  /// True if its rows are objects, and not links or the book-keeping of Core Data.
  let holdsObjects: Bool

  struct Column {
    let name: String
    let mask: ColumnMask
    let isUnique: Bool
    /// The attribute of the column; nil for other columns.
    let attribute: String?
    let rule: ResolvedRule?
  }

  /// The columns of the unique index named by an error; if it does not name any, the columns of all unique indexes.
  func columns(refusedBy message: String?) -> [Column] {
    let key = uniqueKeys.first { key in
      let places = key.map { "\(name).\($0)" }.joined(separator: ", ")
      return message?.uppercased() == "UNIQUE constraint failed: \(places)".uppercased()
    }
    guard let names = key?.map({ $0.uppercased() }) else { return columns.filter(\.isUnique) }
    return columns.filter { names.contains($0.name.uppercased()) }
  }
}
