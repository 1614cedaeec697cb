package import ModelDescription

extension SQLColumn {
  /// The second column of the join table of a relationship that is its own inverse.
  static let reflexiveName = "REFLEXIVE"

  /// The three columns that begin every entity table.
  static let fixed: [SQLColumn] = [
    SQLColumn(name: "Z_PK", type: .integerPrimaryKey, role: .primaryKey),
    SQLColumn(name: "Z_ENT", type: .integer, role: .entityNumber),
    SQLColumn(name: "Z_OPT", type: .integer, role: .optimisticLock),
  ]

  /// The name of the column that orders what a column of a join table refers to: `Z_3CATEGORY` gives `Z_FOK_3CATEGORY`.
  static func orderName(forJoin column: String) -> String { "Z_FOK_\(column.dropFirst(2))" }

  /// The name of the column that orders what a to-one column refers to: `ZPARENT` gives `Z_FOK_PARENT`, the `Z_PARENT` of
  /// a relationship `_parent` gives `Z_FOK__PARENT`.
  static func orderName(forReference column: String) -> String { "Z_FOK_\(column.dropFirst())" }

  /// The name of the column that keeps the entity number of a reference: `ZQUOTE` gives `Z10_QUOTE`.
  static func companionName(for column: String, number: Int) -> String {
    "Z\(number)_\(column.hasPrefix("Z") ? String(column.dropFirst()) : column)"
  }
}

extension SQLColumn.DeclaredType {
  /// The declared type of an attribute's column, nil for a type that has none.
  ///
  /// Undefined, object ID and unrecognized attributes cannot be stored; a composite is stored by its elements.
  package init?(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: self = .integer
    case .double, .float: self = .float
    case .date: self = .timestamp
    case .decimal: self = .decimal
    case .string, .uri: self = .varchar
    case .uuid, .transformable, .binary: self = .blob
    case .undefined, .objectID, .composite, .unrecognized: return nil
    }
  }
}
