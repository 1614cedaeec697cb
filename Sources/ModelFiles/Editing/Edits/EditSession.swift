import Foundation
import ModelDescription

/// One edit of a file: the text, its model, and the changes of its bytes.
struct EditSession {
  let source: MarkupSource
  let model: ManagedObjectModel
  let hierarchy: EntityHierarchy
  let style: ContentsStyle
  private(set) var changes: [EditedContents.Change] = []
  private(set) var warnings: [EditedContents.Warning] = []
  private var noted: Set<EditedContents.Change> = []
  private var warned: Set<EditedContents.Warning> = []
  private var edits: [ByteEdit] = []
  /// The start offsets of the nodes to remove.
  private var removed: Set<Int> = []
  /// The elements to insert, by the start offset of their parent.
  private var inserted: [Int: [ContentsElement]] = [:]

  init(_ data: Data, path: String) throws(ContentsEditError) {
    do throws(ModelFileError) {
      model = try ContentsReader.read(data, path: path).model
      source = try MarkupSource(data, path: path)
    } catch {
      throw .model(error)
    }
    do throws(ModelStructureError) {
      hierarchy = try EntityHierarchy(model)
    } catch {
      throw .unsound(path: path, error)
    }
    style = ContentsStyle(of: source)
  }

  func result() -> Data {
    let edits = edits + EditRemoval(source, removed).edits + EditInsertion(source, style).edits(of: inserted)
    return Data(ByteEdit.apply(edits, to: source.bytes))
  }

  mutating func note(_ element: ModelElement, _ sentence: String) {
    let change = EditedContents.Change(element: element, sentence: "\(element): \(sentence)")
    if noted.insert(change).inserted { changes.append(change) }
  }

  mutating func warn(_ text: String, _ advice: Advice? = nil) {
    let warning = EditedContents.Warning(cause: text, advice: advice)
    if warned.insert(warning).inserted { warnings.append(warning) }
  }

  /// Gives an attribute a value, at the position where Xcode writes it.
  mutating func set(_ name: String, _ value: String, on node: MarkupNode) {
    guard let attribute = node.attributes.first(where: { $0.name == name }) else {
      let text = " \(name)=\"\(XMLText.attribute(value))\""
      let position = EditorOrder.position(of: name, among: node.attributes.map(\.name), in: node.name)
      let offset =
        position > 0
        ? node.attributes[position - 1].range.upperBound : node.head.lowerBound + 1 + node.name.utf8.count
      edits.append(ByteEdit(offset..<offset, text.utf8))
      return
    }
    guard attribute.value != value else { return }
    var text = XMLText.attribute(value)
    if source.bytes[attribute.valueRange.lowerBound - 1] == UInt8(ascii: "'") {
      text = text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "&#39;")
    }
    edits.append(ByteEdit(attribute.valueRange, text.utf8))
  }

  /// Removes an attribute, with the space before it.
  mutating func removeAttribute(_ name: String, of node: MarkupNode) {
    guard let position = node.attributes.firstIndex(where: { $0.name == name }) else { return }
    let start =
      position > 0
      ? node.attributes[position - 1].range.upperBound : node.head.lowerBound + 1 + node.name.utf8.count
    edits.append(ByteEdit(start..<node.attributes[position].range.upperBound, []))
  }

  mutating func remove(_ node: MarkupNode) { removed.insert(node.range.lowerBound) }

  func isRemoved(_ node: MarkupNode) -> Bool { removed.contains(node.range.lowerBound) }

  mutating func insert(_ element: ContentsElement, in parent: MarkupNode) {
    inserted[parent.range.lowerBound, default: []].append(element)
  }

  var entityNodes: [MarkupNode] { source.root.children.filter { $0.name == "entity" } }

  func node(ofEntity name: String) throws(ContentsEditError) -> MarkupNode {
    guard let node = entityNodes.first(where: { $0["name"] == name }) else {
      throw .unknownEntity(name, near: NearNames.nearest(to: name, among: model.entities.map(\.name)))
    }
    return node
  }

  static let propertyKinds: Set<String> = ["attribute", "relationship", "fetchedProperty"]

  /// The element of a property that an entity declares itself.
  func node(of property: String, in entity: String) throws(ContentsEditError) -> MarkupNode {
    let owner = try node(ofEntity: entity)
    let properties = owner.children.filter { Self.propertyKinds.contains($0.name) }
    if let node = properties.first(where: { $0["name"] == property }) { return node }
    for ancestor in hierarchy.lineage(of: entity).dropFirst() where Self.declares(ancestor, property) {
      throw .inherited(entity: entity, name: property, from: ancestor.name)
    }
    let names = properties.compactMap { $0["name"] }
    throw .unknownProperty(entity: entity, name: property, near: NearNames.nearest(to: property, among: names))
  }

  static func declares(_ entity: EntityDescription, _ property: String) -> Bool {
    entity.attributes.contains { $0.name == property } || entity.relationships.contains { $0.name == property }
      || entity.fetchedProperties.contains { $0.name == property }
  }

  /// The entities in which a name means the property that an entity declares: the entity and its sub-entities, except
  /// those that declare a property of this name themselves.
  func scope(of property: String, in entity: String) -> Set<String> {
    var scope: Set<String> = [entity]
    for member in hierarchy.family(of: entity).dropFirst()
    where member.superentityName.map(scope.contains) ?? false && !Self.declares(member, property) {
      scope.insert(member.name)
    }
    return scope
  }

  /// Checks the name of a new element.
  func check(newName name: String) throws(ContentsEditError) {
    if let reason = ElementName.objection(to: name) { throw .badName(name, reason: reason) }
  }

  /// Checks the name of a new or renamed entity.
  func check(newEntityName name: String) throws(ContentsEditError) {
    if let reason = ElementName.objection(toEntity: name) { throw .badName(name, reason: reason) }
  }

  /// Checks that an entity, its ancestors and its sub-entities lack a property of a name.
  func checkFree(_ property: String, in entity: String) throws(ContentsEditError) {
    let relatives = hierarchy.lineage(of: entity) + hierarchy.family(of: entity).dropFirst()
    if let other = relatives.first(where: { Self.declares($0, property) }) {
      throw .exists(.property(entity: other.name, name: property))
    }
  }
}

/// The canonical names of entities and properties: the renaming identifier, or the name if there is none.
extension EditSession {
  /// Checks that no other entity has a canonical name.
  ///
  /// - Parameters:
  ///   - canonicalName: the new canonical name of the entity.
  ///   - entity: the entity's name before the edit.
  func checkIdentity(_ canonicalName: String, ofEntity entity: String) throws(ContentsEditError) {
    let other = model.entities.first { other in
      other.name != entity && Self.isKnown(other.name, other.renamingIdentifier, by: canonicalName)
    }
    if let other { throw .sharedIdentity(.entity(entity), canonicalName, with: .entity(other.name)) }
  }

  /// Checks that no other attribute or relationship of an entity, its ancestors and its sub-entities has a canonical name.
  ///
  /// - Parameters:
  ///   - canonicalName: the new canonical name of the property.
  ///   - property: the property's name before the edit.
  ///   - isAttribute: false for a relationship; an attribute and a relationship may have the same canonical name.
  func checkIdentity(
    _ canonicalName: String, of property: String, in entity: String, isAttribute: Bool
  ) throws(ContentsEditError) {
    for relative in hierarchy.lineage(of: entity) + hierarchy.family(of: entity).dropFirst() {
      let siblings =
        isAttribute
        ? relative.attributes.map { ($0.name, $0.renamingIdentifier) }
        : relative.relationships.map { ($0.name, $0.renamingIdentifier) }
      for (name, identifier) in siblings where name != property && Self.isKnown(name, identifier, by: canonicalName) {
        throw .sharedIdentity(
          .property(entity: entity, name: property), canonicalName,
          with: .property(entity: relative.name, name: name))
      }
    }
  }

  private static func isKnown(_ name: String, _ identifier: String?, by canonicalName: String) -> Bool {
    (identifier.flatMap { $0.isEmpty ? nil : $0 } ?? name) == canonicalName
  }

  /// Warns about every predicate that contains a name as a word, and may mean the renamed or removed element.
  ///
  /// - Parameter isMeant: whether the name alone means the element in an entity; after a full stop it may in every entity.
  mutating func warnAboutPredicates(naming name: String, _ isMeant: (String) -> Bool) {
    warnAboutPredicates(naming: [name]) { _, entity in isMeant(entity) }
  }

  /// Warns about every predicate that contains one of several names.
  ///
  /// - Parameter isMeant: whether a name alone means the renamed or removed element in an entity.
  mutating func warnAboutPredicates(naming names: Set<String>, _ isMeant: (String, String) -> Bool) {
    func check(_ text: String?, in entity: String, _ words: String) {
      guard let text else { return }
      for name in ElementName.words(in: text) where names.contains(name) {
        guard isMeant(name, entity) || text.contains(".\(name)") else { continue }
        warn("the predicate of \(words) may mean \(name), and is unchanged: \(text)")
      }
    }
    for request in source.root.children where request.name == "fetchRequest" && !isRemoved(request) {
      check(request["predicateString"], in: request["entity"] ?? "", "fetch request \(request["name"] ?? "")")
    }
    for owner in entityNodes where !isRemoved(owner) {
      let entity = owner["name"] ?? ""
      for child in owner.children {
        if child.name == "fetchIndex" {
          check(child["partialIndexPredicate"], in: entity, "\(entity) index \(child["name"] ?? "")")
          for part in child.children {
            guard let text = part["expression"] else { continue }
            for name in ElementName.words(in: text) where names.contains(name) && isMeant(name, entity) {
              warn(
                "an expression of \(entity) index \(child["name"] ?? "") may mean \(name), and is unchanged: \(text)"
              )
            }
          }
        }
        guard child.name == "fetchedProperty", !isRemoved(child) else { continue }
        for request in child.children where request.name == "fetchRequest" {
          check(request["predicateString"], in: request["entity"] ?? "", "\(entity).\(child["name"] ?? "")")
        }
      }
    }
  }
}
