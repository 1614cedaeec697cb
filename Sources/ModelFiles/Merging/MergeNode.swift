/// An element as a merge sees it: known by its name, and compared without regard to its text's form.
struct MergeNode {
  /// The key of an element among its siblings.
  struct Key: Hashable {
    let kind: String
    let name: String
    /// How many before it have the same kind and name.
    var ordinal = 0
  }

  /// The content of an element without insignificant parts.
  struct Content: Hashable {
    let children: [Int]
    /// The comments and texts before each child and at the end; empty if there are none.
    let asides: [String]
  }

  let node: MarkupNode
  let key: Key
  let children: [MergeNode]
  /// The text between the element and the previous element, or its parent's start tag.
  let lead: Range<Int>
  /// The text between the last child and the end tag; nil without an end tag.
  let tail: Range<Int>?
  /// The comments and texts before the element, which are not part of it.
  let aside: String
  /// The comments and texts at its end.
  let tailAside: String
  let content: Content
  /// Equal for elements with the same content.
  let fingerprint: Int
  /// Equal for elements with the same meaning; renaming identifiers that equal the name are ignored.
  let meaning: Int

  init(_ source: MarkupSource, _ fingerprints: Fingerprints) {
    let lead = 0..<source.root.range.lowerBound
    self.init(
      source.root, key: Key(kind: source.root.name, name: ""), lead: lead, aside: MergeAside.prologue(source[lead]),
      source, fingerprints)
  }

  private init(
    _ node: MarkupNode, key: Key, lead: Range<Int>, aside: String, _ source: MarkupSource, _ fingerprints: Fingerprints
  ) {
    (self.node, self.aside, self.key, self.lead) = (node, aside, key, lead)
    var seen: [Key: Int] = [:]
    var children: [MergeNode] = []
    var position = node.content?.lowerBound ?? node.range.upperBound
    for child in node.children {
      var key = Self.key(of: child)
      let count = seen[key, default: 0]
      seen[key] = count + 1
      key.ordinal = count
      let lead = position..<child.range.lowerBound
      children.append(
        MergeNode(child, key: key, lead: lead, aside: MergeAside.text(source[lead]), source, fingerprints))
      position = child.range.upperBound
    }
    self.children = children
    tail = node.content.map { position..<$0.upperBound }
    tailAside = tail.map { MergeAside.text(source[$0]) } ?? ""
    let asides = children.map(\.aside) + [tailAside]
    content = Content(children: children.map(\.fingerprint), asides: asides.allSatisfy(\.isEmpty) ? [] : asides)
    fingerprint = fingerprints.number(of: node, content)
    let meant = Content(children: children.map(\.meaning), asides: content.asides)
    meaning = fingerprints.number(of: node, meant, withIdleIdentifiers: false)
  }

  /// True if the element has no change since the base.
  func isUnchanged(since base: MergeNode) -> Bool { meaning == base.meaning && (aside.isEmpty || aside == base.aside) }

  private static let properties: Set<String> = ["attribute", "relationship", "fetchedProperty"]

  private static func key(of node: MarkupNode) -> Key {
    switch node.name {
    case "attribute", "relationship", "fetchedProperty": Key(kind: "property", name: node["name"] ?? "")
    case "entry": Key(kind: node.name, name: node["key"] ?? "")
    case "fetchIndexElement": Key(kind: node.name, name: node["property"] ?? "")
    case "constraint", "index": Key(kind: node.name, name: node["value"] ?? "")
    case "uniquenessConstraint", "compoundIndex":
      Key(kind: node.name, name: node.children.map { $0["value"] ?? "" }.joined(separator: ","))
    default: Key(kind: node.name, name: node["name"] ?? "")
    }
  }

  /// True for an element whose children's order counts.
  var isList: Bool { ["fetchIndex", "compoundIndex", "uniquenessConstraint"].contains(node.name) }

  /// True for an element with an identity beyond its name.
  var isIdentifiable: Bool { node.name == "entity" || Self.properties.contains(node.name) }

  /// For each of these elements the position of the one in the base that it continues.
  ///
  /// The same name and identifier go first, then the same identifier, then the same name.
  static func matches(_ side: [MergeNode], in base: [MergeNode]) -> [Int?] {
    var matches = [Int?](repeating: nil, count: side.count)
    var free = Set(base.indices)
    func take(_ position: Int, _ match: Int?) {
      guard let match, free.remove(match) != nil else { return }
      matches[position] = match
    }
    let byKey = Dictionary(base.indices.map { (base[$0].key, $0) }) { first, _ in first }
    for (position, node) in side.enumerated() {
      let match = byKey[node.key]
      if match.map({ base[$0].node.canonicalName == node.node.canonicalName }) == true { take(position, match) }
    }
    let byIdentity = Dictionary(
      grouping: base.indices.filter { free.contains($0) && base[$0].isIdentifiable }, by: { Identity(base[$0]) })
    let open = side.indices.filter { matches[$0] == nil && side[$0].isIdentifiable }
    for (identity, positions) in Dictionary(grouping: open, by: { Identity(side[$0]) }) where positions.count == 1 {
      if let found = byIdentity[identity], found.count == 1 { take(positions[0], found.first) }
    }
    for position in side.indices where matches[position] == nil { take(position, byKey[side[position].key]) }
    return matches
  }

  /// The identity of an entity or property without its name.
  private struct Identity: Hashable {
    let kind: String
    let canonicalName: String?

    init(_ node: MergeNode) {
      kind = node.node.name
      canonicalName = node.node.canonicalName
    }
  }
}

/// Gives elements with the same meaning the same number, so that complete elements are compared in a single step.
///
/// One table serves all documents of a merge. Attributes count in any order, comments and text count, white space does
/// not.
final class Fingerprints {
  private struct Form: Hashable {
    let name: String
    let attributes: [String]
    let content: MergeNode.Content
  }

  private var numbers: [Form: Int] = [:]

  func number(of node: MarkupNode, _ content: MergeNode.Content, withIdleIdentifiers: Bool = true) -> Int {
    let said = node.attributes.filter { attribute in
      withIdleIdentifiers || !AttributeGroups.isIdentifier(attribute.name)
        || AttributeGroups.meaning(of: attribute.name, in: node) != nil
    }
    let attributes = said.sorted { $0.name < $1.name }.flatMap { [$0.name, $0.value] }
    let form = Form(name: node.name, attributes: attributes, content: content)
    if let number = numbers[form] { return number }
    numbers[form] = numbers.count
    return numbers.count - 1
  }
}
