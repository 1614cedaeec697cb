import Foundation
import MappingModels
import ModelDescription

extension EditSession {
  mutating func set(_ changes: [SettingChange], of element: ModelElement) throws(ContentsEditError) {
    let node: MarkupNode
    switch element {
    case .entity(let name): node = try self.node(ofEntity: name)
    case .property(let entity, let name): node = try self.node(of: name, in: entity)
    default: throw .notEditable(element)
    }
    let known = ElementSetting.all(of: node.name)
    guard !known.isEmpty else { throw .notEditable(element) }
    var seen: Set<ElementSetting> = []
    var draft = SettingDraft(node, type: attributeType(of: element))
    for change in changes {
      guard known.contains(change.setting) else {
        throw .settingNotFor(element, change.setting.rawValue, known: known.map(\.rawValue))
      }
      // Optional and required are one.
      guard seen.insert(change.setting == .required ? .optional : change.setting).inserted else {
        throw .badSetting(element, change.setting.rawValue, change.text, .repeated)
      }
      do throws(SettingError) {
        try draft.apply(change)
      } catch {
        throw .badSetting(element, change.setting.rawValue, change.text, error)
      }
    }
    guard !draft.isUnchanged else { throw .nothingToDo(element, "has these settings") }
    for (name, value) in draft.changes {
      if let value { set(name, value, on: node) } else { removeAttribute(name, of: node) }
    }
    for sentence in draft.sentences { note(element, sentence) }
    try checkSettings(of: element, draft)
  }

  private func attributeType(of element: ModelElement) -> AttributeType? {
    guard case .property(let entity, let name) = element else { return nil }
    return hierarchy.entity(named: entity)?.attributes.first { $0.name == name }?.type
  }

  /// Checks the changed element against the rest of the model.
  private mutating func checkSettings(of element: ModelElement, _ draft: SettingDraft) throws(ContentsEditError) {
    if draft.changes.contains(where: { $0.name == "elementID" || $0.name == "renamingIdentifier" }) {
      let identifier = draft.value("renamingIdentifier") ?? draft.value("elementID") ?? draft.value("name") ?? ""
      switch element {
      case .entity(let name): try checkIdentity(identifier, ofEntity: name)
      case .property(let entity, let name):
        try checkIdentity(identifier, of: name, in: entity, isAttribute: draft.kind == "attribute")
      default: break
      }
    }
    if case .entity(let name) = element, let change = draft.changes.first(where: { $0.name == "parentEntity" }) {
      try check(parent: change.value, of: name)
    }
    if draft.kind == "attribute", let reason = draft.contradiction { throw .contradictoryLimits(element, reason) }
    guard case .property(let entity, _) = element, draft.kind == "attribute",
      draft.changes.contains(where: { $0.name == "optional" }), draft.value("optional") == nil,
      draft.value("defaultValueString") == nil, draft.value("defaultDateTimeInterval") == nil,
      draft.value("derived") == nil, draft.value("transient") == nil
    else { return }
    warn(
      "\(element) is required and has no default value, so rows of \(entity) without a value cannot be migrated from an "
        + "older version",
      "give it a default value: \(run: "modelctl", "edit", "set", "\(element)", "default=VALUE")")
  }

  /// Checks the new parent of an entity, and warns that its rows move.
  private mutating func check(parent: String?, of name: String) throws(ContentsEditError) {
    if let parent {
      _ = try node(ofEntity: parent)
      guard parent != name, !hierarchy.family(of: name).contains(where: { $0.name == parent }) else {
        throw .badSetting(.entity(name), "parent", parent, .ownParent)
      }
    }
    warn(
      "a migration moves the rows of \(name) to another table",
      "check the change: \(run: "modelctl", "diff"); or check the migration: \(run: "modelctl", "plan", "STORE")")
  }
}

/// The attributes of an element with changed settings, before they are written.
struct SettingDraft {
  private let node: MarkupNode
  private let type: AttributeType?
  private var values: [String: String?] = [:]
  /// A sentence for each setting that changes.
  private(set) var sentences: [String] = []

  /// - Parameter type: the type of an attribute; nil for other elements.
  init(_ node: MarkupNode, type: AttributeType?) { (self.node, self.type) = (node, type) }

  var kind: String { node.name }

  var isUnchanged: Bool { changes.isEmpty }

  /// The attributes that change, in the order in which Xcode writes them; nil for a removed attribute.
  var changes: [(name: String, value: String?)] {
    values.filter { $0.value != node[$0.key] }
      .sorted {
        let ranks = [$0.key, $1.key].map { EditorOrder.rank(ofAttribute: $0, in: kind) ?? .max }
        return (ranks[0], $0.key) < (ranks[1], $1.key)
      }
      .map { ($0.key, $0.value) }
  }

  /// The value of an attribute after the change; nil for a missing attribute and for the flag `NO`.
  func value(_ name: String) -> String? {
    let value = values[name] ?? node[name]
    return value.flatMap { $0.isEmpty || $0 == "NO" ? nil : $0 }
  }

  mutating func apply(_ change: SettingChange) throws(SettingError) {
    if let type, let setting = change.setting.typed, !change.text.isEmpty, !setting.suits(type) {
      throw SettingError.unsuitable(type)
    }
    switch change.setting {
    case .optional: try setFlag("optional", change, isOpposite: false)
    case .required: try setFlag("optional", change, isOpposite: true)
    case .transient, .externalStorage, .abstract, .ordered, .scalar:
      try setFlag(change.setting.attribute(in: kind) ?? "", change, isOpposite: false)
    case .defaultValue: try setValue("defaultValueString", "defaultDateTimeInterval", change)
    case .minimum: try setValue("minValueString", "minDateTimeInterval", change)
    case .maximum: try setValue("maxValueString", "maxDateTimeInterval", change)
    case .count: try setCount(change)
    case .deleteRule: try setDeleteRule(change)
    case .regularExpression:
      guard (try? NSRegularExpression(pattern: change.text)) != nil || change.text.isEmpty else {
        throw SettingError.noRegularExpression
      }
      setText(change)
    case .transformer, .className, .modifier, .renamingIdentifier, .parent: setText(change)
    }
    if change.setting == .ordered || change.setting == .count, value("ordered") != nil, value("toMany") == nil {
      throw SettingError.orderedToOne
    }
  }

  /// Sets a flag: only `YES` is written, except for the scalar flag.
  private mutating func setFlag(_ name: String, _ change: SettingChange, isOpposite: Bool) throws(SettingError) {
    guard !change.text.isEmpty || change.setting == .scalar else { throw SettingError.noFlag }
    guard !change.text.isEmpty else { return put(name, nil, change) }
    guard case .boolean(let flag)? = try? AttributeValue.parse(change.text.lowercased(), as: .boolean) else {
      throw SettingError.noFlag
    }
    let written = flag != isOpposite
    if change.setting == .scalar { return put(name, written ? "YES" : "NO", change) }
    guard written != (MarkupAttributes.flag(node[name] ?? "") ?? false) else { return }
    put(name, written ? "YES" : nil, change)
  }

  private mutating func setText(_ change: SettingChange) {
    var name = change.setting.attribute(in: kind) ?? ""
    if name == "elementID", node.filled("renamingIdentifier") != nil { name = "renamingIdentifier" }
    put(name, change.text.isEmpty ? nil : change.text, change)
  }

  private mutating func setDeleteRule(_ change: SettingChange) throws(SettingError) {
    let known = DeleteRule.allCases.map { (word: $0.name.lowercased().replacing(" ", with: "-"), name: $0.name) }
    guard let rule = known.first(where: { $0.word == change.text.lowercased() }) else {
      throw SettingError.noDeleteRule(known: known.map(\.word))
    }
    put("deletionRule", rule.name, change)
    if node["deleteRule"] != nil { values["deleteRule"] = .some(nil) }
  }

  /// Writes a value into the attribute for its type: dates have an attribute of their own.
  private mutating func setValue(_ name: String, _ dateName: String, _ change: SettingChange) throws(SettingError) {
    let old = node[name] ?? node[dateName]
    let isDefault = change.setting == .defaultValue
    guard !change.text.isEmpty else {
      (values[name], values[dateName]) = (.some(nil), .some(nil))
      return tell(change, old: old)
    }
    let type = !isDefault && type == .string ? .integer64 : type ?? .undefined
    let value: AttributeValue
    do {
      value = try AttributeValue.parse(change.text, as: type)
    } catch {
      throw SettingError.noValue(error)
    }
    guard let text = isDefault ? AttributeSpelling.defaultValue(value) : AttributeSpelling.limit(value) else {
      throw SettingError.unwritable(type)
    }
    // Xcode has written 0 as 0.0 as well.
    if let old, AttributeText.value(of: old, as: type) == value { return }
    let isDate = type == .date
    (values[name], values[dateName]) = (isDate ? .some(nil) : text, isDate ? text : .some(nil))
    tell(change, old: old)
  }

  /// Sets the count: `one`, `many`, or a minimum and a maximum as in `2..5`, `1..`, `..5`.
  private mutating func setCount(_ change: SettingChange) throws(SettingError) {
    let minimum: Int
    let maximum: Int
    switch change.text.lowercased() {
    case "one": (minimum, maximum) = (min(Int(node["minCount"] ?? "") ?? 0, 1), 1)
    case "many": (minimum, maximum) = (0, 0)
    default:
      let parts = change.text.components(separatedBy: "..")
      guard parts.count == 2, change.text != "..", let least = parts[0].isEmpty ? 0 : Self.number(parts[0]),
        let most = parts[1].isEmpty ? 0 : Self.number(parts[1])
      else { throw SettingError.noCount }
      guard most == 0 || least <= most else { throw SettingError.reversedCount }
      guard most != 1 else { throw SettingError.countOfOne }
      (minimum, maximum) = (least, most)
    }
    let old = Self.words(
      isToMany: MarkupAttributes.flag(node["toMany"] ?? "") ?? false, node["minCount"], node["maxCount"])
    let isToMany = maximum != 1
    let new = Self.words(isToMany: isToMany, String(minimum), String(maximum))
    guard old != new else { return }
    values["toMany"] = .some(isToMany ? "YES" : nil)
    values["minCount"] = .some(minimum == 0 ? nil : String(minimum))
    values["maxCount"] = .some(maximum == 0 ? nil : String(maximum))
    sentences.append("count is \(new) instead of \(old)")
  }

  private static func number(_ text: String) -> Int? {
    guard let number = Int32(text), number >= 0, text.allSatisfy(\.isNumber) else { return nil }
    return Int(number)
  }

  private static func words(isToMany: Bool, _ minimum: String?, _ maximum: String?) -> String {
    guard isToMany else { return "one" }
    let (least, most) = (minimum == "0" ? nil : minimum, maximum == "0" ? nil : maximum)
    return least == nil && most == nil ? "many" : "\(least ?? "0")..\(most ?? "")"
  }

  private mutating func put(_ name: String, _ value: String?, _ change: SettingChange) {
    guard node[name] != value else { return }
    values[name] = .some(value)
    tell(change, old: node.filled(name))
  }

  private mutating func tell(_ change: SettingChange, old: String?) {
    let name = change.setting.rawValue.replacing("-", with: " ")
    switch (change.text.isEmpty, old) {
    case (true, let old?): sentences.append("\(name) is removed; it was \(old)")
    case (true, nil): break
    case (false, let old?) where old != "YES" && old != "NO":
      sentences.append("\(name) is \(change.text) instead of \(old)")
    default: sentences.append("\(name) is \(change.text)")
    }
  }

  /// The contradiction between the limits and the default value; nil if there is none.
  var contradiction: String? {
    guard let type else { return nil }
    func read(_ name: String, _ dateName: String, _ type: AttributeType) -> AttributeValue? {
      if type == .date { return value(dateName).flatMap(Double.init).map { .date($0) } }
      return (values[name] ?? node[name]).flatMap { AttributeText.value(of: $0, as: type) }
    }
    let boundType = type == .string ? .integer64 : type
    var attribute = AttributeDescription(name: "", type: type)
    attribute.defaultValue = read("defaultValueString", "defaultDateTimeInterval", type)
    attribute.validation = AttributeValidation(
      minimum: read("minValueString", "minDateTimeInterval", boundType),
      maximum: read("maxValueString", "maxDateTimeInterval", boundType))
    switch attribute.limitContradiction {
    case .minimumAboveMaximum: return "the minimum is above the maximum"
    case .defaultBelowMinimum: return "the default value is below the minimum"
    case .defaultAboveMaximum: return "the default value is above the maximum"
    case nil: return nil
    }
  }
}
