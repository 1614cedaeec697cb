import MappingModels
import MigrationSQL
import PersistentStores

/// Where the value of a destination column comes from, for the rows of one entity.
struct ColumnOrigin: Hashable {
  /// The value's beginning.
  enum Base: Hashable {
    /// The column has no meaning for these rows, or starts empty.
    case nothing
    /// One value for every row.
    case constant(SQLValue)
    /// A column of the same row in the source table.
    case column(String)
    /// Links that are written when all rows are in place.
    case later
  }

  /// What happens to the value on the way.
  enum Conversion: Hashable {
    /// A step of the mapping.
    case attribute(AttributeMapping.Step)
    /// An entity number of the source becomes that of the destination.
    case entityNumber([Int: Int])
    /// Any value becomes this number.
    case presence(Int)
    /// A number becomes one of half the size, which it would be read as anyway.
    case roundedToSingle
  }

  var base: Base
  var conversions: [Conversion] = []

  static let nothing = ColumnOrigin(base: .nothing)
  static let later = ColumnOrigin(base: .later)

  /// The value as SQL over the source columns, each named by the closure.
  func expression(naming columnName: (String) -> String = { $0 }) -> SQLStatement {
    value(writing: { "\(name: columnName($0))" })
  }

  /// The same, each column written by the closure.
  func value(writing column: (String) -> SQLStatement) -> SQLStatement {
    let start: SQLStatement =
      switch base {
      case .nothing, .later: "NULL"
      case .constant(let value): "\(value)"
      case .column(let name): column(name)
      }
    return conversions.reduce(start) { value, conversion in
      switch conversion {
      case .attribute(let step): step.applied(to: value)
      case .presence(let number): "CASE WHEN \(value) IS NOT NULL THEN \(.number(number)) END"
      case .roundedToSingle: "modelctl_single(\(value))"
      case .entityNumber(let numbers): Self.renumbered(value, numbers)
      }
    }
  }

  /// A number translated by a table; numbers outside it stay.
  static func renumbered(_ value: SQLStatement, _ numbers: [Int: Int]) -> SQLStatement {
    let changes = numbers.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
    guard !changes.isEmpty else { return value }
    let cases = changes.map { "WHEN \(.number($0.key)) THEN \(.number($0.value))" as SQLStatement }
    return "CASE \(value) \(cases.joined(" ")) ELSE \(value) END"
  }
}
