import ModelDescription

extension EditSession {
  mutating func rename(entity oldName: String, to name: String, _ origin: ElementOrigin?) throws(ContentsEditError) {
    let node = try node(ofEntity: oldName)
    let element = ModelElement.entity(oldName)
    guard name != oldName else { throw .nothingToDo(element, "has this name") }
    try check(newEntityName: name)
    guard hierarchy.entity(named: name) == nil else { throw .exists(.entity(name)) }
    set("name", name, on: node)
    note(element, "renamed to \(name)")
    if let identifier = identify(node, named: name, element, origin) {
      try checkIdentity(identifier, ofEntity: oldName)
    }
    var (links, others) = (0, 0)
    for entity in entityNodes {
      if entity["parentEntity"] == oldName {
        set("parentEntity", name, on: entity)
        note(.entity(entity["name"] ?? ""), "inherits from \(name)")
      }
      for property in entity.children where Self.propertyKinds.contains(property.name) {
        for attribute in ["destinationEntity", "inverseEntity"] where property[attribute] == oldName {
          set(attribute, name, on: property)
          links += 1
        }
        others += follow(property.children.filter { $0.name == "fetchRequest" }, "entity", oldName, name)
      }
    }
    if links > 0 { note(element, "\(links) ends of relationships renamed too") }
    others += follow(source.root.children.filter { $0.name == "fetchRequest" }, "entity", oldName, name)
    for part in source.root.children where part.name == "configuration" || part.name == "elements" {
      let count = follow(part.children, "name", oldName, name)
      if part.name == "configuration", count > 0 {
        note(.configuration(part["name"] ?? ""), "\(oldName) is \(name)")
      }
    }
    if others > 0 { note(element, "\(others) fetch requests renamed too") }
    if node["representedClassName"] == oldName {
      warn("the class of \(name) still has the name \(oldName)", "rename it in code and in the model together")
    }
    warnAboutPredicates(naming: oldName) { _ in true }
  }

  mutating func rename(
    _ oldName: String, of entity: String, to name: String, _ origin: ElementOrigin?
  ) throws(ContentsEditError) {
    let node = try node(of: oldName, in: entity)
    let element = ModelElement.property(entity: entity, name: oldName)
    guard name != oldName else { throw .nothingToDo(element, "has this name") }
    try check(newName: name)
    try checkFree(name, in: entity)
    set("name", name, on: node)
    note(element, "renamed to \(name)")
    if node.name != "fetchedProperty", let identifier = identify(node, named: name, element, origin) {
      try checkIdentity(identifier, of: oldName, in: entity, isAttribute: node.name == "attribute")
    }
    let scope = scope(of: oldName, in: entity)
    for owner in entityNodes {
      let isInScope = scope.contains(owner["name"] ?? "")
      for child in owner.children {
        switch child.name {
        case "relationship" where child["inverseName"] == oldName:
          guard scope.contains(child.filled("inverseEntity") ?? child["destinationEntity"] ?? "") else { continue }
          set("inverseName", name, on: child)
          note(place(of: child, in: owner), "its inverse is \(entity).\(name)")
        case "attribute": derive(child, of: owner, oldName, scope, name)
        case "fetchIndex", "compoundIndexes", "uniquenessConstraints":
          if isInScope, mention(in: child, oldName, name) {
            note(element, "\(Self.words(for: child, of: owner)) renamed too")
          }
        default: break
        }
      }
    }
    warnAboutPredicates(naming: oldName, scope.contains)
  }

  /// Gives an element the renaming identifier of the previous version.
  ///
  /// - Parameter origin: the element that it continues; nil if it is unknown.
  /// - Returns: its new canonical name, to be compared with the names of other elements; nil if it is unchanged.
  private mutating func identify(
    _ node: MarkupNode, named name: String, _ element: ModelElement, _ origin: ElementOrigin?
  ) -> String? {
    let written = node.filled("renamingIdentifier") ?? node.filled("elementID")
    let wanted: String
    switch (origin, written) {
    case (.continues(let canonicalName), _): wanted = canonicalName
    case (.added, nil): return name
    case (_, let written?): wanted = written
    case (nil, nil): wanted = node["name"] ?? ""
    }
    if written == wanted {
      note(element, "keeps its renaming identifier “\(wanted)”")
      return nil
    }
    if written == nil, wanted == name { return name }
    set(node.filled("renamingIdentifier") == nil ? "elementID" : "renamingIdentifier", wanted, on: node)
    note(element, "has the renaming identifier “\(wanted)”, so that a migration keeps its data")
    return wanted
  }

  private mutating func follow(_ nodes: [MarkupNode], _ attribute: String, _ oldName: String, _ name: String) -> Int {
    let found = nodes.filter { $0[attribute] == oldName }
    for node in found { set(attribute, name, on: node) }
    return found.count
  }

  /// Renames in an index or a constraint; a key path may begin with the name.
  private mutating func mention(in node: MarkupNode, _ oldName: String, _ name: String) -> Bool {
    var isFound = false
    for attribute in ["property", "value"] {
      guard let text = node[attribute], Self.begins(text, with: oldName) else { continue }
      set(attribute, name + text.dropFirst(oldName.count), on: node)
      isFound = true
    }
    for child in node.children where mention(in: child, oldName, name) { isFound = true }
    return isFound
  }

  static func begins(_ text: String, with name: String) -> Bool { text == name || text.hasPrefix("\(name).") }

  private mutating func derive(
    _ node: MarkupNode, of owner: MarkupNode, _ oldName: String, _ scope: Set<String>, _ name: String
  ) {
    guard let text = node.filled("derivationExpression"), ElementName.isMentioned(oldName, in: text) else { return }
    let element = place(of: node, in: owner)
    let path = DerivationKeyPath(text)
    guard let path else {
      return warn("the derivation of \(element) may mean \(oldName), and is unchanged: \(text)")
    }
    guard let renamed = path.renaming(oldName, declaredBy: scope, to: name, from: owner["name"] ?? "", hierarchy)
    else { return }
    set("derivationExpression", renamed, on: node)
    note(element, "is derived from \(renamed)")
  }

  func place(of node: MarkupNode, in owner: MarkupNode) -> ModelElement {
    .property(entity: owner["name"] ?? "", name: node["name"] ?? "")
  }

  /// The name of an index or constraints in messages.
  static func words(for node: MarkupNode, of owner: MarkupNode) -> String {
    let entity = owner["name"] ?? ""
    return switch node.name {
    case "fetchIndex": "\(entity) index \(node["name"] ?? "")"
    case "compoundIndexes": "a compound index of \(entity)"
    default: "a uniqueness constraint of \(entity)"
    }
  }
}
