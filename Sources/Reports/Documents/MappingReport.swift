public import MappingModels

/// The content of a mapping model.
public struct MappingReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The path of the file.
  public let path: String
  /// The version it maps from.
  public let source: String
  /// The version it maps to.
  public let destination: String
  /// The entity mappings in the order they run.
  public let entityMappings: [EntityMapping]
  /// The source data it states to give up.
  public let drops: [String]
  /// The notes about settings that were guessed or ignored.
  public let notes: [String]

  private enum CodingKeys: CodingKey {
    case version, path, source, destination, entityMappings, drops, notes
  }

  /// One entity mapping.
  public struct EntityMapping: Encodable, Hashable, Sendable {
    /// Its name.
    public let name: String
    /// `copy`, `add`, `remove`, `transform`, `custom` or `undefined`.
    public let type: String
    /// The source entity.
    public let source: String?
    /// The destination entity.
    public let destination: String?
    /// The condition for the source objects, as a predicate.
    public let filter: String?
    /// The class of its policy.
    public let policy: String?
    fileprivate let filterWords: String?
    /// The sources of the attributes.
    public let attributes: [Property]
    /// The sources of the relationships.
    public let relationships: [Property]

    private enum CodingKeys: CodingKey {
      case name, type, source, destination, filter, policy, attributes, relationships
    }
  }

  /// The source of a property; if it has neither an expression nor SQL, the property keeps its default.
  public struct Property: Encodable, Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The expression in Core Data's notation.
    public let expression: String?
    /// The SQL.
    public let sql: String?
    private let words: String

    private enum CodingKeys: CodingKey {
      case name, expression, sql
    }

    init(_ property: PropertyMapping, isRelationship: Bool) {
      name = property.name
      switch property.value {
      case .sql(let text):
        (expression, sql) = (nil, text)
        words = "SQL: \(text)"
      case .unset, .expression, .attribute, .relationship:
        (expression, sql) = (property.value.expression?.description, nil)
        words = property.value.expression?.words ?? (isRelationship ? "left empty" : "left at its default")
      }
    }

    var text: String { "\(name): \(words)" }
  }

  /// Creates a report of a mapping model.
  public init(path: String, source: String, destination: String, _ model: MappingModel, notes: [String] = []) {
    (self.path, self.source, self.destination, self.notes) = (path, source, destination, notes)
    drops = model.droppedData.sorted()
    entityMappings = model.entityMappings.map { mapping in
      EntityMapping(
        name: mapping.name, type: "\(mapping.kind)", source: mapping.source, destination: mapping.destination,
        filter: mapping.filter?.description, policy: mapping.policyClassName, filterWords: mapping.filter?.words,
        attributes: mapping.attributeMappings.map { Property($0, isRelationship: false) },
        relationships: mapping.relationshipMappings.map { Property($0, isRelationship: true) })
    }
  }

  /// The mapping model in words, one line per property.
  public var text: String {
    var lines = WrittenLines()
    lines.add("\(path): from \(source) to \(destination), \(Quantity.text(entityMappings.count, "entity mapping"))")
    for mapping in entityMappings {
      lines.add("")
      lines.add(mapping.title)
      if let words = mapping.filterWords { lines.add("only objects where \(words)", depth: 1) }
      if let policy = mapping.policy { lines.add("policy class \(policy)", depth: 1) }
      for property in mapping.attributes { lines.add("attribute \(property.text)", depth: 1) }
      for property in mapping.relationships { lines.add("relationship \(property.text)", depth: 1) }
    }
    if !drops.isEmpty || !notes.isEmpty { lines.add("") }
    for name in drops { lines.add("drops: \(name)") }
    for note in notes { lines.add("note: \(note)") }
    return lines.text
  }
}

extension MappingReport.EntityMapping {
  /// The entities of the mapping; the name only if it is unusual.
  fileprivate var title: String {
    switch (source, destination) {
    case (let source?, let destination?):
      let usual = name == "\(source)To\(destination)" ? "" : ", named \(name)"
      return "\(source) becomes \(destination)\(usual)"
    case (let source?, nil): return "\(source) is removed"
    case (nil, let destination?): return "\(destination) is added and starts empty"
    case (nil, nil): return "\(name) has no entities"
    }
  }
}

/// Lines that are wrapped and indented by depth.
private struct WrittenLines {
  private var lines: [String] = []

  mutating func add(_ sentence: String, depth: Int = 0) {
    guard !sentence.isEmpty else { return lines.append("") }
    let indent = String(repeating: "  ", count: depth)
    lines += WrappedText.lines(sentence, lead: indent, indent: indent + "  ")
  }

  var text: String { lines.joined(separator: "\n") + "\n" }
}
