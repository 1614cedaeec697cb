import ModelDescription

extension RowCheckPlan {
  /// Whether the values of an attribute are stored as its type is: numbers as numbers, text as text, data as bytes.
  ///
  /// SQLite orders values by how they are stored: no value, numbers, text, bytes (sqlite.org/datatype3.html, section 4.1),
  /// so that one comparison tells.
  func storageChecks(of column: SQLColumn) -> [RowCheck] {
    guard case .attribute(let address) = column.role else { return [] }
    let value = "t.\(SQLIdentifier(column.name))"
    let (condition, expected): (String, String)
    switch column.type {
    case .integerPrimaryKey: return []
    case .integer: (condition, expected) = ("\(value) >= '' OR typeof(\(value)) = 'real'", "a whole number")
    case .float, .timestamp, .decimal: (condition, expected) = ("\(value) >= ''", "a number")
    case .varchar: (condition, expected) = ("\(value) >= x''", "text")
    case .blob: (condition, expected) = ("\(value) < x''", "bytes")
    }
    return [
      RowCheck(
        condition: condition, arguments: [], kind: .storageClass, severity: .warning, entity: address.entity,
        property: address.property, columns: [column.name], sentence: "the value is not stored as \(expected)")
    ]
  }
}
