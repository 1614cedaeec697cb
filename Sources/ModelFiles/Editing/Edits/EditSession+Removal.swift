import ModelDescription

extension EditSession {
  mutating func remove(entity name: String) throws(ContentsEditError) {
    let node = try node(ofEntity: name)
    let children = hierarchy.subentities(of: name).map(\.name)
    guard children.isEmpty else { throw .hasSubentities(name, children) }
    remove(node)
    note(.entity(name), "removed")
    for owner in entityNodes where owner["name"] != name {
      for property in owner.children where property.name == "relationship" {
        guard property["destinationEntity"] == name, !isRemoved(property) else { continue }
        remove(property: property, of: owner, why: "it led to \(name)")
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
    warnAboutPredicates(naming: name) { _ in true }
  }

  mutating func remove(property name: String, of entity: String) throws(ContentsEditError) {
    let node = try node(of: name, in: entity)
    let owner = try self.node(ofEntity: entity)
    remove(property: node, of: owner, why: nil)
    guard node.name == "relationship" else { return }
    let scope = scope(of: name, in: entity)
    for other in entityNodes {
      for inverse in other.children where inverse.name == "relationship" && inverse["inverseName"] == name {
        guard scope.contains(inverse.filled("inverseEntity") ?? inverse["destinationEntity"] ?? ""),
          !isRemoved(inverse)
        else { continue }
        remove(property: inverse, of: other, why: "it was the inverse of \(entity).\(name)")
      }
    }
  }

  /// Takes a property away with what mentions it in indexes and constraints.
  private mutating func remove(property node: MarkupNode, of owner: MarkupNode, why: String?) {
    let (name, entity) = (node["name"] ?? "", owner["name"] ?? "")
    remove(node)
    note(place(of: node, in: owner), "removed" + (why.map { ", \($0)" } ?? ""))
    let scope = scope(of: name, in: entity)
    for other in entityNodes where scope.contains(other["name"] ?? "") {
      for child in other.children { removeMentions(of: name, in: child, of: other) }
    }
    for other in entityNodes {
      for attribute in other.children where attribute.name == "attribute" && !isRemoved(attribute) {
        guard let text = attribute.filled("derivationExpression"), ElementName.isMentioned(name, in: text),
          DerivationPath(text)?.mentions(name, declaredBy: scope, from: other["name"] ?? "", hierarchy) ?? true
        else { continue }
        warn("\(place(of: attribute, in: other)) is derived from \(name), and is left as it is: \(text)")
      }
    }
    warnAboutPredicates(naming: name, scope.contains)
  }

  /// A constraint without one of its properties would be another, and refuse rows; an index just has a column less.
  private mutating func removeMentions(of name: String, in node: MarkupNode, of owner: MarkupNode) {
    let entity = owner["name"] ?? ""
    switch node.name {
    case "fetchIndex":
      let parts = node.children.filter { $0["property"].map { Self.begins($0, with: name) } ?? false }
      parts.forEach { remove($0) }
      if !parts.isEmpty {
        let isGone = parts.count == node.children.count
        note(.fetchIndex(entity: entity, name: node["name"] ?? ""), isGone ? "removed" : "without \(name)")
      }
    case "compoundIndexes":
      for (position, group) in node.children.enumerated() {
        let parts = group.children.filter { $0["value"].map { Self.begins($0, with: name) } ?? false }
        parts.forEach { remove($0) }
        if !parts.isEmpty {
          let isGone = parts.count == group.children.count
          note(.compoundIndex(entity: entity, position: position), isGone ? "removed" : "without \(name)")
        }
      }
    case "uniquenessConstraints":
      for (position, group) in node.children.enumerated()
      where group.children.contains(where: { $0["value"].map { Self.begins($0, with: name) } ?? false }) {
        remove(group)
        note(.uniquenessConstraint(entity: entity, position: position), "removed, it spoke of \(name)")
      }
    default: break
    }
  }
}
