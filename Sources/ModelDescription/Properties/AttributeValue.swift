public import Foundation

/// A value of an attribute, such as a default or a bound of its validation.
public enum AttributeValue: Hashable, Sendable {
  case integer(Int64)
  case decimal(Decimal)
  case double(Double)
  case string(String)
  case boolean(Bool)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case binary(Data)
  case uuid(UUID)
  case uri(String)
}

extension AttributeValue {
  /// Compares values as SQLite stores them: texts are equal where their bytes are, “é” of one character and “é” of two not.
  public static func == (first: AttributeValue, second: AttributeValue) -> Bool {
    switch (first, second) {
    case (.integer(let one), .integer(let two)): one == two
    case (.decimal(let one), .decimal(let two)): one == two
    case (.double(let one), .double(let two)): one == two
    case (.string(let one), .string(let two)): HashedText(one) == HashedText(two)
    case (.boolean(let one), .boolean(let two)): one == two
    case (.date(let one), .date(let two)): one == two
    case (.binary(let one), .binary(let two)): one == two
    case (.uuid(let one), .uuid(let two)): one == two
    case (.uri(let one), .uri(let two)): HashedText(one) == HashedText(two)
    default: false
    }
  }
}
