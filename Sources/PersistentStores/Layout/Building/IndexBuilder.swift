import ModelDescription

/// Lays out the indexes of a store in the form of frameworks since iOS 11 and macOS 10.13.
///
/// Some frameworks create a second index for a fetch index with a single attribute. It indexes the same column and is
/// omitted.
struct IndexBuilder {
  private let hierarchy: EntityHierarchy
  private let columns: StoredColumns
  private(set) var indexes: [SQLIndex] = []
  private(set) var spatialIndexes: [SQLSpatialIndex] = []
  private(set) var spatialTriggers: [SQLTrigger] = []
  private(set) var warnings: [LayoutWarning] = []

  init(hierarchy: EntityHierarchy, tables: [SQLTable]) {
    self.hierarchy = hierarchy
    self.columns = StoredColumns(hierarchy: hierarchy, tables: tables)
  }

  /// Adds the indexes of a root entity's table and of the join tables its family names.
  mutating func addIndexes(of table: SQLTable, family: [EntityDescription], joinTables: [SQLTable]) {
    for column in table.columns {
      switch column.role {
      case .toOne, .toManyOwner:
        indexes.append(SQLIndex(on: table.name, columns: [column.name], namedAfter: column.name))
      default: break
      }
    }
    indexes += joinTables.compactMap { SQLIndex(ofJoin: $0) }
    if family.count > 1 {
      indexes.append(SQLIndex(on: table.name, columns: ["Z_ENT"], namedAfter: "Z_ENT"))
    }
    for entity in family { addFetchIndexes(of: entity, table: table.name) }
    for entity in family { addUniqueIndexes(of: entity, table: table.name) }
  }

  private mutating func addFetchIndexes(of entity: EntityDescription, table: String) {
    for index in entity.allFetchIndexes {
      if index.elements.contains(where: { $0.kind == .rTree }) {
        addSpatialIndex(index, of: entity, table: table)
      } else {
        addFetchIndex(index, of: entity, table: table)
      }
    }
  }

  private mutating func addFetchIndex(_ index: FetchIndexDescription, of entity: EntityDescription, table: String) {
    guard let found = indexColumns(of: index, entity: entity) else { return }
    if found.count == 1, let only = found.first, case .toOne = only.role { return }
    var condition: String?
    if let predicate = index.partialIndexPredicate, !predicate.isEmpty {
      condition = PartialIndexCondition(predicate) { columns.column(of: $0, in: entity.name)?.name }?.sql
      guard condition != nil else {
        warnings.append(.untranslatedPredicate(entity: entity.name, index: index.name, predicate: predicate))
        return
      }
    }
    indexes.append(
      SQLIndex(
        name: "Z_\(entity.name)_\(index.name)",
        table: table,
        columns: zip(found, index.elements).map { column, element in
          SQLIndex.Column(name: column.name, isAscending: element.isAscending, saysCollation: true)
        },
        condition: condition
      )
    )
  }

  private mutating func addSpatialIndex(_ index: FetchIndexDescription, of entity: EntityDescription, table: String) {
    guard let found = indexColumns(of: index, entity: entity) else { return }
    let builder = SpatialIndexBuilder(
      name: "Z_RT_\(entity.name)_\(index.name)", table: table, columns: found.map(\.name))
    spatialIndexes.append(builder.index)
    spatialTriggers += builder.triggers
  }

  private mutating func addUniqueIndexes(of entity: EntityDescription, table: String) {
    for constraint in entity.uniquenessConstraints where !constraint.isEmpty {
      let name = "Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_"))"
      let found = constraint.map { ($0, columns.column(of: $0, in: entity.name)) }
      if let missing = found.first(where: { $0.1 == nil }) {
        warnings.append(.untranslatedIndex(entity: entity.name, index: name, element: missing.0))
        continue
      }
      indexes.append(
        SQLIndex(
          name: name,
          table: table,
          columns: found.compactMap { $0.1 }.map { SQLIndex.Column(name: $0.name, saysCollation: true) },
          isUnique: true
        )
      )
    }
  }

  /// The columns of a fetch index; nil, with a warning, if an element is not a column.
  private mutating func indexColumns(of index: FetchIndexDescription, entity: EntityDescription) -> [SQLColumn]? {
    var found: [SQLColumn] = []
    for element in index.elements {
      let name =
        switch element.subject {
        case .property(let name), .expression(let name): name
        }
      guard let column = indexColumn(name, entity: entity) else {
        warnings.append(.untranslatedIndex(entity: entity.name, index: index.name, element: name))
        return nil
      }
      found.append(column)
    }
    return found.isEmpty ? nil : found
  }

  private func indexColumn(_ name: String, entity: EntityDescription) -> SQLColumn? {
    if let column = columns.column(of: name, in: entity.name) { return column }
    switch name {
    case "self", "SELF": return SQLColumn(name: "Z_PK", type: .integerPrimaryKey, role: .primaryKey)
    case "entity": return SQLColumn(name: "Z_ENT", type: .integer, role: .entityNumber)
    default: return nil
    }
  }
}

extension SQLIndex {
  /// Creates the index of a join table: its second side, then its first.
  init?(ofJoin table: SQLTable) {
    let sides = table.primaryKeyColumns.map(\.name)
    guard let second = sides.last else { return nil }
    self.init(on: table.name, columns: sides.reversed(), namedAfter: second)
  }

  /// Creates one of the indexes that every store has, named after a column.
  init(on table: String, columns: [String], namedAfter column: String) {
    self.init(name: "\(table)_\(column)_INDEX", table: table, columns: columns.map { SQLIndex.Column(name: $0) })
  }
}

/// Lays out the R-tree table of a spatial index and its triggers.
///
/// The table's columns and the triggers' names are those of Core Data; the triggers' bodies are those of modelctl.
struct SpatialIndexBuilder {
  let name: String
  let table: String
  let columns: [String]

  /// The R-tree table.
  var index: SQLSpatialIndex {
    let bounds = columns.flatMap { ["\($0)_MIN", "\($0)_MAX"] }
      .map { "\(SQLIdentifier($0).asCoreDataWrites) FLOAT" }.joined(separator: ", ")
    return SQLSpatialIndex(
      name: name, table: table, columns: columns,
      sql: "CREATE VIRTUAL TABLE \(SQLIdentifier(name).asCoreDataWrites) USING RTREE "
        + "(Z_PK INTEGER PRIMARY KEY, \(bounds))"
    )
  }

  /// The triggers; a row with an absent coordinate is not in the index.
  var triggers: [SQLTrigger] {
    let quotedTable = SQLIdentifier(table).asCoreDataWrites
    let quotedName = SQLIdentifier(name).asCoreDataWrites
    let quotedColumns = columns.map { SQLIdentifier($0).asCoreDataWrites }
    let values = quotedColumns.flatMap { ["NEW.\($0)", "NEW.\($0)"] }.joined(separator: ", ")
    let isComplete = quotedColumns.map { "NEW.\($0) NOT NULL" }.joined(separator: " AND ")
    let insertion = "INSERT INTO \(quotedName) SELECT NEW.Z_PK, \(values) WHERE \(isComplete);"
    let deletion = "DELETE FROM \(quotedName) WHERE Z_PK = OLD.Z_PK;"
    let update = "UPDATE OF \((["Z_PK"] + quotedColumns).joined(separator: ", "))"
    return [
      ("INSERT", "INSERT", insertion), ("UPDATE", update, "\(deletion) \(insertion)"), ("DELETE", "DELETE", deletion),
    ]
    .map { suffix, event, body in
      let trigger = "\(name)_\(suffix)"
      return SQLTrigger(
        name: trigger, table: table,
        sql: "CREATE TRIGGER \(SQLIdentifier(trigger).asCoreDataWrites) AFTER \(event) ON \(quotedTable) "
          + "FOR EACH ROW BEGIN \(body) END"
      )
    }
  }
}

/// The SQL condition of a partial index, translated from its predicate.
///
/// Understood are comparisons of an attribute with a number, a truth value, a text or nil, joined by AND. Core Data's
/// own SQL for these was never seen; an untranslated predicate is better left out than guessed.
struct PartialIndexCondition {
  let sql: String

  /// Translates a predicate with the columns of its attributes; nil if it is not supported.
  init?(_ predicate: String, column: (String) -> String?) {
    guard predicate.utf8.count <= 4096, let tokens = Self.tokens(of: predicate) else { return nil }
    var conditions: [String] = []
    for comparison in tokens.split(omittingEmptySubsequences: false, whereSeparator: \.isConjunction) {
      let parts = Array(comparison)
      guard parts.count == 3, case .word(let name) = parts[0], let column = column(name),
        case .comparison(let comparison) = parts[1],
        let condition = Self.condition(column: SQLIdentifier(column).asCoreDataWrites, comparison, parts[2])
      else { return nil }
      conditions.append(condition)
    }
    sql = conditions.joined(separator: " AND ")
  }

  private static func condition(column: String, _ comparison: String, _ value: Token) -> String? {
    guard let sqlOperator = operators[comparison] else { return nil }
    switch value {
    case .word(let word):
      switch word.uppercased() {
      case "NIL", "NULL":
        switch sqlOperator {
        case "=": return "\(column) IS NULL"
        case "<>": return "\(column) IS NOT NULL"
        default: return nil
        }
      case "YES", "TRUE": return "\(column) \(sqlOperator) \(SQLLiteral.integer(1).sql)"
      case "NO", "FALSE": return "\(column) \(sqlOperator) \(SQLLiteral.integer(0).sql)"
      default: return nil
      }
    case .literal(let literal): return "\(column) \(sqlOperator) \(literal.sql)"
    case .comparison: return nil
    }
  }

  private static let operators = [
    "=": "=", "==": "=", "!=": "<>", "<>": "<>", "<": "<", "<=": "<=", "=<": "<=", ">": ">", ">=": ">=", "=>": ">=",
  ]

  private enum Token {
    case word(String)
    case comparison(String)
    case literal(SQLLiteral)

    var isConjunction: Bool {
      switch self {
      case .word(let word): word.uppercased() == "AND"
      case .comparison(let text): text == "&&"
      case .literal: false
      }
    }
  }

  private static func tokens(of predicate: String) -> [Token]? {
    var tokens: [Token] = []
    var rest = Substring(predicate)
    while let first = rest.first {
      if first.isWhitespace {
        rest = rest.dropFirst()
      } else if first == "\"" || first == "'" {
        rest = rest.dropFirst()
        let text = rest.prefix { $0 != first }
        guard !text.contains("\\"), text.endIndex < rest.endIndex else { return nil }
        tokens.append(.literal(.text(String(text))))
        rest = rest[text.endIndex...].dropFirst()
      } else if "=!<>&".contains(first) {
        let text = rest.prefix { "=!<>&".contains($0) }
        tokens.append(.comparison(String(text)))
        rest = rest[text.endIndex...]
      } else {
        let text = rest.prefix { $0.isLetter || $0.isNumber || "_.-+".contains($0) }
        guard !text.isEmpty else { return nil }
        tokens.append(token(ofWord: String(text)))
        rest = rest[text.endIndex...]
      }
    }
    return tokens.isEmpty ? nil : tokens
  }

  private static func token(ofWord word: String) -> Token {
    if let integer = Int64(word) { return .literal(.integer(integer)) }
    if word.first.map({ $0.isNumber || "-+.".contains($0) }) == true, let real = Double(word), real.isFinite {
      return .literal(.real(real))
    }
    return .word(word)
  }
}
