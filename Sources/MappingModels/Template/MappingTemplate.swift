import ModelComparison
public import ModelDescription

/// What has to be decided between two models, with comments on what inference does with the rest.
public struct MappingTemplate: Hashable, Sendable {
  /// The word that begins a comment on a decision that is open.
  public static let openDecision = "DECIDE:"

  /// What inference does.
  public private(set) var written: WrittenMappingModel
  /// The lines of the comments before the parts they are about.
  public private(set) var comments: [WrittenMappingModel.Place: [String]]

  /// How many decisions are open.
  public private(set) var openDecisionCount = 0

  /// Writes down what inference does.
  ///
  /// Entities and properties about which nothing has to be decided are named in one comment and not written. What cannot be inferred is left at its default, so that the written mapping model can be resolved as it is.
  ///
  /// - Parameters:
  ///   - source: the version that the rows have.
  ///   - destination: the version that they get.
  public init(from source: EntityHierarchy, to destination: EntityHierarchy) {
    written = WrittenMappingModel()
    comments = [:]
    let pairing = EntityPairing(from: source, to: destination)
    let roles = UnmentionedEntities(mentioned: [], pairing: pairing).rolesDespiteAmbiguity()
    let remarks = TemplateRemarks(pairing: pairing)
    // Where inference itself cannot say which entity continues which, every entity mapping has to be written.
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

    init(
      of role: MappingRole, among roles: [MappingRole], _ pairing: EntityPairing, _ remarks: TemplateRemarks
    ) {
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

    /// True when every property is carried over as it is.
    var isAsBefore: Bool { mapping.attributes.isEmpty && mapping.relationships.isEmpty }

    /// Takes away the properties about which nothing has to be decided; inference says the same of them.
    mutating func dropSettled() {
      let attributes = attributeLines.indices.filter { Self.isOpen(attributeLines[$0]) }
      let relationships = relationshipLines.indices.filter { Self.isOpen(relationshipLines[$0]) }
      mapping.attributes = attributes.map { mapping.attributes[$0] }
      mapping.relationships = relationships.map { mapping.relationships[$0] }
      attributeLines = attributes.map { attributeLines[$0] }
      relationshipLines = relationships.map { relationshipLines[$0] }
    }
  }

  /// The entities about which nothing has to be decided.
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

    /// A line for each kind.
    var lines: [String] {
      func line(_ lead: String, _ names: [String]) -> [String] {
        names.isEmpty ? [] : ["\(lead): \(names.joined(separator: ", "))."]
      }
      return line("As before", asBefore) + line("Changed, and inference does it", changed)
        + line("New, and start empty", added)
    }
  }
}
