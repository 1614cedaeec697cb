/// The mappings of an entity's attributes or relationships, in order, with lookup by name or by source relationship.
public struct PropertyMappings: Sendable {
  private var mappings: [PropertyMapping] = []
  private var positions: [String: Int] = [:]
  /// The positions of the inferred relationships that continue a source relationship, by its name.
  private var continuations: [String: [Int]] = [:]

  /// Creates a list with mappings in this order.
  public init(_ mappings: some Sequence<PropertyMapping>) { for mapping in mappings { append(mapping) } }

  /// Creates a list of inferred attributes, by leaf path.
  public init(attributes: [String: AttributeMapping]) {
    self.init(Self.sorted(attributes.mapValues { .attribute($0) }))
  }

  /// Creates a list of inferred relationships, by name.
  public init(relationships: [String: RelationshipMapping]) {
    self.init(Self.sorted(relationships.mapValues { .relationship($0) }))
  }

  private static func sorted(_ values: [String: PropertyMapping.Value]) -> [PropertyMapping] {
    values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { PropertyMapping(name: $0.key, value: $0.value) }
  }

  /// Adds a mapping at the end; lookup finds the first of two mappings with a single name.
  public mutating func append(_ mapping: PropertyMapping) {
    if positions[mapping.name] == nil { positions[mapping.name] = mappings.count }
    if let source = mapping.continuedRelationship { continuations[source, default: []].append(mappings.count) }
    mappings.append(mapping)
  }

  /// The value of the property of a name; nil if the property lacks a mapping.
  public subscript(name: String) -> PropertyMapping.Value? { positions[name].map { mappings[$0].value } }

  /// Returns the inferred relationships that continue a source relationship, in order.
  func continuing(_ source: String) -> [PropertyMapping] { (continuations[source] ?? []).map { mappings[$0] } }
}

extension PropertyMapping {
  /// The source relationship that this inferred relationship continues.
  fileprivate var continuedRelationship: String? {
    if case .relationship(let mapping) = value { mapping.source } else { nil }
  }
}

extension PropertyMappings: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// Creates an empty list.
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

  /// Replaces mappings.
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
  /// Creates a list with mappings in this order.
  public init(arrayLiteral mappings: PropertyMapping...) { self.init(mappings) }
}
