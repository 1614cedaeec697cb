/// An attribute of an entity: a named value of a single type.
public struct AttributeDescription: Hashable, Sendable {
  /// The attribute's name.
  public var name: String
  /// The type of its values.
  public var type: AttributeType
  /// True if the value is optional.
  public var isOptional: Bool
  /// True if the value is not stored.
  public var isTransient: Bool
  /// The value of new objects.
  public var defaultValue: AttributeValue?
  /// The limits of a value, checked when it is saved.
  public var validation: AttributeValidation
  /// True if large values can be in files beside the store.
  public var allowsExternalBinaryDataStorage: Bool
  /// True if the history of a deleted object keeps the value.
  public var preservesValueInHistoryOnDeletion: Bool
  /// True if CloudKit can encrypt the value.
  public var allowsCloudEncryption: Bool
  /// True for a one-attribute index of the older format.
  public var isIndexed: Bool
  /// True if Spotlight indexes it.
  public var isIndexedBySpotlight: Bool
  /// The transformer of a transformable attribute.
  public var valueTransformerName: String?
  /// The class of a transformable attribute's values.
  public var valueClassName: String?
  /// True if generated code uses a scalar; nil if the source does not set it.
  public var usesScalarValueType: Bool?
  /// The derivation of a derived attribute.
  public var derivation: Derivation?
  /// The name of a composite attribute's type.
  public var compositeName: String?
  /// The elements of a composite attribute.
  public var elements: [AttributeDescription]
  /// The renaming identifier: its name or identifier in an earlier version.
  public var renamingIdentifier: String?
  /// A text that changes only the version hash.
  public var versionHashModifier: String?
  /// The userInfo entries.
  public var userInfo: [String: String]
  /// The obsolete sync flag of the editor; it is not hashed.
  public var isSyncable: Bool

  /// Makes an attribute.
  public init(
    name: String,
    type: AttributeType,
    isOptional: Bool = false,
    isTransient: Bool = false,
    defaultValue: AttributeValue? = nil,
    validation: AttributeValidation = AttributeValidation(),
    allowsExternalBinaryDataStorage: Bool = false,
    preservesValueInHistoryOnDeletion: Bool = false,
    allowsCloudEncryption: Bool = false,
    isIndexed: Bool = false,
    isIndexedBySpotlight: Bool = false,
    valueTransformerName: String? = nil,
    valueClassName: String? = nil,
    usesScalarValueType: Bool? = nil,
    derivation: Derivation? = nil,
    compositeName: String? = nil,
    elements: [AttributeDescription] = [],
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    userInfo: [String: String] = [:],
    isSyncable: Bool = false
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.validation = validation
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    self.allowsCloudEncryption = allowsCloudEncryption
    self.isIndexed = isIndexed
    self.isIndexedBySpotlight = isIndexedBySpotlight
    self.valueTransformerName = valueTransformerName
    self.valueClassName = valueClassName
    self.usesScalarValueType = usesScalarValueType
    self.derivation = derivation
    self.compositeName = compositeName
    self.elements = elements
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.isSyncable = isSyncable
  }

  /// The name that pairs it across versions: the renaming identifier, or the name if there is no identifier.
  public var canonicalName: String { renamingIdentifier.flatMap { $0.isEmpty ? nil : $0 } ?? name }

  /// True if an object cannot be saved without a value.
  public var isMandatory: Bool { !isOptional && !isTransient && derivation == nil }

  /// True if the value at a path of elements, and every composite value around it, is required.
  public func requires(_ path: ArraySlice<String>) -> Bool {
    guard !isOptional else { return false }
    guard let name = path.first, let element = elements.first(where: { $0.name == name }) else { return true }
    return element.requires(path.dropFirst())
  }

  /// The attributes that hold values: itself, or the leaves of a composite attribute, each with its path of names.
  public var leaves: [(path: [String], attribute: AttributeDescription)] {
    guard type == .composite else { return [([name], self)] }
    return elements.flatMap { element in element.leaves.map { ([name] + $0.path, $0.attribute) } }
  }
}

/// The limits of an attribute's value, checked when it is saved; they are not hashed.
public struct AttributeValidation: Hashable, Sendable {
  /// The minimum value, or the minimum length of a string.
  public var minimum: AttributeValue?
  /// The maximum value, or the maximum length of a string.
  public var maximum: AttributeValue?
  /// The expression a string must match.
  public var regularExpression: String?

  /// Makes a validation; without arguments it accepts every value.
  public init(minimum: AttributeValue? = nil, maximum: AttributeValue? = nil, regularExpression: String? = nil) {
    (self.minimum, self.maximum, self.regularExpression) = (minimum, maximum, regularExpression)
  }
}

/// The derivation of an attribute from other properties.
public struct Derivation: Hashable, Sendable {
  /// The expression as the source writes it, such as `messages.@count` or `canonical:(name)`.
  public var expression: String
  /// The predicate that filters the source values.
  public var filterPredicate: String?

  /// Makes a derivation.
  public init(expression: String, filterPredicate: String? = nil) {
    (self.expression, self.filterPredicate) = (expression, filterPredicate)
  }

  /// The expression as Core Data hashes it: a collection operator becomes a function.
  ///
  /// `pages.@count` is `count:(pages)` and `lines.@sum.price` is `sum:(lines.price)`; a plain key path and a function
  /// are unchanged.
  package var hashedExpression: String {
    let keys = expression.split(separator: ".", omittingEmptySubsequences: false)
    guard let position = keys.firstIndex(where: { $0.hasPrefix("@") }), keys[position].count > 1 else {
      return expression
    }
    let keyPath = (keys[..<position] + keys[(position + 1)...]).joined(separator: ".")
    return "\(keys[position].dropFirst()):(\(keyPath))"
  }
}

/// A contradiction between two limits of an attribute, or between a limit and its default value.
package enum LimitContradiction: Hashable, Sendable {
  /// No value can be saved.
  case minimumAboveMaximum(AttributeValue, AttributeValue)
  /// A new object cannot be saved as it is.
  case defaultBelowMinimum(AttributeValue, AttributeValue)
  /// A new object cannot be saved as it is.
  case defaultAboveMaximum(AttributeValue, AttributeValue)
}

extension AttributeDescription {
  /// The first contradiction among the limits and the default value; the limits of a string are limits of its length.
  package var limitContradiction: LimitContradiction? {
    let (minimum, maximum) = (validation.minimum, validation.maximum)
    if let minimum, let maximum, minimum.isAbove(maximum) { return .minimumAboveMaximum(minimum, maximum) }
    guard let value = defaultValue, let measure = type == .string ? value.length : value else { return nil }
    if let minimum, minimum.isAbove(measure) { return .defaultBelowMinimum(value, minimum) }
    if let maximum, measure.isAbove(maximum) { return .defaultAboveMaximum(value, maximum) }
    return nil
  }
}

extension AttributeValue {
  /// True if both are numbers, or dates, and this value is greater.
  fileprivate func isAbove(_ other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.integer(let first), .integer(let second)): first > second
    case (.decimal(let first), .decimal(let second)): first > second
    default: (magnitude ?? .nan) > (other.magnitude ?? .nan)
    }
  }

  private var magnitude: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .decimal(let number): Double("\(number)")
    case .double(let number), .date(let number): number
    case .string, .boolean, .binary, .uuid, .uri: nil
    }
  }

  /// The length of a string as Core Data counts it, in UTF-16.
  fileprivate var length: AttributeValue? {
    if case .string(let text) = self { .integer(Int64(text.utf16.count)) } else { nil }
  }
}
