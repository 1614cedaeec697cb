public import MappingModels
public import ModelDescription

/// The reason why an edit was not made; the file is unchanged.
public enum ContentsEditError: Error, Hashable, Sendable {
  /// The file cannot be read.
  case model(ModelFileError)
  /// The model was broken before the edit.
  case unsound(path: String, ModelStructureError)
  /// The model lacks an entity of this name; the second value lists similar names.
  case unknownEntity(String, near: [String])
  /// The entity lacks a property of this name.
  case unknownProperty(entity: String, name: String, near: [String])
  /// An ancestor declares the property.
  case inherited(entity: String, name: String, from: String)
  /// An element of this name exists.
  case exists(ModelElement)
  /// Both elements would have the same canonical name in every version, and stores could not be migrated.
  case sharedIdentity(ModelElement, String, with: ModelElement)
  /// The name is not valid.
  case badName(String, reason: String)
  /// The property is not an attribute.
  case notAnAttribute(ModelElement)
  /// The attribute already has the type, or the element the name.
  case nothingToDo(ModelElement, String)
  /// A default value or limit of this type cannot be written.
  case unwritableValue(ModelElement, type: String)
  /// Elements of this kind do not have this setting; the last value lists their settings.
  case settingNotFor(ModelElement, String, known: [String])
  /// The setting cannot have this value.
  case badSetting(ModelElement, String, String, SettingError)
  /// The limits and the default value would contradict each other.
  case contradictoryLimits(ModelElement, String)
  /// Attributes of this type do not have this setting.
  case unsuitableSetting(ModelElement, AttributeSetting, type: String)
  /// Attributes cannot be given this type here.
  case unsupportedType(String, known: [String])
  /// The model has no composite type of this name.
  case unknownComposite(String)
  /// The relationship at the destination is the inverse of a different relationship.
  case inverseTaken(ModelElement, by: String)
  /// Other entities inherit from the entity to remove.
  case hasSubentities(String, [String])
  /// An attribute is derived from the element to remove.
  case derivedFrom(String, attribute: ModelElement, expression: String)
  /// A property cannot be in a constraint or an index.
  case notMember(ModelElement, String)
  /// The entity does not have this constraint or index; the last value lists those that it has.
  case notThere(String, of: String, known: [String])
  /// The element cannot be edited.
  case notEditable(ModelElement)
  /// The edited file could not be read.
  case unreadable(ModelFileError)
  /// The edited model would be broken.
  case broken(ModelStructureError)
}

extension ContentsEditError: AdvisedError {
  /// The file; nil if the cause names the element.
  public var place: String? {
    switch self {
    case .model(let error): error.place
    case .unsound(let path, _): path
    default: nil
    }
  }

  /// The cause as a sentence.
  public var cause: String { words.cause }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? { words.advice }

  private var words: ErrorWords {
    switch self {
    case .model(let error): error.words
    case .unsound(_, let error): .init("\(error)", "correct the model first, by hand or in Xcode")
    case .unknownEntity(let name, let near): Self.unknown("entity", name, in: "the model", near)
    case .unknownProperty(let entity, let name, let near):
      Self.unknown("property", name, in: entity, near.map { "\(entity).\($0)" })
    case .inherited(let entity, let name, let ancestor):
      .init("\(ancestor) declares \(entity).\(name)", "name it as \(ancestor).\(name)")
    case .exists(let element): .init("“\(element)” already exists", "choose another name")
    case .sharedIdentity(let element, let name, let other):
      .init(
        "“\(name)” identifies \(other) in other versions, so \(element) cannot use it: "
          + "a migration could not tell the two apart", "choose another name for the new element")
    case .badName(let name, let reason): .init("“\(name)” is not a valid name: \(reason)", "choose another name")
    case .notAnAttribute(let element): .init("\(element) is not an attribute, and only attributes have a type")
    case .nothingToDo(let element, let state): .init("\(element) already \(state), so there is nothing to do")
    case .unwritableValue(let element, let type):
      .init("\(element): a contents file cannot hold a default value or limit of type \(type)", "leave it out")
    case .settingNotFor(let element, let word, let known):
      .init(CommonWords.unknown("setting", word, in: "\(element)", near: []), Self.choice(known))
    case .badSetting(let element, let word, let text, let objection):
      .init("\(element): \(word)=\(text): \(objection.cause)", objection.advice)
    case .contradictoryLimits(let element, let reason): .init("\(element): \(reason)", "set both in one edit")
    case .unsuitableSetting(let element, let setting, let type):
      .init("\(element): attributes of type \(type) cannot have \(setting.words)", "leave it out")
    case .unsupportedType(let name, let known):
      .init("an edit cannot give an attribute the type “\(name)”", Self.choice(known))
    case .unknownComposite(let name):
      .init(
        CommonWords.unknown("composite type", name, in: "the model", near: []),
        "list the composite types: \(run: "modelctl", "show")")
    case .inverseTaken(let element, let other):
      .init("\(element) already exists and is the inverse of \(other)", "choose another name for the inverse")
    case .hasSubentities(let name, let children):
      .init(
        "\(NameList.text(children, last: " and ")) \(children.count == 1 ? "inherits" : "inherit") from \(name)",
        "remove \(children.count == 1 ? "it" : "them") first, or choose another parent")
    case .derivedFrom(let name, let attribute, let expression):
      .init(
        "\(attribute) is derived from \(name): \(expression)",
        "remove the derived attribute first: \(run: "modelctl", "edit", "remove", "\(attribute)")")
    case .notMember(let element, let reason): .init("\(element): \(reason)", "name other properties")
    case .notThere(let what, let entity, let known):
      .init("\(entity) does not have \(what)", known.isEmpty ? nil : Self.choice(known))
    case .notEditable(let element):
      .init("\(element) cannot be edited; modelctl edits entities, attributes and relationships")
    case .unreadable(let error):
      .init("the edited file could not be read, so nothing was written: \(error.locatedWords.cause)", error.advice)
    case .broken(let error): .init("the edited model would be broken, so nothing was written: \(error)")
    }
  }

  private static func unknown(_ kind: String, _ name: String, in owner: String, _ near: [String]) -> ErrorWords {
    .init(
      CommonWords.unknown(kind, name, in: owner, near: near),
      near.isEmpty ? "list the names: \(run: "modelctl", "show")" : nil)
  }

  private static func choice(_ known: [String]) -> Advice { "choose one of \(known.joined(separator: ", "))" }
}

/// The reason why a setting of an element cannot have a value.
public enum SettingError: Error, Hashable, Sendable {
  /// The setting is given twice.
  case repeated
  /// Attributes of this type do not have this setting.
  case unsuitable(AttributeType)
  /// The text is not a valid regular expression.
  case noRegularExpression
  /// A to-one relationship would be ordered.
  case orderedToOne
  /// The text is not yes or no.
  case noFlag
  /// The text is not a delete rule.
  case noDeleteRule(known: [String])
  /// The text is not a value of the attribute's type.
  case noValue(AttributeValueParseError)
  /// A contents file cannot hold a value of this type.
  case unwritable(AttributeType)
  /// The text is not a count.
  case noCount
  /// The minimum is above the maximum.
  case reversedCount
  /// The maximum is 1, which is written `one`.
  case countOfOne
  /// An entity would inherit from itself.
  case ownParent
}

extension SettingError: AdvisedError {
  /// Always nil: the edit that fails names the setting.
  public var place: String? { nil }

  /// The cause, and the values that the setting accepts.
  public var cause: String {
    switch self {
    case .repeated: "it is set twice"
    case .unsuitable(let type): "attributes of type \(type.name) do not have this setting"
    case .noRegularExpression: "it is not a valid regular expression"
    case .orderedToOne: "only a to-many relationship can be ordered"
    case .noFlag: "expected yes or no"
    case .noDeleteRule(let known): "expected one of \(known.joined(separator: ", "))"
    case .noValue(let error): "it is not a valid \(error.type.name); expected \(error.accepted)"
    case .unwritable(let type): "a contents file cannot hold a value of type \(type.name)"
    case .noCount: "expected one, many, or the minimum and the maximum: 2..5, 1.., ..5"
    case .reversedCount: "the minimum is above the maximum"
    case .ownParent: "it is this entity, or inherits from it"
    case .countOfOne: "a relationship to at most one object is a to-one relationship"
    }
  }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? {
    switch self {
    case .orderedToOne: "set count=many, or ordered=no"
    case .ownParent: "name another parent"
    case .countOfOne: "set count=one"
    default: nil
    }
  }
}
