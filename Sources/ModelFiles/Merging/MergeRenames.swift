import Foundation

/// What one side of a merge renamed, so that the other side's references follow.
struct MergeRenames {
  /// A property of the base.
  private struct Property: Hashable {
    let entity: String
    let name: String
  }

  /// The base's name of each entity of this side that continues one.
  private var baseNames: [String: String] = [:]
  private var entities: [String: String] = [:]
  private var properties: [Property: String] = [:]

  init(_ side: MergeNode, since base: MergeNode) {
    let (sides, bases) = (Self.entities(side), Self.entities(base))
    for (entity, match) in zip(sides, MergeNode.matches(sides, in: bases)) {
      guard let baseEntity = match.map({ bases[$0] }), let name = entity.node.filled("name"),
        let baseName = baseEntity.node.filled("name")
      else { continue }
      baseNames[name] = baseName
      if name != baseName { entities[baseName] = name }
      for (child, match) in zip(entity.children, MergeNode.matches(entity.children, in: baseEntity.children)) {
        guard child.isIdentifiable, let match, let name = child.node.filled("name"),
          let old = baseEntity.children[match].node.filled("name"), name != old
        else { continue }
        properties[Property(entity: baseName, name: old)] = name
      }
    }
  }

  private static func entities(_ model: MergeNode) -> [MergeNode] { model.children.filter { $0.node.name == "entity" } }

  /// The base, which knows all its entities by their names.
  init(ofBase base: MergeNode) {
    for entity in Self.entities(base) {
      if let name = entity.node.filled("name") { baseNames[name] = name }
    }
  }

  var isEmpty: Bool { entities.isEmpty && properties.isEmpty }

  /// Lets references in a document of this side follow what another side renamed.
  func following(_ other: MergeRenames, in source: MarkupSource) -> [UInt8] {
    guard !other.isEmpty else { return source.bytes }
    var edits: [ByteEdit] = []
    follow(other, source.root, entity: nil, inLayout: false, &edits)
    return ByteEdit.apply(edits, to: source.bytes)
  }

  private func follow(
    _ other: MergeRenames, _ node: MarkupNode, entity: String?, inLayout: Bool, _ edits: inout [ByteEdit]
  ) {
    func edit(_ attribute: String, _ rename: (String) -> String?) {
      guard let place = node.attributes.first(where: { $0.name == attribute }), let name = rename(place.value) else {
        return
      }
      edits.append(ByteEdit(place.range, "\(attribute)=\"\(XMLText.attribute(name))\"".utf8))
    }
    let toEntity = { (name: String) in self.entity(name, in: other) }
    switch node.name {
    case "entity": edit("parentEntity", toEntity)
    case "relationship":
      edit("destinationEntity", toEntity)
      edit("inverseEntity", toEntity)
      if let inverse = node.filled("inverseEntity") { edit("inverseName") { property($0, of: inverse, in: other) } }
    case "fetchRequest": edit("entity", toEntity)
    case "memberEntity": edit("name", toEntity)
    case "element" where inLayout: edit("name", toEntity)
    case "fetchIndexElement": edit("property") { name in entity.flatMap { property(name, of: $0, in: other) } }
    case "constraint", "index": edit("value") { name in entity.flatMap { property(name, of: $0, in: other) } }
    default: break
    }
    let inside = node.name == "entity" ? node.filled("name") : entity
    for child in node.children { follow(other, child, entity: inside, inLayout: node.name == "elements", &edits) }
  }

  /// What the other side calls an entity that this side has not renamed.
  private func entity(_ name: String, in other: MergeRenames) -> String? {
    baseNames[name] == name ? other.entities[name] : nil
  }

  private func property(_ name: String, of entity: String, in other: MergeRenames) -> String? {
    guard let baseName = baseNames[entity], properties[Property(entity: baseName, name: name)] == nil else {
      return nil
    }
    return other.properties[Property(entity: baseName, name: name)]
  }
}
