public import ModelDescription

/// A setting of an entity, attribute or relationship, by the word that sets it: `default=0`.
public enum ElementSetting: String, CaseIterable, Hashable, Sendable {
  /// Whether a value may be absent.
  case optional
  /// The opposite of ``optional``.
  case required
  /// Whether it is not stored.
  case transient
  /// The value of new objects.
  case defaultValue = "default"
  /// The minimum value, or the minimum length of a string.
  case minimum
  /// The maximum value, or the maximum length of a string.
  case maximum
  /// The regular expression that a string must match.
  case regularExpression = "regular-expression"
  /// Whether large values are kept in files beside the store.
  case externalStorage = "external-storage"
  /// Whether the generated property is a scalar.
  case scalar
  /// The transformer that converts a value to data.
  case transformer
  /// The class of the objects, or of the values.
  case className = "class"
  /// Whether an entity lacks objects of its own.
  case abstract
  /// The entity that an entity inherits from.
  case parent
  /// The number of objects of a relationship: `one`, `many`, `2..5`, `1..`.
  case count
  /// Whether the objects of a relationship have an order.
  case ordered
  /// The delete rule of a relationship.
  case deleteRule = "delete-rule"
  /// A text that changes only the version hash.
  case modifier
  /// The name of the element in other versions.
  case renamingIdentifier = "renaming-identifier"

  /// The settings of a kind of element of a `contents` file.
  package static func all(of kind: String) -> [ElementSetting] {
    switch kind {
    case "entity": [.abstract, .parent, .className, .modifier, .renamingIdentifier]
    case "attribute":
      [
        .optional, .required, .transient, .defaultValue, .minimum, .maximum, .regularExpression, .externalStorage,
        .scalar, .transformer, .className, .modifier, .renamingIdentifier,
      ]
    case "relationship":
      [.optional, .required, .transient, .count, .ordered, .deleteRule, .modifier, .renamingIdentifier]
    default: []
    }
  }

  /// The attribute of a `contents` file for a setting that is a plain text or a flag.
  func attribute(in kind: String) -> String? {
    switch self {
    case .optional, .required: "optional"
    case .transient: "transient"
    case .regularExpression: AttributeSetting.regularExpression.rawValue
    case .externalStorage: AttributeSetting.externalStorage.rawValue
    case .scalar: AttributeSetting.scalar.rawValue
    case .transformer: AttributeSetting.transformer.rawValue
    case .className: kind == "entity" ? "representedClassName" : AttributeSetting.valueClass.rawValue
    case .abstract: "isAbstract"
    case .parent: "parentEntity"
    case .ordered: "ordered"
    case .deleteRule: "deletionRule"
    case .modifier: "versionHashModifier"
    case .renamingIdentifier: "elementID"
    case .defaultValue, .minimum, .maximum, .count: nil
    }
  }

  /// The setting that only attributes of some types have; nil for other settings.
  var typed: AttributeSetting? {
    switch self {
    case .minimum: .minimum
    case .maximum: .maximum
    case .regularExpression: .regularExpression
    case .externalStorage: .externalStorage
    case .scalar: .scalar
    case .transformer: .transformer
    case .className: .valueClass
    default: nil
    }
  }
}

/// A setting and its new value.
public struct SettingChange: Hashable, Sendable {
  /// The setting.
  public let setting: ElementSetting
  /// The value as you type it; empty to remove the setting.
  public let text: String

  /// Makes a change of a setting.
  public init(_ setting: ElementSetting, _ text: String) { (self.setting, self.text) = (setting, text) }
}

/// Checks of the names of entities and properties.
public enum ElementName {
  /// The reason why a name is not valid, or nil: it must be an identifier of Swift and Objective-C.
  public static func objection(to name: String) -> String? {
    let scalars = name.unicodeScalars
    guard let first = scalars.first else { return "it is empty" }
    guard name.utf8.count <= 200 else { return "it is longer than 200 bytes" }
    guard first == "_" || first.properties.isAlphabetic else { return "it does not begin with a letter" }
    guard scalars.allSatisfy(isPart) else { return "only letters, digits and underscores are allowed" }
    return nil
  }

  /// The reason why a name is not valid for an entity, or nil: Xcode requires a capital letter first.
  public static func objection(toEntity name: String) -> String? {
    if let reason = objection(to: name) { return reason }
    guard let first = name.unicodeScalars.first, first == "_" || first.properties.isLowercase else { return nil }
    return "Xcode compiles a model only if the names of its entities begin with a capital letter"
  }

  static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
      || scalar.properties.generalCategory == .nonspacingMark
  }

  static func isMentioned(_ name: String, in text: String) -> Bool { words(in: text).contains(name) }

  static func words(in text: String) -> [String] {
    text.unicodeScalars.split { !isPart($0) }.map { String(String.UnicodeScalarView($0)) }
  }
}

/// A setting that only attributes of some types have, by its name in a `contents` file.
public enum AttributeSetting: String, CaseIterable, Hashable, Sendable {
  /// Whether large values are kept in files of their own.
  case externalStorage = "allowsExternalBinaryDataStorage"
  /// The transformer that converts a value to data.
  case transformer = "valueTransformerName"
  /// The class of the values.
  case valueClass = "customClassName"
  /// The regular expression that a text must match.
  case regularExpression = "regularExpressionString"
  /// The composite type.
  case composite
  /// Whether the generated property is a scalar.
  case scalar = "usesScalarValueType"
  /// The minimum value, or the minimum length of a text.
  case minimum = "minValueString"
  /// The maximum value, or the maximum length of a text.
  case maximum = "maxValueString"

  /// Returns whether attributes of a type can have the setting.
  public func suits(_ type: AttributeType) -> Bool {
    switch self {
    case .externalStorage: [.binary, .transformable, .string].contains(type)
    case .transformer, .valueClass: type == .transformable
    case .regularExpression: type == .string
    case .composite: type == .composite
    case .scalar: [.integer16, .integer32, .integer64, .double, .float, .boolean, .date, .uuid].contains(type)
    case .minimum, .maximum:
      [.integer16, .integer32, .integer64, .decimal, .double, .float, .date, .string].contains(type)
    }
  }

  func isSet(in attribute: AttributeDescription) -> Bool {
    switch self {
    case .externalStorage: attribute.allowsExternalBinaryDataStorage
    case .transformer: attribute.valueTransformerName != nil
    case .valueClass: attribute.valueClassName != nil
    case .regularExpression: attribute.validation.regularExpression != nil
    case .composite: attribute.compositeName != nil
    case .scalar: attribute.usesScalarValueType != nil
    case .minimum: attribute.validation.minimum != nil
    case .maximum: attribute.validation.maximum != nil
    }
  }

  /// The setting in messages.
  var words: String {
    switch self {
    case .externalStorage: "external storage"
    case .transformer: "a transformer"
    case .valueClass: "a value class"
    case .regularExpression: "a regular expression"
    case .composite: "a composite type"
    case .scalar: "a scalar"
    case .minimum: "a minimum"
    case .maximum: "a maximum"
    }
  }
}

extension AttributeType {
  /// Xcode's default for a new attribute: true for numbers, false for dates and UUIDs, nil for types without scalars.
  package var usesScalarByDefault: Bool? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: true
    case .date, .uuid: false
    default: nil
    }
  }
}
