import ModelDescription

extension SQLDialect {
  /// The type of keys.
  var keyType: String { self == .sqlite ? "INTEGER" : "bigint" }

  /// The type of an attribute's column.
  func type(of type: AttributeType) -> String {
    switch (self, type) {
    case (.sqlite, .integer16), (.sqlite, .integer32), (.sqlite, .integer64), (.sqlite, .boolean): "INTEGER"
    case (.sqlite, .double), (.sqlite, .float): "REAL"
    // Its affinity keeps texts and numbers as they are.
    case (.sqlite, .date): "TIMESTAMP"
    case (.sqlite, .binary), (.sqlite, .transformable): "BLOB"
    case (.sqlite, _): "TEXT"
    case (.postgresql, .integer16): "smallint"
    case (.postgresql, .integer32): "integer"
    case (.postgresql, .integer64): "bigint"
    case (.postgresql, .boolean): "boolean"
    // The store keeps numbers of the type Float as doubles, too.
    case (.postgresql, .double), (.postgresql, .float): Self.double
    case (.postgresql, .decimal): "numeric"
    case (.postgresql, .date): "timestamptz"
    case (.postgresql, .uuid): "uuid"
    case (.postgresql, .binary), (.postgresql, .transformable): "bytea"
    case (.postgresql, _): "text"
    }
  }

  /// PostgreSQL's type of doubles.
  static let double = "double precision"

  /// The narrowest type of whole numbers that is at least as wide as an attribute's and holds some numbers.
  func type(of type: AttributeType, from least: Int64, to greatest: Int64) -> String {
    guard self == .postgresql else { return self.type(of: type) }
    if type == .integer16, Int16(exactly: least) != nil, Int16(exactly: greatest) != nil { return "smallint" }
    if type != .integer64, Int32(exactly: least) != nil, Int32(exactly: greatest) != nil { return "integer" }
    return "bigint"
  }

  /// The moments that PostgreSQL's timestamptz has, in seconds since 2001.
  static let moments = -211_845_110_400.0..<9_223_339_708_800.0
  /// How many bytes the texts of an index of PostgreSQL may have together.
  static let longestKey = 2000
}
