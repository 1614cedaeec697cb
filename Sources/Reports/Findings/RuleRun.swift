public import ModelChecks
public import ModelFiles

/// One run of the rules, as every renderer of findings takes it.
public struct RuleRun: Hashable, Sendable {
  /// The findings, in the order of their locations.
  public var findings: [Finding]
  /// The lines at the findings' locations, if they can be read.
  public var sourceLines: [SourceLocation: String]
  /// The rules that were applied.
  public var rules: [RuleDescription]
  /// The reasons why files could not be checked, a sentence each; empty for a complete run.
  public var failures: [String]
  /// The released versions whose path is not proved, bundle by bundle.
  public var unproved: [UnprovedVersions]

  /// Creates a run from its results.
  public init(
    _ findings: [Finding], rules: [RuleDescription], sourceLines: [SourceLocation: String] = [:],
    failures: [String] = [], unproved: [UnprovedVersions] = []
  ) {
    (self.findings, self.rules, self.sourceLines) = (findings, rules, sourceLines)
    (self.failures, self.unproved) = (failures, unproved)
  }
}
