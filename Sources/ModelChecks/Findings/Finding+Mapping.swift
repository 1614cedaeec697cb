public import MappingModels
public import ModelDescription
public import ModelFiles

extension Finding {
  /// Takes a finding of a mapping model; nil for what happens to something that the mapping does not mention, which
  /// breaks no rule.
  ///
  /// - Parameters:
  ///   - finding: the finding about a part of a mapping model.
  ///   - element: the entity or property it is about.
  ///   - location: where the part stands that it is about.
  public init?(_ finding: MappingFinding, about element: ModelElement, location: SourceLocation?) {
    guard let rule = finding.kind.rule else { return nil }
    self.init(
      rule: rule.rawValue, severity: Severity(finding.severity), element: element,
      location: location, message: finding.sentence, fix: Advice(finding.advice))
  }

  /// Takes a way in which a model is no longer what a mapping model was made with.
  ///
  /// - Parameters:
  ///   - drift: how a snapshot differs from its version.
  ///   - location: where the mapping model stands.
  public init(_ drift: MappingDrift, location: SourceLocation?) {
    self.init(
      rule: MappingRule.drift.rawValue, severity: .error,
      element: drift.property.map { .property(entity: drift.entity, name: $0) } ?? .entity(drift.entity),
      location: location, message: drift.sentence,
      fix: "put the model back as it was, or make the mapping anew from the models as they are")
  }

  /// Takes something that a mapping file leaves to inference and that cannot be inferred.
  init(undecided error: MappingFileError) {
    self.init(
      rule: MappingRule.undecided.rawValue, severity: .error, element: error.undecidedElement, location: error.location,
      message: error.words.cause, fix: error.words.advice)
  }

  /// Takes a comment of a mapping file that marks what has to be decided; inference decides it meanwhile.
  init(open decision: MappingFile.OpenDecision) {
    self.init(
      rule: MappingRule.undecided.rawValue, severity: .warning, element: .model, location: decision.location,
      message: "a decision is open: \(decision.text)", fix: "decide it, and delete the comment")
  }
}

extension MappingFileError {
  /// The destination property that is not decided.
  fileprivate var undecidedElement: ModelElement {
    guard case .resolution(let error) = reason else { return .model }
    switch error.cause {
    case .incompatibleTypes(let name, _), .ambiguousProperty(let name, _):
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      return parts.count == 2 ? .property(entity: parts[0], name: parts[1]) : .model
    default: return .model
    }
  }
}

extension Finding.Severity {
  fileprivate init(_ severity: MappingFinding.Severity) {
    switch severity {
    case .error: self = .error
    case .warning: self = .warning
    case .note: self = .note
    }
  }
}

extension MappingFinding.Kind {
  /// The rule that it breaks, nil when it breaks none.
  fileprivate var rule: MappingRule? {
    switch self {
    case .noEntities: .withoutEntities
    case .otherVersion: .drift
    case .unknownEntity: .unknownEntity
    case .unknownProperty: .unknownProperty
    case .wrongPropertyKind: .propertyKind
    case .duplicateName: .duplicateName
    case .duplicateProperty: .duplicateProperty
    case .abstractDestination: .abstractDestination
    case .uncoveredSource: .uncoveredSource
    case .unfilledRequired: .unfilledRequired
    case .expression: .expression
    case .filter: .filter
    case .missingPolicy, .functionWithoutPolicy, .missingFunction: .policy
    case .otherObjects: .wrongObjects
    case .unmappedObjects: .unmappedObjects
    case .entityCycle: .cycle
    case .notStored, .uncoveredDestination, .unfilled: nil
    }
  }
}
