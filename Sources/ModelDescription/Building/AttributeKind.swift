public import Foundation

/// The type of an attribute in code, which decides the available settings of the attribute.
public protocol AttributeKind: Sendable {
  /// Sets the type of an attribute, with the settings of the type.
  func describe(_ attribute: inout AttributeDescription)
}

extension AttributeKind where Self == IntegerKind<Int16> {
  /// Integer 16.
  public static var integer16: Self { Self(type: .integer16) }
}

extension AttributeKind where Self == IntegerKind<Int32> {
  /// Integer 32.
  public static var integer32: Self { Self(type: .integer32) }
}

extension AttributeKind where Self == IntegerKind<Int64> {
  /// Integer 64.
  public static var integer64: Self { Self(type: .integer64) }
}

extension AttributeKind where Self == FloatingPointKind {
  /// Double.
  public static var double: Self { Self(type: .double) }
  /// Float.
  public static var float: Self { Self(type: .float) }
}

extension AttributeKind where Self == DecimalKind {
  /// Decimal.
  public static var decimal: Self { Self() }
}

extension AttributeKind where Self == DateKind {
  /// Date.
  public static var date: Self { Self() }
}

extension AttributeKind where Self == StringKind {
  /// String.
  public static var string: Self { Self() }
}

extension AttributeKind where Self == BooleanKind {
  /// Boolean.
  public static var boolean: Self { Self() }
}

extension AttributeKind where Self == BinaryKind {
  /// Binary data.
  public static var binary: Self { Self() }
}

extension AttributeKind where Self == UUIDKind {
  /// UUID.
  public static var uuid: Self { Self() }
}

extension AttributeKind where Self == URIKind {
  /// URI.
  public static var uri: Self { Self() }
}

extension AttributeKind where Self == TransformableKind {
  /// Transformable, with Core Data's own transformer.
  public static var transformable: Self { Self(className: nil, transformer: nil) }

  /// Transformable.
  ///
  /// - Parameter transformer: the name of the value transformer (default: Core Data's own).
  public static func transformable(class className: String? = nil, transformer: String? = nil) -> Self {
    Self(className: className, transformer: transformer)
  }
}

extension AttributeKind where Self == CompositeKind {
  /// The composite type of this name.
  public static func composite(_ name: String) -> Self { Self(name: name) }

  /// A composite type, which the model must contain.
  public static func composite(_ composite: Composite) -> Self { Self(name: composite.name) }
}

extension AttributeKind where Self == OpaqueKind {
  /// No type, as transient attributes may have.
  public static var undefined: Self { Self(type: .undefined) }
  /// Object ID.
  public static var objectID: Self { Self(type: .objectID) }
  /// A type of a model file that this library does not know; its entity does not have a hash.
  public static func unrecognized(_ name: String) -> Self { Self(type: .unrecognized(name)) }
}

/// A type of attributes that can have a default.
public protocol ValuedAttributeKind: AttributeKind {
  /// The Swift type of defaults and bounds.
  associatedtype Value: Sendable

  /// A value as models contain it.
  static func attributeValue(_ value: Value) -> AttributeValue
}

/// A type of attributes whose values can have bounds.
public protocol BoundedAttributeKind: ValuedAttributeKind {}

/// A type of attributes whose large values can be in files beside the store.
public protocol ExternallyStorableAttributeKind: AttributeKind {}

/// Integers of 16, 32 or 64 bits.
public struct IntegerKind<Value: FixedWidthInteger & SignedInteger & Sendable>: BoundedAttributeKind {
  let type: AttributeType
  /// Sets the type of an attribute.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = type }
  /// The integer as 64 bits.
  public static func attributeValue(_ value: Value) -> AttributeValue { .integer(Int64(clamping: value)) }
}

/// Floating-point numbers; both precisions have defaults of type `Double`, as model files do.
public struct FloatingPointKind: BoundedAttributeKind {
  let type: AttributeType
  /// Sets the type of an attribute.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = type }
  /// The number itself.
  public static func attributeValue(_ value: Double) -> AttributeValue { .double(value) }
}

/// Decimal numbers.
public struct DecimalKind: BoundedAttributeKind {
  /// Sets the type of an attribute.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .decimal }
  /// The number itself.
  public static func attributeValue(_ value: DecimalConstant) -> AttributeValue { .decimal(value.decimal) }
}

/// Dates.
public struct DateKind: BoundedAttributeKind {
  /// Sets the type of an attribute.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .date }
  /// The seconds since 2001.
  public static func attributeValue(_ value: Date) -> AttributeValue { .date(value.timeIntervalSinceReferenceDate) }
}

/// Texts.
public struct StringKind: ValuedAttributeKind {
  /// Sets the type of an attribute.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .string }
  /// The text itself.
  public static func attributeValue(_ value: String) -> AttributeValue { .string(value) }
}

/// Booleans.
public struct BooleanKind: ValuedAttributeKind {
  /// Sets the type of an attribute.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .boolean }
  /// The Boolean itself.
  public static func attributeValue(_ value: Bool) -> AttributeValue { .boolean(value) }
}

/// Binary data.
public struct BinaryKind: ValuedAttributeKind, ExternallyStorableAttributeKind {
  /// Sets the type of an attribute.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .binary }
  /// The bytes themselves.
  public static func attributeValue(_ value: Data) -> AttributeValue { .binary(value) }
}

/// UUIDs.
public struct UUIDKind: ValuedAttributeKind {
  /// Sets the type of an attribute.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .uuid }
  /// The UUID itself.
  public static func attributeValue(_ value: UUID) -> AttributeValue { .uuid(value) }
}

/// URIs; their defaults are written as text.
public struct URIKind: ValuedAttributeKind {
  /// Sets the type of an attribute.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .uri }
  /// The text itself.
  public static func attributeValue(_ value: String) -> AttributeValue { .uri(value) }
}

/// Objects that a transformer converts to data.
public struct TransformableKind: ExternallyStorableAttributeKind {
  let className: String?
  let transformer: String?
  /// Sets the type of an attribute, the class of its values and their transformer.
  public func describe(_ attribute: inout AttributeDescription) {
    attribute.type = .transformable
    attribute.valueClassName = className
    attribute.valueTransformerName = transformer
  }
}

/// Groups of attributes that are stored together.
public struct CompositeKind: AttributeKind {
  let name: String
  /// Sets the type of an attribute; its elements are added when the model is made.
  public func describe(_ attribute: inout AttributeDescription) {
    attribute.type = .composite
    attribute.compositeName = name
  }
}

/// Types without values in a model.
public struct OpaqueKind: AttributeKind {
  let type: AttributeType
  /// Sets the type of an attribute.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = type }
}

/// A decimal number in code, with exactly the written digits.
///
/// A literal such as `19.99` is read by its digits, up to fifteen of them, and not as the nearest binary number.
/// Write longer numbers as text: `DecimalConstant("12345678901234567.89")`.
public struct DecimalConstant: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// The number.
  public let decimal: Decimal

  /// Takes a number.
  public init(_ decimal: Decimal) { self.decimal = decimal }

  /// Takes an integer.
  public init(integerLiteral value: Int64) { decimal = Decimal(value) }

  /// Takes a number by the shortest text that represents it.
  public init(floatLiteral value: Double) { decimal = Decimal(string: "\(value)") ?? Decimal(value) }

  /// Takes digits with a point; nil if the text is not a number.
  public init?(_ text: String) {
    guard Double(text) != nil, let decimal = Decimal(string: text) else { return nil }
    self.decimal = decimal
  }
}
