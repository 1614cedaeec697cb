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
        remove(property: property, of: owner, why: "it pointed to \(name)", &removed)
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

  mutating func remove(constraint properties: [String], of entity: String) throws(ContentsEditError) {
    let groups = try node(ofEntity: entity).children.filter { $0.name == "uniquenessConstraints" }.flatMap(\.children)
    guard let group = groups.first(where: { Set($0.children.compactMap { $0["value"] }) == Set(properties) }) else {
      let known = groups.map { $0.children.compactMap { $0["value"] }.joined(separator: " ") }
      throw .notThere("a uniqueness constraint by \(properties.joined(separator: ", "))", of: entity, known: known)
    }
    remove(group)
    note(.entity(entity), "no longer unique by \(properties.joined(separator: ", "))")
  }

  mutating func remove(index name: String, of entity: String) throws(ContentsEditError) {
    let indexes = try node(ofEntity: entity).children.filter { $0.name == "fetchIndex" }
    guard let index = indexes.first(where: { $0["name"] == name }) else {
      throw .notThere("an index “\(name)”", of: entity, known: indexes.compactMap { $0["name"] })
    }
    remove(index)
    note(.fetchIndex(entity: entity, name: name), "removed")
  }

  private mutating func remove(
    property node: MarkupNode, of owner: MarkupNode, why: String?, _ removed: inout RemovedProperties
  ) {
    let (name, entity) = (node["name"] ?? "", owner["name"] ?? "")
    remove(node)
    note(place(of: node, in: owner), "removed" + (why.map { ", \($0)" } ?? ""))
    removed.insert(name, meantIn: scope(of: name, in: entity))
  }

  /// Removes the parts of indexes and constraints that contain removed properties, in one pass over the model.
  ///
  /// - Throws: ``ContentsEditError/derivedFrom(_:attribute:expression:)`` if a remaining attribute is derived from
  ///   one of the properties.
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

  /// Checks a derivation; one that is not a key path causes a warning.
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
      warn("\(element) may be derived from \(name), and is unchanged: \(text)")
    }
  }

  /// Removes a constraint that contains a removed property, as it would refuse other rows; an index loses a column.
  private mutating func removeMentions(of names: Set<String>, in node: MarkupNode, of owner: MarkupNode) {
    let entity = owner["name"] ?? ""
    switch node.name {
    case "fetchIndex": removeParts(of: node, "property", names, .fetchIndex(entity: entity, name: node["name"] ?? ""))
    case "compoundIndexes":
      for (position, group) in node.children.enumerated() {
        removeParts(of: group, "value", names, .compoundIndex(entity: entity, position: position))
      }
    case "uniquenessConstraints":
      for (position, group) in node.children.enumerated() {
        let found = group.children.compactMap { Self.first(of: $0["value"], in: names) }
        guard let name = found.first else { continue }
        remove(group)
        note(.uniquenessConstraint(entity: entity, position: position), "removed, it contained \(name)")
      }
    default: break
    }
  }

  /// Removes the parts of an index that begin with one of the names.
  private mutating func removeParts(
    of group: MarkupNode, _ attribute: String, _ names: Set<String>, _ element: ModelElement
  ) {
    let parts = group.children.compactMap { part in Self.first(of: part[attribute], in: names).map { (part, $0) } }
    guard !parts.isEmpty else { return }
    for (part, _) in parts { remove(part) }
    guard parts.count < group.children.count else { return note(element, "removed") }
    for (_, name) in parts { note(element, "without \(name)") }
  }

  /// The first name of a key path; nil if it is not one of the given names.
  private static func first(of path: String?, in names: Set<String>) -> String? {
    let first = path?.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
    return first.flatMap { names.contains($0) ? $0 : nil }
  }
}

private struct RemovedProperties {
  /// The names of the properties, by the entities in which a name means one of them.
  private(set) var byEntity: [String: Set<String>] = [:]
  private(set) var names: Set<String> = []

  mutating func insert(_ name: String, meantIn scope: Set<String>) {
    names.insert(name)
    for entity in scope { byEntity[entity, default: []].insert(name) }
  }
}

/// Removes elements from a text with their lines; containers that become empty are removed too.
struct EditRemoval {
  /// The elements that are removed when they become empty.
  private static let containers: Set<String> = [
    "fetchIndex", "compoundIndexes", "compoundIndex", "uniquenessConstraints", "uniquenessConstraint",
  ]

  private let source: MarkupSource
  private let removed: Set<Int>
  private(set) var edits: [ByteEdit] = []

  /// - Parameter removed: the start offsets of the elements to remove.
  init(_ source: MarkupSource, _ removed: Set<Int>) {
    (self.source, self.removed) = (source, removed)
    guard !removed.isEmpty else { return }
    for child in source.root.children where isRemoved(child) { edits.append(edit(of: child)) }
  }

  /// True for an element to remove completely; edits inside other elements are added.
  private mutating func isRemoved(_ node: MarkupNode) -> Bool {
    if removed.contains(node.range.lowerBound) { return true }
    var inner: [ByteEdit] = []
    var count = 0
    for child in node.children where isRemoved(child) {
      inner.append(edit(of: child))
      count += 1
    }
    guard count > 0 else { return false }
    guard count == node.children.count, !hasText(node) else {
      edits += inner
      return false
    }
    if Self.containers.contains(node.name) { return true }
    edits.append(ByteEdit(node.head.upperBound..<node.range.upperBound, "/>".utf8))
    return false
  }

  /// True if an element contains more than elements and white space, such as a comment.
  private func hasText(_ node: MarkupNode) -> Bool {
    guard let content = node.content else { return false }
    var position = content.lowerBound
    for child in node.children {
      if source[position..<child.range.lowerBound].contains(where: { !MergeAside.isSpace($0) }) { return true }
      position = child.range.upperBound
    }
    return source[position..<content.upperBound].contains { !MergeAside.isSpace($0) }
  }

  private func edit(of node: MarkupNode) -> ByteEdit {
    ByteEdit(source.lineStart(of: node)..<node.range.upperBound, [])
  }
}

extension MarkupSource {
  /// The start of the line of an element with the line break before it, or the start of the element if its line has text
  /// before it.
  func lineStart(of node: MarkupNode) -> Int {
    var start = node.range.lowerBound
    while start > 0, bytes[start - 1] == 32 || bytes[start - 1] == 9 { start -= 1 }
    guard start > 0, bytes[start - 1] == UInt8(ascii: "\n") else { return node.range.lowerBound }
    start -= 1
    return start > 0 && bytes[start - 1] == UInt8(ascii: "\r") ? start - 1 : start
  }

  /// The line break and the indentation before an element; empty if its line has text before it.
  func lead(of node: MarkupNode) -> ArraySlice<UInt8> { bytes[lineStart(of: node)..<node.range.lowerBound] }

  /// The end of an element, after the comments on the rest of its line.
  func lineEnd(after node: MarkupNode) -> Int {
    var position = node.range.upperBound
    while position < bytes.count {
      if bytes[position...].starts(with: "<!--".utf8) {
        while position < bytes.count, !bytes[position...].starts(with: "-->".utf8) { position += 1 }
        position += 3
      } else if bytes[position] == 32 || bytes[position] == 9 {
        position += 1
      } else if bytes[position] == UInt8(ascii: "\n") || bytes[position] == UInt8(ascii: "\r") {
        return position
      } else {
        break
      }
    }
    return node.range.upperBound
  }
}
