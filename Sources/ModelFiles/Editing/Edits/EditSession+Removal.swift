import ModelDescription

extension EditSession {
  mutating func remove(entity name: String) throws(ContentsEditError) {
    let node = try node(ofEntity: name)
    let children = hierarchy.subentities(of: name).map(\.name)
    guard children.isEmpty else { throw .hasSubentities(name, children) }
    remove(node)
    note(.entity(name), "removed")
    var removed = RemovedProperties()
    for owner in entityNodes where owner["name"] != name {
      for property in owner.children where property.name == "relationship" && property["destinationEntity"] == name {
        remove(property: property, of: owner, why: "it led to \(name)", &removed)
      }
      for property in owner.children where property.name == "fetchedProperty" {
        guard property.children.contains(where: { $0["entity"] == name }) else { continue }
        remove(property)
        note(place(of: property, in: owner), "removed, it fetched \(name)")
      }
    }
    for part in source.root.children {
      switch part.name {
      case "fetchRequest" where part["entity"] == name:
        remove(part)
        note(.fetchRequest(part["name"] ?? ""), "removed, it fetched \(name)")
      case "configuration":
        for member in part.children where member["name"] == name {
          remove(member)
          note(.configuration(part["name"] ?? ""), "without \(name)")
        }
      case "elements": part.children.filter { $0["name"] == name }.forEach { remove($0) }
      default: break
      }
    }
    try follow(removed)
    warnAboutPredicates(naming: name) { _ in true }
  }

  mutating func remove(property name: String, of entity: String) throws(ContentsEditError) {
    let node = try node(of: name, in: entity)
    let owner = try self.node(ofEntity: entity)
    var removed = RemovedProperties()
    remove(property: node, of: owner, why: nil, &removed)
    guard node.name == "relationship" else { return try follow(removed) }
    let scope = scope(of: name, in: entity)
    for other in entityNodes {
      for inverse in other.children where inverse.name == "relationship" && inverse["inverseName"] == name {
        guard scope.contains(inverse.filled("inverseEntity") ?? inverse["destinationEntity"] ?? ""),
          !isRemoved(inverse)
        else { continue }
        remove(property: inverse, of: other, why: "it was the inverse of \(entity).\(name)", &removed)
      }
    }
    try follow(removed)
  }

  private mutating func remove(
    property node: MarkupNode, of owner: MarkupNode, why: String?, _ removed: inout RemovedProperties
  ) {
    let (name, entity) = (node["name"] ?? "", owner["name"] ?? "")
    remove(node)
    note(place(of: node, in: owner), "removed" + (why.map { ", \($0)" } ?? ""))
    removed.insert(name, meantIn: scope(of: name, in: entity))
  }

  /// Takes away what mentions removed properties in indexes and constraints, in one pass over the model.
  ///
  /// - Throws: ``ContentsEditError/derivedFrom(_:attribute:expression:)`` where an attribute that stays is derived from
  ///   one of them.
  private mutating func follow(_ removed: RemovedProperties) throws(ContentsEditError) {
    guard !removed.names.isEmpty else { return }
    for owner in entityNodes where !isRemoved(owner) {
      let entity = owner["name"] ?? ""
      for child in owner.children {
        if child.name == "attribute", !isRemoved(child) {
          try checkDerivation(of: child, in: owner, removed)
        } else if let names = removed.byEntity[entity] {
          removeMentions(of: names, in: child, of: owner)
        }
      }
    }
    warnAboutPredicates(naming: removed.names) { name, entity in removed.byEntity[entity]?.contains(name) ?? false }
  }

  /// A derivation in a form that is not understood is reported; only people know what its words mean.
  private mutating func checkDerivation(
    of attribute: MarkupNode, in owner: MarkupNode, _ removed: RemovedProperties
  ) throws(ContentsEditError) {
    guard let text = attribute.filled("derivationExpression") else { return }
    let element = place(of: attribute, in: owner)
    if let path = DerivationKeyPath(text) {
      guard let name = path.first(of: removed.byEntity, from: owner["name"] ?? "", hierarchy) else { return }
      throw .derivedFrom(name, attribute: element, expression: text)
    }
    for name in ElementName.words(in: text) where removed.names.contains(name) {
      warn("\(element) may be derived from \(name), and is left as it is: \(text)")
    }
  }

  /// A constraint without one of its properties would be another, and refuse rows; an index just has a column less.
  private mutating func removeMentions(of names: Set<String>, in node: MarkupNode, of owner: MarkupNode) {
    let entity = owner["name"] ?? ""
    switch node.name {
    case "fetchIndex":
      removeParts(of: node, "property", names, .fetchIndex(entity: entity, name: node["name"] ?? ""))
    case "compoundIndexes":
      for (position, group) in node.children.enumerated() {
        removeParts(of: group, "value", names, .compoundIndex(entity: entity, position: position))
      }
    case "uniquenessConstraints":
      for (position, group) in node.children.enumerated() {
        let spoken = group.children.compactMap { Self.first(of: $0["value"], in: names) }
        guard let name = spoken.first else { continue }
        remove(group)
        note(.uniquenessConstraint(entity: entity, position: position), "removed, it spoke of \(name)")
      }
    default: break
    }
  }

  /// Takes away the parts of an index that begin with one of the names.
  private mutating func removeParts(
    of group: MarkupNode, _ attribute: String, _ names: Set<String>, _ element: ModelElement
  ) {
    let parts = group.children.compactMap { part in Self.first(of: part[attribute], in: names).map { (part, $0) } }
    guard !parts.isEmpty else { return }
    for (part, _) in parts { remove(part) }
    guard parts.count < group.children.count else { return note(element, "removed") }
    for (_, name) in parts { note(element, "without \(name)") }
  }

  /// The first name of a key path, when it is one of those given.
  private static func first(of path: String?, in names: Set<String>) -> String? {
    let first = path?.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
    return first.flatMap { names.contains($0) ? $0 : nil }
  }
}

/// The properties that an edit removes.
private struct RemovedProperties {
  /// Their names, by the entities in which a name means one of them.
  private(set) var byEntity: [String: Set<String>] = [:]
  private(set) var names: Set<String> = []

  mutating func insert(_ name: String, meantIn scope: Set<String>) {
    names.insert(name)
    for entity in scope { byEntity[entity, default: []].insert(name) }
  }
}
