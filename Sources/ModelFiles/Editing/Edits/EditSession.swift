import Foundation
import ModelDescription

/// One edit of a file: the text, what it means, and what is to become of which bytes.
struct EditSession {
  let source: MarkupSource
  let model: ManagedObjectModel
  let hierarchy: EntityHierarchy
  let style: ContentsStyle
  private(set) var changes: [EditedContents.Change] = []
  private(set) var warnings: [String] = []
  private var noted: Set<EditedContents.Change> = []
  private var warned: Set<String> = []
  private var edits: [ByteEdit] = []
  /// Where the nodes to remove begin.
  private var removed: Set<Int> = []
  /// The elements to insert, by where their parents begin.
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

  mutating func warn(_ text: String) { if warned.insert(text).inserted { warnings.append(text) } }

  /// Gives an attribute a value, where Xcode writes it.
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

  /// Takes an attribute away, with the space before it.
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

  /// The entities in which a name means the property that an entity declares: itself and those below it, down to where
  /// one declares its own.
  func scope(of property: String, in entity: String) -> Set<String> {
    var scope: Set<String> = [entity]
    for member in hierarchy.family(of: entity).dropFirst()
    where member.superentityName.map(scope.contains) ?? false && !Self.declares(member, property) {
      scope.insert(member.name)
    }
    return scope
  }

  /// Checks a name that something new gets.
  func check(newName name: String) throws(ContentsEditError) {
    if let reason = ElementName.objection(to: name) { throw .badName(name, reason: reason) }
  }

  /// Checks a name that a new entity, or one that is renamed, gets.
  func check(newEntityName name: String) throws(ContentsEditError) {
    if let reason = ElementName.objection(toEntity: name) { throw .badName(name, reason: reason) }
  }

  /// Checks that neither an entity, what it inherits from nor what inherits from it has a property of a name.
  func checkFree(_ property: String, in entity: String) throws(ContentsEditError) {
    let relatives = hierarchy.lineage(of: entity) + hierarchy.family(of: entity).dropFirst()
    if let other = relatives.first(where: { Self.declares($0, property) }) {
      throw .exists(.property(entity: other.name, name: property))
    }
  }
}

/// What entities and properties are known by from version to version: the renaming identifier, else the name.
extension EditSession {
  /// Checks that no other entity is known by a name.
  ///
  /// - Parameters:
  ///   - canonicalName: the identifier, else the name, that the entity gets.
  ///   - entity: the entity's name before the edit.
  func checkIdentity(_ canonicalName: String, ofEntity entity: String) throws(ContentsEditError) {
    let other = model.entities.first { other in
      other.name != entity && Self.isKnown(other.name, other.renamingIdentifier, by: canonicalName)
    }
    if let other { throw .sharedIdentity(.entity(entity), canonicalName, with: .entity(other.name)) }
  }

  /// Checks that no other attribute, or relationship, that an entity has, inherits or hands down is known by a name.
  ///
  /// - Parameters:
  ///   - canonicalName: the identifier, else the name, that the property gets.
  ///   - property: the property's name before the edit.
  ///   - isAttribute: false for a relationship; the two kinds are told apart in every version.
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

  /// Warns about every predicate that has a name in it as a word, and may mean what was renamed or removed.
  ///
  /// - Parameter isMeant: whether the name alone means it in an entity; behind a full stop it may anywhere.
  mutating func warnAboutPredicates(naming name: String, _ isMeant: (String) -> Bool) {
    warnAboutPredicates(naming: [name]) { _, entity in isMeant(entity) }
  }

  /// The same for several names at once.
  ///
  /// - Parameter isMeant: whether one of them alone means what was renamed or removed in an entity.
  mutating func warnAboutPredicates(naming names: Set<String>, _ isMeant: (String, String) -> Bool) {
    func check(_ text: String?, in entity: String, _ words: String) {
      guard let text else { return }
      for name in ElementName.words(in: text) where names.contains(name) {
        guard isMeant(name, entity) || text.contains(".\(name)") else { continue }
        warn("the predicate of \(words) may mean \(name) and is left as it is: \(text)")
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
                "an expression of \(entity) index \(child["name"] ?? "") may mean \(name) and is left as it is: \(text)"
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
