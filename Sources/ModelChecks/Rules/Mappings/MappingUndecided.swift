extension Rule {
  static let mappingUndecided = Rule(
    id: "mapping-undecided",
    severity: .error,
    purpose: "What a mapping file leaves to inference can be inferred.",
    explanation: """
      A mapping file says what inference does not and leaves the rest to it. A property whose type changed, or that \
      several properties claim to continue, cannot be inferred and needs a value in the file: value="…", sql="…" or \
      default="yes". Until then the mapping is not used and the step cannot be made. A comment that modelctl mapping new \
      has left, marked by DECIDE, is a warning: the file is used as it is.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-undecided")
  }
}
