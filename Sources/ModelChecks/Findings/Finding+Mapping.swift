public import MappingModels
public import ModelDescription
public import ModelFiles

extension Finding {
  /// Takes a problem of a mapping model.
  ///
  /// - Parameters:
  ///   - problem: the problem.
  ///   - element: the entity or property it is about.
  ///   - location: where the part stands that it is about.
  public init(_ problem: MappingProblem, about element: ModelElement, location: SourceLocation?) {
    self.init(
      rule: problem.kind.rule, severity: problem.severity == .error ? .error : .warning, element: element,
      location: location, message: problem.sentence, fix: problem.advice)
  }

  /// Takes a way in which a model is no longer what a mapping model was made with.
  ///
  /// - Parameters:
  ///   - drift: what changed.
  ///   - location: where the mapping model stands.
  public init(_ drift: MappingDrift, location: SourceLocation?) {
    self.init(
      rule: "mapping-drift", severity: .error,
      element: drift.property.map { .property(entity: drift.entity, name: $0) } ?? .entity(drift.entity),
      location: location, message: drift.sentence,
      fix: "put the model back as it was, or make the mapping anew from the models as they are")
  }
}

extension MappingProblem.Kind {
  /// The id of the rule that found it, stable across releases.
  var rule: String {
    switch self {
    case .noEntities: "mapping-without-entities"
    case .otherVersion: "mapping-drift"
    case .unknownEntity: "mapping-unknown-entity"
    case .unknownProperty: "mapping-unknown-property"
    case .wrongPropertyKind: "mapping-property-kind"
    case .notStored: "mapping-transient-property"
    case .duplicateName: "mapping-duplicate-name"
    case .duplicateProperty: "mapping-duplicate-property"
    case .abstractDestination: "mapping-abstract-destination"
    case .uncoveredSource: "mapping-uncovered-source"
    case .uncoveredDestination: "mapping-uncovered-destination"
    case .unfilled: "mapping-unfilled-property"
    case .unfilledRequired: "mapping-unfilled-required"
    case .expression: "mapping-expression"
    case .filter: "mapping-filter"
    case .missingPolicy, .functionWithoutPolicy, .missingFunction: "mapping-policy"
    case .otherObjects: "mapping-wrong-objects"
    case .unmappedObjects: "mapping-unmapped-objects"
    case .entityCycle: "mapping-cycle"
    }
  }
}
