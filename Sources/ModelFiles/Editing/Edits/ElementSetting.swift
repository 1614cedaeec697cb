import ModelDescription

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
  /// The least value, or the least length of a string.
  case minimum
  /// The greatest value, or the greatest length of a string.
  case maximum
  /// What a string must match.
  case regularExpression = "regular-expression"
  /// Whether large values are kept in files beside the store.
  case externalStorage = "external-storage"
  /// Whether the generated property is a scalar.
  case scalar
  /// What makes data of a value.
  case transformer
  /// The class of the objects, or of the values.
  case className = "class"
  /// Whether an entity has no objects of its own.
  case abstract
  /// How many objects a relationship leads to: `one`, `many`, `2..5`, `1..`.
  case count
  /// Whether the objects of a relationship have an order.
  case ordered
  /// What happens to the other end on deletion.
  case deleteRule = "delete-rule"
  /// A text that changes the version hash and nothing else.
  case modifier
  /// What the element is known by in other versions.
  case renamingIdentifier = "renaming-identifier"

  /// The settings of a kind of element of a `contents` file.
  static func all(of kind: String) -> [ElementSetting] {
    switch kind {
    case "entity": [.abstract, .className, .modifier, .renamingIdentifier]
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

  /// The attribute of a `contents` file that a setting of plain text or of yes and no is written in.
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
    case .ordered: "ordered"
    case .deleteRule: "deletionRule"
    case .modifier: "versionHashModifier"
    case .renamingIdentifier: "elementID"
    case .defaultValue, .minimum, .maximum, .count: nil
    }
  }

  /// What only attributes of some types have, nil for what all have.
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

/// A setting and the value it gets.
public struct SettingChange: Hashable, Sendable {
  /// The setting.
  public let setting: ElementSetting
  /// The value as it is typed; empty to take the setting away.
  public let text: String

  /// Makes a change of a setting.
  public init(_ setting: ElementSetting, _ text: String) { (self.setting, self.text) = (setting, text) }
}
