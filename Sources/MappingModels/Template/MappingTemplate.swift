import ModelComparison
public import ModelDescription

/// A draft of a mapping model with the open decisions between two models, and comments about the inferred parts.
public struct MappingTemplate: Hashable, Sendable {
  /// The word that begins a comment on a decision that is open.
  public static let openDecision = "DECIDE:"

  /// The inferred mapping, in the notation of a file.
  public private(set) var written: WrittenMappingModel
  /// The lines of the comments before the parts they are about.
  public private(set) var comments: [WrittenMappingModel.Part: [String]]

  /// The number of open decisions.
  public private(set) var openDecisionCount = 0

  /// Creates a template of the inferred mapping.
  ///
  /// One comment names the entities and properties that need no decision. Values that cannot be inferred are left at
  /// their default, so that the mapping model can be resolved without changes.
  public init(from source: EntityHierarchy, to destination: EntityHierarchy) {
    written = WrittenMappingModel()
    comments = [:]
    let step = ModelStep(from: source, to: destination)
    let pairing = step.pairing
    let roles = UnmentionedEntities(mentioned: [], pairing: pairing).rolesDespiteAmbiguity()
    let remarks = TemplateRemarks(step)
    // If inference cannot pair the entities, the template needs every entity mapping.
    let isWhole = remarks.isUnclear
    var settled = SettledEntities()
    for role in roles {
      var part = Part(of: role, among: roles, pairing, remarks)
      guard isWhole || part.isOpen else {
        settled.add(part, role)
        continue
      }
      if !isWhole { part.dropSettled() }
      let position = written.entityMappings.count
      comments[.entityMapping(position)] = part.lines
      for (index, lines) in part.attributeLines.enumerated() { comments[.attribute(index, of: position)] = lines }
      for (index, lines) in part.relationshipLines.enumerated() { comments[.relationship(index, of: position)] = lines }
      written.entityMappings.append(part.mapping)
    }
    comments[.model] = remarks.general + settled.lines
    openDecisionCount = comments.values.joined().count { $0.contains(Self.openDecision) }
  }

  /// An entity mapping with the lines before it and before its properties.
  private struct Part {
    var mapping: WrittenEntityMapping
    var lines: [String] = []
    var attributeLines: [[String]] = []
    var relationshipLines: [[String]] = []

    init(of role: MappingRole, among roles: [MappingRole], _ pairing: EntityPairing, _ remarks: TemplateRemarks) {
      mapping = WrittenEntityMapping(source: role.source, destination: role.destination)
      if mapping.defaultName != role.name { mapping.name = role.name }
      guard let entity = role.destination, let sourceName = role.source else {
        lines = remarks.lines(added: role.destination, removed: role.source)
        return
      }
      let inference = PropertyInference(of: role, among: roles, pairing: pairing)
      let properties = TemplateProperties(
        inference: inference, remarks: remarks, entity: entity, sourceName: sourceName)
      lines = properties.summary
      mapping.attributes = properties.attributes.map(\.written)
      mapping.relationships = properties.relationships.map(\.written)
      attributeLines = properties.attributes.map(\.lines)
      relationshipLines = properties.relationships.map(\.lines)
    }

    private static func isOpen(_ lines: [String]) -> Bool {
      lines.contains { $0.contains(MappingTemplate.openDecision) }
    }

    var isOpen: Bool { Self.isOpen(lines + attributeLines.joined() + relationshipLines.joined()) }

    /// True if every property is carried over unchanged.
    var isAsBefore: Bool { mapping.attributes.isEmpty && mapping.relationships.isEmpty }

    /// Removes the properties that need no decision, because inference gives the same result.
    mutating func dropSettled() {
      let attributes = attributeLines.indices.filter { Self.isOpen(attributeLines[$0]) }
      let relationships = relationshipLines.indices.filter { Self.isOpen(relationshipLines[$0]) }
      mapping.attributes = attributes.map { mapping.attributes[$0] }
      mapping.relationships = relationships.map { mapping.relationships[$0] }
      attributeLines = attributes.map { attributeLines[$0] }
      relationshipLines = relationships.map { relationshipLines[$0] }
    }
  }

  /// The entities that need no decision.
  private struct SettledEntities {
    private var asBefore: [String] = []
    private var changed: [String] = []
    private var added: [String] = []

    mutating func add(_ part: Part, _ role: MappingRole) {
      guard let entity = role.destination else { return }
      guard let sourceName = role.source else { return added.append(entity) }
      let words = sourceName == entity ? entity : "\(entity) (was \(sourceName))"
      if part.isAsBefore, sourceName == entity { asBefore.append(words) } else { changed.append(words) }
    }

    var lines: [String] {
      func line(_ lead: String, _ names: [String]) -> [String] {
        names.isEmpty ? [] : ["\(lead): \(names.joined(separator: ", "))."]
      }
      return line("Unchanged", asBefore) + line("Changed, and inferred", changed)
        + line("New and empty", added)
    }
  }
}

/// The properties of a single entity mapping in a template, without the unchanged properties.
struct TemplateProperties {
  /// A property in the template, with the lines before it.
  struct Property {
    var written: WrittenPropertyMapping
    var lines: [String]
  }

  private(set) var attributes: [Property] = []
  private(set) var relationships: [Property] = []
  /// The lines before the entity mapping.
  private(set) var summary: [String] = []

  init(inference: PropertyInference, remarks: TemplateRemarks, entity: String, sourceName: String) {
    let lines = remarks.lines(ofPropertiesOf: entity)
    attributes = Self.properties(inference.attributes, lines)
    relationships = Self.properties(inference.relationships, lines)
    for index in relationships.indices where relationships[index].written.value == .unset {
      guard let name = inference.sourceRelationships[relationships[index].written.name] else { continue }
      relationships[index].lines.append(
        "\(MappingTemplate.openDecision) no entity mapping creates objects from \(sourceName).\(name); if you add"
          + " one, write mapping=\"…\" here")
    }
    let copied = [
      Self.count(inference.attributes.count - attributes.count, "attribute"),
      Self.count(inference.relationships.count - relationships.count, "relationship"),
    ].compactMap { $0 }
    let title = entity == sourceName ? entity : "\(sourceName) becomes \(entity)"
    summary = [copied.isEmpty ? title : "\(title): \(copied.joined(separator: " and ")) unchanged"]
    summary += Self.gone(inference, sourceName: sourceName, in: remarks.pairing.source)
  }

  private static func count(_ number: Int, _ noun: String) -> String? {
    number == 0 ? nil : "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private static func properties(
    _ inferred: [String: PropertyInference.Inferred], _ lines: [String: [String]]
  ) -> [Property] {
    inferred.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.compactMap { path, value in
      var lines = lines[String(path.prefix { $0 != "." })] ?? []
      let written: WrittenPropertyMapping.Value
      switch value {
      case .failure(let refusal):
        let words = MappingResolutionError(refusal.reason, at: .entityMapping(0)).description
        lines = ["\(MappingTemplate.openDecision) \(words)"]
        if case .incompatibleTypes(_, let conversion) = refusal.reason, let type = conversion.castType,
          let sourcePath = refusal.sourcePath
        {
          lines.append("perhaps value=\"CAST($source.\(sourcePath), '\(type)')\"")
        }
        written = .unset
      case .success(.relationship): return nil
      case .success(.attribute(let mapping)):
        if let expression = mapping.expression {
          lines.append("perhaps value=\"\(expression.formatted(quotes: .single))\"")
        }
        written = .inferred
      case .success(.unset): written = .unset
      case .success(.sql(let sql)): written = .sql(sql)
      case .success(.expression(let expression)):
        if lines.isEmpty, expression.sourcePath == path { return nil }
        written = expression.madeObjects.map { .made(by: $0.mapping, from: $0.sources) } ?? .expression(expression)
      }
      return Property(written: WrittenPropertyMapping(name: path, value: written), lines: lines)
    }
  }

  /// Returns the source properties whose values no expression reads.
  private static func gone(_ inference: PropertyInference, sourceName: String, in source: EntityHierarchy) -> [String] {
    var read = Set(inference.sourceRelationships.values)
    for value in Array(inference.attributes.values) + Array(inference.relationships.values) {
      switch value {
      case .success(let value): value.expression?.sourcePath.map { _ = read.insert($0) }
      case .failure(let refusal): refusal.sourcePath.map { _ = read.insert($0) }
      }
    }
    let attributes = source.storedAttributes(of: sourceName).values.filter { $0.derivation == nil }
      .map { (path: $0.path, words: "\($0.path) (\($0.leaf.type.name))") }
    let relationships = source.storedRelationships(of: sourceName).values
      .map { (path: $0.name, words: "\($0.name) (to \($0.destinationEntityName ?? "nothing"))") }
    return (attributes + relationships).filter { !read.contains($0.path) }.sorted { $0.path < $1.path }.map {
      "\(MappingTemplate.openDecision) no expression reads \(sourceName).\($0.words); read it as $source.\($0.path),"
        + " or declare the loss with <drop name=\"\(sourceName).\($0.path)\"/> in the mappingModel"
    }
  }
}

extension ValueExpression {
  /// The keys of the source value that an inferred expression carries over.
  fileprivate var sourcePath: String? {
    switch self {
    case .keyPath(let keys, of: .variable("source")): keys.joined(separator: ".")
    case .conditional(_, _, let other): other.sourcePath
    case .invocation(_, _, let arguments): arguments.last?.sourcePath
    default: nil
    }
  }
}

extension TypeConversion {
  /// The class that a cast to the new type names, nil when no conversion exists.
  fileprivate var castType: String? {
    guard isCastable else { return nil }
    switch to {
    case .date: return "NSDate"
    case .uuid: return "NSUUID"
    case .uri: return "NSURL"
    case .binary: return "NSData"
    case .decimal: return "NSDecimalNumber"
    case .string: return "NSString"
    default: return "NSNumber"
    }
  }
}
