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
  /// - Parameters:
  ///   - className: the class of the values.
  ///   - transformer: the name of the value transformer; Core Data's own otherwise.
  /// - Returns: the type.
  public static func transformable(class className: String? = nil, transformer: String? = nil) -> Self {
    Self(className: className, transformer: transformer)
  }
}

extension AttributeKind where Self == CompositeKind {
  /// The composite type of this name.
  public static func composite(_ name: String) -> Self { Self(name: name) }

  /// A composite type; it must be in the model too.
  public static func composite(_ composite: Composite) -> Self { Self(name: composite.name) }
}

extension AttributeKind where Self == OpaqueKind {
  /// No type, as transient attributes may have.
  public static var undefined: Self { Self(type: .undefined) }
  /// Object ID.
  public static var objectID: Self { Self(type: .objectID) }
  /// A type that this library does not know, as model files write it; an entity that has one has no hash.
  public static func unrecognized(_ name: String) -> Self { Self(type: .unrecognized(name)) }
}
