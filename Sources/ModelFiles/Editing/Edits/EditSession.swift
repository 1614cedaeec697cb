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
  /// Edits of attributes.
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

  /// The edited text.
  func result() -> Data {
    let edits = edits + EditRemoval(source, removed).edits + EditInsertion(source, style).edits(of: inserted)
    return Data(ByteEdit.apply(edits, to: source.bytes))
  }

  mutating func note(_ element: ModelElement, _ sentence: String) {
    let change = EditedContents.Change(element: element, sentence: "\(element): \(sentence)")
    if noted.insert(change).inserted { changes.append(change) }
  }

  mutating func warn(_ text: String) {
    if warned.insert(text).inserted { warnings.append(text) }
  }

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
}

extension EditSession {
  /// The elements of entities.
  var entityNodes: [MarkupNode] { source.root.children.filter { $0.name == "entity" } }

  /// The element of an entity.
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
