import Foundation
import ModelDescription

extension EditSession {
  mutating func add(_ entity: EntityDescription) throws(ContentsEditError) {
    try check(newEntityName: entity.name)
    guard hierarchy.entity(named: entity.name) == nil else { throw .exists(.entity(entity.name)) }
    try checkIdentity(entity.renamingIdentifier ?? entity.name, ofEntity: entity.name)
    if let parent = entity.superentityName { _ = try node(ofEntity: parent) }
    var entity = entity
    entity.isSyncable = entityNodes.isEmpty || entityNodes.contains { $0["syncable"] != nil }
    insert(ContentsForm.element(entity), in: source.root)
    note(.entity(entity.name), "added" + (entity.superentityName.map { ", a sub-entity of \($0)" } ?? ""))
    guard let configuration = model.configurations.first else { return }
    warn(
      "\(entity.name) is not in any configuration, such as \(configuration.name); a store that is opened with a "
        + "configuration does not contain it")
  }

  mutating func add(_ attribute: AttributeDescription, to entity: String) throws(ContentsEditError) {
    let owner = try node(ofEntity: entity)
    try check(newName: attribute.name)
    try checkFree(attribute.name, in: entity)
    let element = ModelElement.property(entity: entity, name: attribute.name)
    try checkIdentity(
      attribute.renamingIdentifier ?? attribute.name, of: attribute.name, in: entity, isAttribute: true)
    if let setting = AttributeSetting.allCases.first(where: { $0.isSet(in: attribute) && !$0.suits(attribute.type) }) {
      throw .unsuitableSetting(element, setting, type: attribute.type.name)
    }
    if attribute.type == .composite {
      let name = attribute.compositeName ?? ""
      guard model.composites.contains(where: { $0.name == name }) else { throw .unknownComposite(name) }
    }
    let values = [attribute.defaultValue, attribute.validation.minimum, attribute.validation.maximum]
    guard values.allSatisfy({ $0.map { AttributeSpelling.defaultValue($0) != nil } ?? true }) else {
      throw .unwritableValue(element, type: attribute.type.name)
    }
    var attribute = attribute
    attribute.isSyncable = Self.says("syncable", properties(near: owner))
    insert(PropertyElements.element(attribute), in: owner)
    note(element, "added, \(attribute.type.name), \(attribute.isOptional ? "optional" : "required")")
    if !attribute.isOptional, attribute.defaultValue == nil, !attribute.isTransient, attribute.derivation == nil {
      warn(
        "\(element) is required and has no default value, so rows of \(entity) cannot be migrated from an older version",
        "give it a default value, or make it optional")
    }
  }

  mutating func add(
    _ relationship: RelationshipDescription, to entity: String, inverse: RelationshipDescription?
  ) throws(ContentsEditError) {
    let owner = try node(ofEntity: entity)
    try check(newName: relationship.name)
    try checkFree(relationship.name, in: entity)
    try checkIdentity(
      relationship.renamingIdentifier ?? relationship.name, of: relationship.name, in: entity, isAttribute: false)
    let destination = relationship.destinationEntityName ?? ""
    let far = try node(ofEntity: destination)
    var relationship = relationship
    relationship.isSyncable = Self.says("syncable", properties(near: owner))
    if let inverse {
      relationship.inverseName = inverse.name
      relationship.inverseEntityName = destination
    }
    insert(PropertyElements.element(relationship), in: owner)
    let element = ModelElement.property(entity: entity, name: relationship.name)
    note(element, "added, to \(relationship.isToMany ? "many" : "one") \(destination)")
    if let inverse { try addInverse(inverse, of: relationship, from: entity, in: far) }
  }

  mutating func add(constraint properties: [String], to entity: String) throws(ContentsEditError) {
    let owner = try node(ofEntity: entity)
    try checkMembers(properties, of: entity)
    let known = hierarchy.entity(named: entity)?.uniquenessConstraints ?? []
    guard !known.contains(where: { Set($0) == Set(properties) }) else {
      throw .nothingToDo(.entity(entity), "is unique by \(properties.joined(separator: ", "))")
    }
    guard let added = ContentsForm.constraints([properties]).first else { return }
    if let container = owner.children.first(where: { $0.name == added.name }) {
      added.children.forEach { insert($0, in: container) }
    } else {
      insert(added, in: owner)
    }
    note(.entity(entity), "unique by \(properties.joined(separator: ", "))")
    warn(
      "stores in which several rows of \(entity) have the same values cannot be migrated",
      "keep one of these rows: \(run: "modelctl", "migrate", "STORE", "--dedupe", "\(entity)=keep-newest")")
  }

  mutating func add(_ index: FetchIndexDescription, to entity: String) throws(ContentsEditError) {
    let owner = try node(ofEntity: entity)
    try check(newName: index.name)
    let element = ModelElement.fetchIndex(entity: entity, name: index.name)
    guard !owner.children.contains(where: { $0.name == "fetchIndex" && $0["name"] == index.name }) else {
      throw .exists(element)
    }
    let names = index.elements.compactMap { part -> String? in
      if case .property(let name) = part.subject { name } else { nil }
    }
    try checkMembers(names, of: entity)
    insert(ContentsForm.index(index), in: owner)
    note(element, "added, by \(names.joined(separator: ", "))")
  }

  /// Checks the properties of a constraint or an index: attributes and to-one relationships, each once.
  private func checkMembers(_ names: [String], of entity: String) throws(ContentsEditError) {
    let attributes = hierarchy.allAttributes(of: entity)
    let relationships = hierarchy.allRelationships(of: entity)
    var seen: Set<String> = []
    for name in names {
      guard seen.insert(name).inserted else {
        throw .notMember(.property(entity: entity, name: name), "it is named twice")
      }
      if attributes[name]?.property.isTransient ?? relationships[name]?.property.isTransient ?? false {
        throw .notMember(.property(entity: entity, name: name), "a transient property is not stored")
      }
      if relationships[name]?.property.isToMany == true {
        throw .notMember(.property(entity: entity, name: name), "a to-many relationship has no column")
      }
      guard attributes[name] != nil || relationships[name] != nil else {
        let known = Array(attributes.keys) + Array(relationships.keys)
        throw .unknownProperty(entity: entity, name: name, near: NearNames.nearest(to: name, among: known.sorted()))
      }
    }
  }

  private mutating func addInverse(
    _ inverse: RelationshipDescription, of relationship: RelationshipDescription, from entity: String,
    in far: MarkupNode
  ) throws(ContentsEditError) {
    let destination = far["name"] ?? ""
    let element = ModelElement.property(entity: destination, name: inverse.name)
    if destination == entity, inverse.name == relationship.name { return }
    if let node = far.children.first(where: { $0.name == "relationship" && $0["name"] == inverse.name }) {
      if let other = node.filled("inverseName") {
        throw .inverseTaken(element, by: "\(node.filled("inverseEntity") ?? "").\(other)")
      }
      guard hierarchy.isEntity(entity, kindOf: node["destinationEntity"] ?? "") else { throw .exists(element) }
      set("inverseName", relationship.name, on: node)
      set("inverseEntity", entity, on: node)
      return note(element, "the inverse of \(entity).\(relationship.name)")
    }
    try check(newName: inverse.name)
    try checkFree(inverse.name, in: destination)
    try checkIdentity(
      inverse.renamingIdentifier ?? inverse.name, of: inverse.name, in: destination, isAttribute: false)
    var inverse = inverse
    inverse.destinationEntityName = entity
    (inverse.inverseName, inverse.inverseEntityName) = (relationship.name, entity)
    inverse.isSyncable = relationship.isSyncable
    insert(PropertyElements.element(inverse), in: far)
    note(
      element, "added, to \(inverse.isToMany ? "many" : "one") \(entity), the inverse of \(entity).\(relationship.name)"
    )
  }

  /// The properties of an entity, or of all entities if it has none.
  private func properties(near entity: MarkupNode) -> [MarkupNode] {
    let own = entity.children.filter { Self.propertyKinds.contains($0.name) }
    return own.isEmpty
      ? entityNodes.flatMap(\.children).filter { Self.propertyKinds.contains($0.name) } : own
  }

  private static func says(_ flag: String, _ nodes: [MarkupNode]) -> Bool {
    !nodes.isEmpty && nodes.allSatisfy { $0[flag] == "YES" }
  }
}

/// Inserts new elements into a text where Xcode would, with the indentation of their neighbors.
struct EditInsertion {
  private let source: MarkupSource
  private let style: ContentsStyle

  init(_ source: MarkupSource, _ style: ContentsStyle) { (self.source, self.style) = (source, style) }

  /// The insertions of elements, which are given by the start offset of their parent.
  func edits(of inserted: [Int: [ContentsElement]]) -> [ByteEdit] {
    guard !inserted.isEmpty else { return [] }
    var edits: [ByteEdit] = []
    var nodes = [source.root]
    while let node = nodes.popLast() {
      if let elements = inserted[node.range.lowerBound] { edits += self.edits(inserting: elements, in: node) }
      nodes += node.children
    }
    return edits
  }

  private func edits(inserting elements: [ContentsElement], in node: MarkupNode) -> [ByteEdit] {
    let lead = Array(source.lead(of: node))
    let inner = lead.isEmpty ? [] : lead + Array(style.indentation.utf8)
    let childLead = node.children.first.map { Array(source.lead(of: $0)) } ?? inner
    var texts: [Int: [UInt8]] = [:]
    for element in elements { texts[gap(for: element, in: node), default: []] += text(of: element, after: childLead) }
    guard let content = node.content else {
      let end = (childLead.isEmpty ? [] : lead) + Array("</\(node.name)>".utf8)
      return [ByteEdit(node.head.upperBound..<node.range.upperBound, Array(">".utf8) + (texts[0] ?? []) + end)]
    }
    return texts.map { gap, text in
      let offset = gap > 0 ? source.lineEnd(after: node.children[gap - 1]) : content.lowerBound
      return ByteEdit(offset..<offset, text)
    }
  }

  /// An element with its lead, indented as deep; on a single line if its siblings share a line.
  private func text(of element: ContentsElement, after lead: [UInt8]) -> [UInt8] {
    var style = style
    if lead.isEmpty {
      (style.lineEnd, style.indentation) = ("", "")
    } else {
      style.lineEnd = String(decoding: lead, as: UTF8.self)
    }
    return lead + ContentsWriter(style).bytes(of: element, depth: 0)
  }

  /// The number of children before a new element.
  ///
  /// If the elements of its kind are sorted by name, regardless of case, so is the new one; if not, it follows them.
  private func gap(for element: ContentsElement, in parent: MarkupNode) -> Int {
    let children = parent.children
    let kin = children.indices.filter { children[$0].name == element.name }
    guard let first = kin.first, let last = kin.last else {
      let rank = EditorOrder.rank(ofChild: element.name, in: parent.name)
      let before = children.lastIndex {
        EditorOrder.knows(child: $0.name, in: parent.name) && EditorOrder.rank(ofChild: $0.name, in: parent.name) < rank
      }
      return before.map { $0 + 1 } ?? 0
    }
    let names = kin.map { (children[$0]["name"] ?? "").lowercased() }
    guard names == names.sorted(), let name = element["name"]?.lowercased() else { return last + 1 }
    return names.lastIndex { $0 <= name }.map { kin[$0] + 1 } ?? first
  }
}
