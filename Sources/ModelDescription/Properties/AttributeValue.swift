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
