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

  /// Takes what a run gave.
  ///
  /// - Parameters:
  ///   - findings: what was found.
  ///   - rules: the rules that were applied; a finding of any other is rendered as well.
  ///   - sourceLines: the text at the findings' places.
  ///   - failures: why files could not be checked.
  public init(
    _ findings: [Finding], rules: [RuleDescription], sourceLines: [SourceLocation: String] = [:],
    failures: [String] = []
  ) {
    self.findings = findings
    self.rules = rules
    self.sourceLines = sourceLines
    self.failures = failures
  }
}
