import ModelDescription

extension EditSession {
  mutating func rename(
    entity former: String, to name: String, _ origin: ElementOrigin?
  ) throws(ContentsEditError) {
    let node = try node(ofEntity: former)
    let element = ModelElement.entity(former)
    guard name != former else { throw .nothingToDo(element, "has this name") }
    try check(newEntityName: name)
    guard hierarchy.entity(named: name) == nil else { throw .exists(.entity(name)) }
    set("name", name, on: node)
    note(element, "renamed to \(name)")
    if let identifier = identify(node, named: name, element, origin) {
      try checkIdentity(identifier, ofEntity: former)
    }
    var (links, others) = (0, 0)
    for entity in entityNodes {
      if entity["parentEntity"] == former {
        set("parentEntity", name, on: entity)
        note(.entity(entity["name"] ?? ""), "inherits from \(name)")
      }
      for property in entity.children where Self.propertyKinds.contains(property.name) {
        for attribute in ["destinationEntity", "inverseEntity"] where property[attribute] == former {
          set(attribute, name, on: property)
          links += 1
        }
        others += follow(property.children.filter { $0.name == "fetchRequest" }, "entity", former, name)
      }
    }
    if links > 0 { note(element, "\(links) ends of relationships follow") }
    others += follow(source.root.children.filter { $0.name == "fetchRequest" }, "entity", former, name)
    for part in source.root.children where part.name == "configuration" || part.name == "elements" {
      let count = follow(part.children, "name", former, name)
      if part.name == "configuration", count > 0 {
        note(.configuration(part["name"] ?? ""), "\(former) is \(name)")
      }
    }
    if others > 0 { note(element, "\(others) fetch requests follow") }
    if node["representedClassName"] == former {
      warn("the class of \(name) is still called \(former); rename it in code and in the model together")
    }
    warnAboutPredicates(naming: former) { _ in true }
  }

  mutating func rename(
    _ former: String, of entity: String, to name: String, _ origin: ElementOrigin?
  ) throws(ContentsEditError) {
    let node = try node(of: former, in: entity)
    let element = ModelElement.property(entity: entity, name: former)
    guard name != former else { throw .nothingToDo(element, "has this name") }
    try check(newName: name)
    try checkFree(name, in: entity)
    set("name", name, on: node)
    note(element, "renamed to \(name)")
    if node.name != "fetchedProperty", let identifier = identify(node, named: name, element, origin) {
      try checkIdentity(identifier, of: former, in: entity, isAttribute: node.name == "attribute")
    }
    let scope = scope(of: former, in: entity)
    for owner in entityNodes {
      let isInScope = scope.contains(owner["name"] ?? "")
      for child in owner.children {
        switch child.name {
        case "relationship" where child["inverseName"] == former:
          guard scope.contains(child.filled("inverseEntity") ?? child["destinationEntity"] ?? "") else { continue }
          set("inverseName", name, on: child)
          note(place(of: child, in: owner), "its inverse is \(entity).\(name)")
        case "attribute": derive(child, of: owner, former, scope, name)
        case "fetchIndex", "compoundIndexes", "uniquenessConstraints":
          if isInScope, mention(in: child, former, name) {
            note(element, "\(Self.words(for: child, of: owner)) follows")
          }
        default: break
        }
      }
    }
    warnAboutPredicates(naming: former, scope.contains)
  }

  /// Gives an element the identifier by which the version before knows it.
  ///
  /// - Parameters:
  ///   - node: the element, with its former name.
  ///   - name: its new name.
  ///   - element: what messages call it.
  ///   - origin: what it continues; nil when that is not known.
  /// - Returns: what it is known by now, to be held against what others are; nil when that is its former identifier.
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

  private mutating func follow(_ nodes: [MarkupNode], _ attribute: String, _ former: String, _ name: String) -> Int {
    let found = nodes.filter { $0[attribute] == former }
    for node in found { set(attribute, name, on: node) }
    return found.count
  }

  /// Renames in an index or a constraint; a key path may begin with the name.
  private mutating func mention(in node: MarkupNode, _ former: String, _ name: String) -> Bool {
    var isFound = false
    for attribute in ["property", "value"] {
      guard let text = node[attribute], Self.begins(text, with: former) else { continue }
      set(attribute, name + text.dropFirst(former.count), on: node)
      isFound = true
    }
    for child in node.children where mention(in: child, former, name) { isFound = true }
    return isFound
  }

  /// True for a name, and for a key path that begins with it.
  static func begins(_ text: String, with name: String) -> Bool { text == name || text.hasPrefix("\(name).") }

  /// Renames in a derivation.
  private mutating func derive(
    _ node: MarkupNode, of owner: MarkupNode, _ former: String, _ scope: Set<String>, _ name: String
  ) {
    guard let text = node.filled("derivationExpression"), ElementName.isMentioned(former, in: text) else { return }
    let element = place(of: node, in: owner)
    let path = DerivationKeyPath(text)
    guard let path else {
      return warn("the derivation of \(element) may mean \(former) and is left as it is: \(text)")
    }
    guard let renamed = path.renaming(former, declaredBy: scope, to: name, from: owner["name"] ?? "", hierarchy)
    else { return }
    set("derivationExpression", renamed, on: node)
    note(element, "is derived from \(renamed)")
  }

  func place(of node: MarkupNode, in owner: MarkupNode) -> ModelElement {
    .property(entity: owner["name"] ?? "", name: node["name"] ?? "")
  }

  /// How messages call an index or constraints.
  static func words(for node: MarkupNode, of owner: MarkupNode) -> String {
    let entity = owner["name"] ?? ""
    return switch node.name {
    case "fetchIndex": "\(entity) index \(node["name"] ?? "")"
    case "compoundIndexes": "a compound index of \(entity)"
    default: "a uniqueness constraint of \(entity)"
    }
  }
}
