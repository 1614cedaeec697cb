import Foundation
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

  /// Holds what the element is now against the rest of the model.
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
    if draft.kind == "attribute", let reason = draft.contradiction { throw .contradictoryLimits(element, reason) }
    guard case .property(let entity, _) = element, draft.kind == "attribute",
      draft.changes.contains(where: { $0.name == "optional" }), draft.value("optional") == nil,
      draft.value("defaultValueString") == nil, draft.value("defaultDateTimeInterval") == nil,
      draft.value("derived") == nil, draft.value("transient") == nil
    else { return }
    warn(
      "\(element) is required and has no default value: where an older version has rows of \(entity) without a value, "
        + "they cannot be migrated; give it one with: modelctl edit set \(element) default=VALUE")
  }
}
