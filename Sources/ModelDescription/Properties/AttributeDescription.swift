/// An attribute of an entity: a named value of one type.
public struct AttributeDescription: Hashable, Sendable {
  /// The attribute's name.
  public var name: String
  /// The type of its values.
  public var type: AttributeType
  /// True when the value may be absent.
  public var isOptional: Bool
  /// True when the value is not stored.
  public var isTransient: Bool
  /// The value of new objects.
  public var defaultValue: AttributeValue?
  /// What a value is checked against when it is saved.
  public var validation: AttributeValidation
  /// True when large values may be kept in files beside the store.
  public var allowsExternalBinaryDataStorage: Bool
  /// True when the value is kept in the history of a deleted object.
  public var preservesValueInHistoryOnDeletion: Bool
  /// True when CloudKit may keep the value encrypted.
  public var allowsCloudEncryption: Bool
  /// True for the older form of a one-attribute index.
  public var isIndexed: Bool
  /// True when Spotlight indexes it.
  public var isIndexedBySpotlight: Bool
  /// The transformer of a transformable attribute.
  public var valueTransformerName: String?
  /// The class of a transformable attribute's values.
  public var valueClassName: String?
  /// Whether generated code uses a scalar; nil when the source does not say.
  public var usesScalarValueType: Bool?
  /// How a derived attribute is computed.
  public var derivation: Derivation?
  /// The name of a composite attribute's type.
  public var compositeName: String?
  /// The elements of a composite attribute.
  public var elements: [AttributeDescription]
  /// The identifier that pairs it with its former self in another version.
  public var renamingIdentifier: String?
  /// A text that changes the version hash and nothing else.
  public var versionHashModifier: String?
  /// The developer's own entries.
  public var userInfo: [String: String]
  /// The obsolete sync flag of the editor; it enters no hash.
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

  /// The name it is paired by across versions: the renaming identifier when it has one, else its name.
  public var canonicalName: String { renamingIdentifier.flatMap { $0.isEmpty ? nil : $0 } ?? name }

  /// True if an object cannot be saved without a value of it.
  public var isMandatory: Bool { !isOptional && !isTransient && derivation == nil }

  /// True if the value at a path of elements, and every composite value around it, must be there.
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

/// What an attribute's value is checked against when it is saved; it enters no hash.
public struct AttributeValidation: Hashable, Sendable {
  /// The least value, or the least length of a string.
  public var minimum: AttributeValue?
  /// The greatest value, or the greatest length of a string.
  public var maximum: AttributeValue?
  /// The expression a string must match.
  public var regularExpression: String?

  /// Makes a validation; without arguments it accepts everything.
  public init(minimum: AttributeValue? = nil, maximum: AttributeValue? = nil, regularExpression: String? = nil) {
    (self.minimum, self.maximum, self.regularExpression) = (minimum, maximum, regularExpression)
  }
}

/// How a derived attribute is computed from other properties.
public struct Derivation: Hashable, Sendable {
  /// The expression as the source writes it, such as `messages.@count` or `canonical:(name)`.
  public var expression: String
  /// The predicate that filters what is derived from.
  public var filterPredicate: String?

  /// Makes a derivation.
  public init(expression: String, filterPredicate: String? = nil) {
    (self.expression, self.filterPredicate) = (expression, filterPredicate)
  }

  /// The expression's format as Core Data hashes it: a collection operator becomes a function.
  ///
  /// `pages.@count` is `count:(pages)` and `lines.@sum.price` is `sum:(lines.price)`; a plain key path and a function
  /// stay as written.
  package var hashedExpression: String {
    let keys = expression.split(separator: ".", omittingEmptySubsequences: false)
    guard let position = keys.firstIndex(where: { $0.hasPrefix("@") }), keys[position].count > 1 else {
      return expression
    }
    let keyPath = (keys[..<position] + keys[(position + 1)...]).joined(separator: ".")
    return "\(keys[position].dropFirst()):(\(keyPath))"
  }
}

/// A limit of an attribute that another limit, or its own default value, does not keep.
package enum LimitContradiction: Hashable, Sendable {
  /// No value can be saved.
  case minimumAboveMaximum(AttributeValue, AttributeValue)
  /// A new object cannot be saved as it is.
  case defaultBelowMinimum(AttributeValue, AttributeValue)
  /// A new object cannot be saved as it is.
  case defaultAboveMaximum(AttributeValue, AttributeValue)
}

extension AttributeDescription {
  /// The first contradiction among the limits and the default value; of a string, the limits are of its length.
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
  /// Whether both are numbers, or dates, and this is the greater.
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
