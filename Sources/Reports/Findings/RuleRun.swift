public import ModelChecks
public import ModelFiles

/// One run of the rules, as every renderer of findings takes it.
public struct RuleRun: Hashable, Sendable {
  /// What was found, in the order of the places.
  public var findings: [Finding]
  /// The text at the findings' places, as far as it can be read.
  public var sourceLines: [SourceLocation: String]
  /// The rules that were applied.
  public var rules: [RuleDescription]
  /// Why files could not be checked, a sentence each; empty for a run that is complete.
  public var failures: [String]
  /// The released versions whose path is not proved, bundle by bundle.
  public var unproved: [UnprovedVersions]

  /// Takes what a run gave.
  public init(
    _ findings: [Finding], rules: [RuleDescription], sourceLines: [SourceLocation: String] = [:],
    failures: [String] = [], unproved: [UnprovedVersions] = []
  ) {
    (self.findings, self.rules, self.sourceLines) = (findings, rules, sourceLines)
    (self.failures, self.unproved) = (failures, unproved)
  }
}
