/// The mappings of an entity's attributes or relationships: in order, and found by name or by what they continue.
public struct PropertyMappings: Sendable {
  private var mappings: [PropertyMapping] = []
  private var positions: [String: Int] = [:]
  /// The positions of the relationships that inference lets continue a source relationship, by its name.
  private var continuations: [String: [Int]] = [:]

  /// Takes mappings in the order that they are to keep.
  public init(_ mappings: some Sequence<PropertyMapping>) { for mapping in mappings { append(mapping) } }

  /// Takes what inference says about attributes, by leaf path.
  public init(attributes: [String: AttributeMapping]) {
    self.init(Self.sorted(attributes.mapValues { .attribute($0) }))
  }

  /// Takes what inference says about relationships, by name.
  public init(relationships: [String: RelationshipMapping]) {
    self.init(Self.sorted(relationships.mapValues { .relationship($0) }))
  }

  private static func sorted(_ values: [String: PropertyMapping.Value]) -> [PropertyMapping] {
    values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { PropertyMapping(name: $0.key, value: $0.value) }
  }

  /// Adds a mapping at the end; of two with one name the first is found by it.
  public mutating func append(_ mapping: PropertyMapping) {
    if positions[mapping.name] == nil { positions[mapping.name] = mappings.count }
    if let source = mapping.continuedRelationship { continuations[source, default: []].append(mappings.count) }
    mappings.append(mapping)
  }

  /// The value of the property of a name, nil where the mapping does not know it.
  public subscript(name: String) -> PropertyMapping.Value? { positions[name].map { mappings[$0].value } }

  /// The relationships that inference lets continue a source relationship, in order.
  func continuing(_ source: String) -> [PropertyMapping] { (continuations[source] ?? []).map { mappings[$0] } }
}

extension PropertyMapping {
  /// The source relationship that inference lets this one continue.
  fileprivate var continuedRelationship: String? {
    if case .relationship(let mapping) = value { mapping.source } else { nil }
  }
}

extension PropertyMappings: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// Makes none.
  public init() {}

  /// The position of the first mapping.
  public var startIndex: Int { 0 }

  /// The position after the last mapping.
  public var endIndex: Int { mappings.count }

  /// The mapping at a position.
  public subscript(position: Int) -> PropertyMapping {
    get { mappings[position] }
    set {
      let old = mappings[position]
      mappings[position] = newValue
      let isFoundAlike = old.name == newValue.name && old.continuedRelationship == newValue.continuedRelationship
      if !isFoundAlike { self = PropertyMappings(mappings) }
    }
  }

  /// Puts mappings in the place of some.
  public mutating func replaceSubrange(_ range: Range<Int>, with new: some Collection<PropertyMapping>) {
    var changed = mappings
    changed.replaceSubrange(range, with: new)
    self = PropertyMappings(changed)
  }
}

extension PropertyMappings: Hashable {
  /// True for the same mappings in the same order.
  public static func == (left: Self, right: Self) -> Bool { left.mappings == right.mappings }

  /// Adds the mappings in their order.
  public func hash(into hasher: inout Hasher) { hasher.combine(mappings) }
}

extension PropertyMappings: ExpressibleByArrayLiteral {
  /// Takes mappings in the order that they are to keep.
  public init(arrayLiteral mappings: PropertyMapping...) { self.init(mappings) }
}
