/// A name in SQL text.
///
/// All names of tables, columns, indexes and triggers in statements use this type.
public struct SQLIdentifier: Hashable, Sendable {
  /// The name itself, unquoted.
  public let name: String

  /// Creates an identifier from any name, including hostile names.
  public init(_ name: String) { self.name = name }

  /// The name in double quotes, its own doubled.
  public var quoted: String {
    "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }

  /// The name as Core Data writes it: bare if it is a plain identifier, quoted if not.
  ///
  /// Names that Core Data creates begin with `Z` and are never SQL keywords. A plain name with another first letter is
  /// quoted.
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
