/// A name in SQL text: the only way a table, column, index or trigger name gets into a statement.
public struct SQLIdentifier: Hashable, Sendable {
  /// The name itself, unquoted.
  public let name: String

  /// Takes any name, hostile ones included.
  public init(_ name: String) { self.name = name }

  /// The name in double quotes, its own doubled.
  public var quoted: String {
    "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }

  /// The name as Core Data writes it: bare when it is a plain identifier, else quoted.
  ///
  /// Every name Core Data makes begins with `Z`, so that none is a keyword of SQL; a plain name of another first letter
  /// is quoted.
  public var asCoreDataWrites: String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain && (name.hasPrefix("Z") || name == SQLColumn.reflexiveName) ? name : quoted
  }
}

extension SQLIdentifier: CustomStringConvertible {
  /// The quoted name, so that an interpolation into SQL text is safe.
  public var description: String { quoted }
}

/// A constant inside a statement that takes no bindings, such as the condition of a partial index.
enum SQLLiteral: Hashable {
  case integer(Int64)
  case real(Double)
  case text(String)

  var sql: String {
    switch self {
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): "'\(value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
    }
  }
}
