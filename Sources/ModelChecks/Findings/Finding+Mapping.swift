public import MappingModels
public import ModelDescription
public import ModelFiles

extension Finding {
  /// Takes a finding of a mapping model; nil for a finding that does not break a rule, such as an unmentioned property.
  ///
  /// - Parameters:
  ///   - finding: the finding about a part of a mapping model.
  ///   - element: the entity or property it is about.
  ///   - location: the location of this part.
  public init?(_ finding: MappingFinding, about element: ModelElement, location: SourceLocation?) {
    guard let rule = finding.kind.rule else { return nil }
    self.init(
      rule: rule.rawValue, severity: Severity(finding.severity), element: element,
      location: location, message: finding.sentence, fix: Advice(finding.advice))
  }

  /// Takes a difference between a model and the snapshot that a mapping model was made with.
  ///
  /// - Parameters:
  ///   - drift: the difference between a snapshot and its version.
  ///   - location: the location of the mapping model.
  public init(_ drift: MappingDrift, location: SourceLocation?) {
    self.init(
      rule: MappingRule.drift.rawValue, severity: .error,
      element: drift.property.map { .property(entity: drift.entity, name: $0) } ?? .entity(drift.entity),
      location: location, message: drift.sentence,
      fix: "restore the model, or make the mapping model again from the current models")
  }

  /// Takes an error about a part of a mapping file that cannot be inferred.
  init(undecided error: MappingFileError) {
    self.init(
      rule: MappingRule.undecided.rawValue, severity: .error, element: error.undecidedElement, location: error.location,
      message: error.words.cause, fix: error.words.advice)
  }

  /// Takes a comment of a mapping file that marks an open decision; inference is used until you decide.
  init(open decision: MappingFile.OpenDecision) {
    self.init(
      rule: MappingRule.undecided.rawValue, severity: .warning, element: .model, location: decision.location,
      message: "a decision is open: \(decision.text)", fix: "make the decision, and delete the comment")
  }
}

extension MappingFileError {
  /// The destination property that is not decided.
  fileprivate var undecidedElement: ModelElement {
    guard case .resolution(let error) = reason else { return .model }
    switch error.reason {
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
  /// The rule that it breaks; nil if it does not break a rule.
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
