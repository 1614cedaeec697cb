public import Foundation
public import ModelDescription

/// A value that an attribute of a generated struct can have.
public protocol StoredValue: Hashable, Sendable {
  /// Creates the value from the value of an attribute; nil if the type cannot represent it.
  init?(storedValue: AttributeValue)

  /// The value of an attribute.
  var storedValue: AttributeValue { get }
}

/// A whole number type.
public protocol StoredInteger: StoredValue, BinaryInteger {}

extension StoredInteger {
  /// Creates the value from a whole number that fits.
  public init?(storedValue: AttributeValue) {
    guard case .integer(let number) = storedValue else { return nil }
    self.init(exactly: number)
  }

  /// The number.
  public var storedValue: AttributeValue { .integer(Int64(self)) }
}

extension Int16: StoredInteger {}
extension Int32: StoredInteger {}
extension Int64: StoredInteger {}

extension Double: StoredValue {
  /// Creates the value from a number.
  public init?(storedValue: AttributeValue) {
    guard case .double(let number) = storedValue else { return nil }
    self = number
  }

  /// The number.
  public var storedValue: AttributeValue { .double(self) }
}

extension Float: StoredValue {
  /// Creates the value from a number, rounded to the nearest.
  public init?(storedValue: AttributeValue) {
    guard case .double(let number) = storedValue else { return nil }
    self.init(number)
  }

  /// The number.
  public var storedValue: AttributeValue { .double(Double(self)) }
}

extension Decimal: StoredValue {
  /// Creates the value from an exact number.
  public init?(storedValue: AttributeValue) {
    guard case .decimal(let number) = storedValue else { return nil }
    self = number
  }

  /// The number.
  public var storedValue: AttributeValue { .decimal(self) }
}

extension String: StoredValue {
  /// Creates the value from a text.
  public init?(storedValue: AttributeValue) {
    guard case .string(let text) = storedValue else { return nil }
    self = text
  }

  /// The text.
  public var storedValue: AttributeValue { .string(self) }
}

extension Bool: StoredValue {
  /// Creates the value from a truth value.
  public init?(storedValue: AttributeValue) {
    guard case .boolean(let flag) = storedValue else { return nil }
    self = flag
  }

  /// The truth value.
  public var storedValue: AttributeValue { .boolean(self) }
}

extension Date: StoredValue {
  /// Creates the value from a date.
  public init?(storedValue: AttributeValue) {
    guard case .date(let seconds) = storedValue else { return nil }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  /// The moment.
  public var storedValue: AttributeValue { .date(timeIntervalSinceReferenceDate) }
}

extension UUID: StoredValue {
  /// Creates the value from a UUID.
  public init?(storedValue: AttributeValue) {
    guard case .uuid(let uuid) = storedValue else { return nil }
    self = uuid
  }

  /// The identifier.
  public var storedValue: AttributeValue { .uuid(self) }
}

extension URL: StoredValue {
  /// Creates the value from a valid URI.
  public init?(storedValue: AttributeValue) {
    guard case .uri(let text) = storedValue else { return nil }
    self.init(string: text)
  }

  /// The address.
  public var storedValue: AttributeValue { .uri(absoluteString) }
}

extension Data: StoredValue {
  /// Creates the value from bytes.
  public init?(storedValue: AttributeValue) {
    guard case .binary(let data) = storedValue else { return nil }
    self = data
  }

  /// The bytes.
  public var storedValue: AttributeValue { .binary(self) }
}
