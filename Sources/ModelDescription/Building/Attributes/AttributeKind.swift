public import Foundation

/// The type of an attribute in code, which decides what may be said about the attribute.
public protocol AttributeKind: Sendable {
  /// Gives an attribute its type, and what belongs to it.
  func describe(_ attribute: inout AttributeDescription)
}

/// A type of attributes that may have a default.
public protocol ValuedAttributeKind: AttributeKind {
  /// The Swift type of defaults and bounds.
  associatedtype Value: Sendable

  /// A value as models hold it.
  static func attributeValue(_ value: Value) -> AttributeValue
}

/// A type of attributes whose values may be bounded.
public protocol BoundedAttributeKind: ValuedAttributeKind {}

/// A type of attributes whose large values may be kept in files beside the store.
public protocol ExternallyStorableAttributeKind: AttributeKind {}

/// Integers of 16, 32 or 64 bits.
public struct IntegerKind<Value: FixedWidthInteger & SignedInteger & Sendable>: BoundedAttributeKind {
  let type: AttributeType
  /// Gives an attribute its type.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = type }
  /// The integer as 64 bits.
  public static func attributeValue(_ value: Value) -> AttributeValue { .integer(Int64(clamping: value)) }
}

/// Floating-point numbers; both precisions have defaults of type `Double`, as model files do.
public struct FloatingPointKind: BoundedAttributeKind {
  let type: AttributeType
  /// Gives an attribute its type.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = type }
  /// The number itself.
  public static func attributeValue(_ value: Double) -> AttributeValue { .double(value) }
}

/// Decimal numbers.
public struct DecimalKind: BoundedAttributeKind {
  /// Gives an attribute its type.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .decimal }
  /// The number itself.
  public static func attributeValue(_ value: DecimalConstant) -> AttributeValue { .decimal(value.decimal) }
}

/// Dates.
public struct DateKind: BoundedAttributeKind {
  /// Gives an attribute its type.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .date }
  /// The seconds since 2001.
  public static func attributeValue(_ value: Date) -> AttributeValue { .date(value.timeIntervalSinceReferenceDate) }
}

/// Texts.
public struct StringKind: ValuedAttributeKind {
  /// Gives an attribute its type.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .string }
  /// The text itself.
  public static func attributeValue(_ value: String) -> AttributeValue { .string(value) }
}

/// Booleans.
public struct BooleanKind: ValuedAttributeKind {
  /// Gives an attribute its type.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .boolean }
  /// The Boolean itself.
  public static func attributeValue(_ value: Bool) -> AttributeValue { .boolean(value) }
}

/// Binary data.
public struct BinaryKind: ValuedAttributeKind, ExternallyStorableAttributeKind {
  /// Gives an attribute its type.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .binary }
  /// The bytes themselves.
  public static func attributeValue(_ value: Data) -> AttributeValue { .binary(value) }
}

/// UUIDs.
public struct UUIDKind: ValuedAttributeKind {
  /// Gives an attribute its type.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .uuid }
  /// The UUID itself.
  public static func attributeValue(_ value: UUID) -> AttributeValue { .uuid(value) }
}

/// URIs; their defaults are written as text.
public struct URIKind: ValuedAttributeKind {
  /// Gives an attribute its type.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = .uri }
  /// The text itself.
  public static func attributeValue(_ value: String) -> AttributeValue { .uri(value) }
}

/// Objects that a transformer turns into data.
public struct TransformableKind: ExternallyStorableAttributeKind {
  let className: String?
  let transformer: String?
  /// Gives an attribute its type, the class of its values and their transformer.
  public func describe(_ attribute: inout AttributeDescription) {
    attribute.type = .transformable
    attribute.valueClassName = className
    attribute.valueTransformerName = transformer
  }
}

/// Groups of attributes that are stored together.
public struct CompositeKind: AttributeKind {
  let name: String
  /// Gives an attribute its type; its elements are looked up when the model is made.
  public func describe(_ attribute: inout AttributeDescription) {
    attribute.type = .composite
    attribute.compositeName = name
  }
}

/// Types without values that a model could hold.
public struct OpaqueKind: AttributeKind {
  let type: AttributeType
  /// Gives an attribute its type.
  public func describe(_ attribute: inout AttributeDescription) { attribute.type = type }
}
