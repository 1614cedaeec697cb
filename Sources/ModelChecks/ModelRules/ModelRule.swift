public import ModelFiles

/// A rule about a single model, which needs nothing but its file.
public struct ModelRule: Sendable {
  /// The rule's id, stable across releases.
  public let id: String
  /// What the rule is for, in one sentence.
  public let purpose: String
  /// How much its findings matter.
  public let severity: Finding.Severity
  private let issues: @Sendable (ModelIndex) -> [ModelIssue]

  init(
    id: String, severity: Finding.Severity, purpose: String, issues: @escaping @Sendable (ModelIndex) -> [ModelIssue]
  ) {
    self.id = id
    self.severity = severity
    self.purpose = purpose
    self.issues = issues
  }

  /// Every rule, sorted by id.
  public static let all: [ModelRule] = [
    .caseClash, .duplicateName, .inheritanceCycle, .inheritedNameClash, .missingInverse, .oneSidedInverse,
    .reservedName, .toManyWithoutInverse, .unknownAttributeType, .unknownConfigurationMember,
    .unknownConstraintProperty, .unknownDestination, .unknownIndexProperty, .unknownParent,
  ].sorted { $0.id < $1.id }

  /// What the rule finds in a model, which may be broken in any way; sorted by place.
  public func check(_ file: ModelFile) -> [Finding] { check(ModelIndex(file)) }

  /// What every rule finds in a model, sorted by place.
  ///
  /// - Parameters:
  ///   - file: the model with the places of its elements.
  ///   - rules: the rules to apply.
  /// - Returns: the findings of all rules together.
  public static func check(_ file: ModelFile, rules: [ModelRule] = all) -> [Finding] {
    let index = ModelIndex(file)
    return rules.flatMap { $0.check(index) }.sorted()
  }

  private func check(_ index: ModelIndex) -> [Finding] {
    issues(index).map { issue in
      Finding(
        rule: id, severity: severity, element: issue.element,
        location: issue.location ?? index.file.location(of: issue.element), message: issue.message, fix: issue.fix)
    }.sorted()
  }
}
