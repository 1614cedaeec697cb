public import MappingModels
public import ModelDescription

/// Why an edit was not made; the file is as it was.
public enum ContentsEditError: Error, Hashable, Sendable {
  /// The file cannot be read.
  case model(ModelFileError)
  /// The model was broken before.
  case unsound(path: String, ModelStructureError)
  /// There is no such entity; what is called nearly so.
  case unknownEntity(String, near: [String])
  /// The entity has no such property.
  case unknownProperty(entity: String, name: String, near: [String])
  /// The property is declared by an ancestor.
  case inherited(entity: String, name: String, from: String)
  /// There is something of this name.
  case exists(ModelElement)
  /// Both would be known by one name in every version, and stores could not be migrated.
  case sharedIdentity(ModelElement, String, with: ModelElement)
  /// The name can be none.
  case badName(String, reason: String)
  /// The property is no attribute.
  case notAnAttribute(ModelElement)
  /// The attribute has the type, or the element the name.
  case nothingToDo(ModelElement, String)
  /// A default value or limit of this type cannot be written.
  case unwritableValue(ModelElement, type: String)
  /// There is no such setting for this kind of element; which there are.
  case settingNotFor(ModelElement, String, known: [String])
  /// The setting cannot have this value.
  case badSetting(ModelElement, String, String, SettingError)
  /// The limits and the default value would contradict each other.
  case contradictoryLimits(ModelElement, String)
  /// Attributes of this type have no such setting.
  case unsuitableSetting(ModelElement, AttributeSetting, type: String)
  /// Attributes cannot be given this type here.
  case unsupportedType(String, known: [String])
  /// There is no such composite type.
  case unknownComposite(String)
  /// The relationship at the other end is the inverse of another.
  case inverseTaken(ModelElement, by: String)
  /// Entities inherit from the one to remove.
  case hasSubentities(String, [String])
  /// An attribute is derived from what was to be removed.
  case derivedFrom(String, attribute: ModelElement, expression: String)
  /// A property can be in no constraint and no index.
  case notMember(ModelElement, String)
  /// The entity has no such constraint or index; which there are.
  case notThere(String, of: String, known: [String])
  /// The element is none that can be edited.
  case notEditable(ModelElement)
  /// The edited file could not be read.
  case unreadable(ModelFileError)
  /// The edited model would be broken.
  case broken(ModelStructureError)
}

extension ContentsEditError: CustomStringConvertible {
  /// The cause and what to try next.
  public var description: String {
    switch self {
    case .model(let error): "\(error)"
    case .unsound(let path, let error): "\(path): \(error); mend that first, by hand or in Xcode"
    case .unknownEntity(let name, let near): "there is no entity “\(name)”\(Self.hint(near))"
    case .unknownProperty(let entity, let name, let near):
      "\(entity) has no property “\(name)”\(Self.hint(near.map { "\(entity).\($0)" }))"
    case .inherited(let entity, let name, let ancestor):
      "\(entity).\(name) is declared by \(ancestor); name it as \(ancestor).\(name)"
    case .exists(let element): "the model has “\(element)” already; choose another name"
    case .sharedIdentity(let element, let name, let other):
      "\(element): \(other) is known as “\(name)” to other versions already, and no store can be migrated when two are; "
        + "choose another name for what is new"
    case .badName(let name, let reason): "“\(name)” can be no name: \(reason); choose another"
    case .notAnAttribute(let element): "\(element) is no attribute; only attributes have a type"
    case .nothingToDo(let element, let state): "\(element) \(state) already; nothing to do"
    case .unwritableValue(let element, let type):
      "\(element): a contents file holds no default value or limit of type \(type); leave it out"
    case .settingNotFor(let element, let word, let known):
      "\(element) has no setting “\(word)”; it has \(known.joined(separator: ", "))"
    case .badSetting(let element, let word, let text, let objection): "\(element): \(word)=\(text): \(objection)"
    case .contradictoryLimits(let element, let reason): "\(element): \(reason); set both in one command"
    case .unsuitableSetting(let element, let setting, let type):
      "\(element): \(setting.words) is not for attributes of type \(type); leave it out"
    case .unsupportedType(let name, let known):
      "“\(name)” is no type that can be given here; give \(known.joined(separator: ", "))"
    case .unknownComposite(let name): "there is no composite type “\(name)” in the model; see them with: modelctl show"
    case .inverseTaken(let element, let other):
      "\(element) is there and is the inverse of \(other); choose another name for the inverse"
    case .hasSubentities(let name, let children):
      "\(children.joined(separator: ", ")) inherit from \(name); remove them first, or give them another parent"
    case .derivedFrom(let name, let attribute, let expression):
      "\(attribute) is derived from \(name): \(expression); remove it first, with: modelctl edit remove \(attribute)"
    case .notMember(let element, let reason): "\(element): \(reason); name other properties"
    case .notThere(let what, let entity, let known):
      "\(entity) does not have \(what); \(known.isEmpty ? "it has none" : "it has \(known.joined(separator: "; "))")"
    case .notEditable(let element): "\(element): only entities, attributes and relationships can be edited"
    case .unreadable(let error): "the edited file could not be read, so nothing was written: \(error)"
    case .broken(let error): "the edited model would be broken, so nothing was written: \(error)"
    }
  }

  private static func hint(_ near: [String]) -> String {
    NearNames.clause(near, else: "; see the names with: modelctl show")
  }
}

/// Why a setting of an element cannot have a value.
public enum SettingError: Error, Hashable, Sendable {
  /// The setting is given a second time.
  case repeated
  /// Attributes of this type have no such setting.
  case unsuitable(AttributeType)
  case noRegularExpression
  /// A relationship to one object would be ordered.
  case orderedToOne
  case noFlag
  /// It is none of the rules; which there are.
  case noDeleteRule(known: [String])
  /// It is no value of the attribute's type.
  case noValue(AttributeValueParseError)
  /// A contents file holds no value of this type.
  case unwritable(AttributeType)
  case noCount
  /// The least number is above the greatest.
  case reversedCount
  /// The greatest number is 1, which has a word of its own.
  case countOfOne
  /// An entity would inherit from itself.
  case ownParent
}

extension SettingError: CustomStringConvertible {
  /// The cause, and what is taken instead.
  public var description: String {
    switch self {
    case .repeated: "it is set twice"
    case .unsuitable(let type): "attributes of type \(type.name) have none"
    case .noRegularExpression: "it is no regular expression"
    case .orderedToOne: "only a relationship to many is ordered; set count=many, or ordered=no"
    case .noFlag: "it takes yes or no"
    case .noDeleteRule(let known): "it takes \(known.joined(separator: ", "))"
    case .noValue(let error): "it is no value of type \(error.type.name): \(error.accepted)"
    case .unwritable(let type): "a contents file holds no value of type \(type.name)"
    case .noCount: "it takes one, many, or the least and the greatest number: 2..5, 1.., ..5"
    case .reversedCount: "the least number is above the greatest"
    case .ownParent: "it inherits from this entity, or is it; name another one"
    case .countOfOne: "a relationship to one object is count=one"
    }
  }
}
