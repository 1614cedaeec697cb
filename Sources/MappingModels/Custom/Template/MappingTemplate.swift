import ModelComparison
public import ModelDescription

/// What inference does between two models, written down, with comments on what it cannot know.
public struct MappingTemplate: Hashable, Sendable {
  /// The word that begins a comment on a decision that is open.
  public static let openDecision = "DECIDE:"

  /// What inference does.
  public private(set) var written: WrittenMappingModel
  /// The lines of the comments before the parts they are about.
  public private(set) var comments: [WrittenMappingModel.Place: [String]]

  /// Writes down what inference does.
  ///
  /// What cannot be inferred is left at its default, so that the written mapping model can be resolved as it is.
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
    comments[.model] = remarks.general
    for (position, role) in roles.enumerated() {
      var mapping = WrittenEntityMapping(source: role.source, destination: role.destination)
      if mapping.defaultName != role.name { mapping.name = role.name }
      var lines: [String]
      if let entity = role.destination, let former = role.source {
        let inference = PropertyInference(of: role, among: roles, pairing: pairing)
        let properties = TemplateProperties(inference: inference, remarks: remarks, entity: entity, former: former)
        lines = properties.summary
        mapping.attributes = properties.attributes.map(\.written)
        mapping.relationships = properties.relationships.map(\.written)
        for (index, property) in properties.attributes.enumerated() {
          comments[.attribute(index, of: position)] = property.lines
        }
        for (index, property) in properties.relationships.enumerated() {
          comments[.relationship(index, of: position)] = property.lines
        }
      } else {
        lines = remarks.lines(added: role.destination, removed: role.source)
      }
      comments[.entityMapping(position)] = lines
      written.entityMappings.append(mapping)
    }
  }
}
