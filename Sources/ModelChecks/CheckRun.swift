/// The rules applied to a project.
///
/// Errors are looked for in every version. Advice about a version that users have cannot be acted on, so the rules
/// about single versions that only warn look at the current version and at those that can still change.
public struct CheckRun: Sendable {
  /// What is checked.
  public let project: CheckedProject
  /// The rules that are applied.
  public let rules: [Rule]

  /// Makes a run.
  public init(_ project: CheckedProject, rules: [Rule] = Rule.all) {
    self.project = project
    self.rules = rules
  }

  /// What the rules find, sorted by place.
  public func findings() -> [Finding] {
    let modelFindings =
      project.models.flatMap { Rule.check($0, rules: rules) }
      + project.bundles.flatMap { bundle in
        bundle.files.flatMap { version, file in
          let findings = Rule.check(file, rules: rules)
          return bundle.canActOn(version) ? findings : findings.filter { $0.severity == .error }
        }
      }
    let historyFindings = project.bundles.compactMap(\.history).flatMap { Rule.check($0, rules: rules) }
    let projectFindings = rules.flatMap { $0.check(project) }
    return (modelFindings + historyFindings + projectFindings).sorted()
  }
}
