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
      rule: problem.kind.rule, severity: Severity(problem.severity), element: element,
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

extension Finding {
  /// Takes something that a mapping file leaves to inference and that cannot be inferred.
  init(undecided error: MappingFileError) {
    let words = error.sentence.split(separator: ";", maxSplits: 1).map(String.init)
    self.init(
      rule: "mapping-undecided", severity: .error, element: error.undecidedElement, location: error.location,
      message: words[0],
      fix: words.count > 1 ? words[1].trimmingPrefix(" ").description : nil)
  }
}

extension Finding {
  /// Takes a comment of a mapping file that marks what has to be decided; inference decides it meanwhile.
  init(open decision: MappingFile.OpenDecision) {
    self.init(
      rule: "mapping-undecided", severity: .warning, element: .model, location: decision.location,
      message: "a decision is open: \(decision.text)", fix: "decide it, and delete the comment")
  }
}

extension MappingFileError {
  /// The destination property that is not decided.
  fileprivate var undecidedElement: ModelElement {
    guard case .resolution(let error) = cause else { return .model }
    switch error.cause {
    case .incompatibleTypes(let name, _), .ambiguousProperty(let name, _):
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      return parts.count == 2 ? .property(entity: parts[0], name: parts[1]) : .model
    default: return .model
    }
  }
}

extension Finding.Severity {
  fileprivate init(_ severity: MappingProblem.Severity) {
    switch severity {
    case .error: self = .error
    case .warning: self = .warning
    case .note: self = .note
    }
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
