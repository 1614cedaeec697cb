extension Rule {
  /// What a rule is about.
  public enum Category: String, Hashable, Sendable, CaseIterable {
    /// One version, by itself.
    case model = "One version"
    /// What users have and must stay as it is.
    case history = "What users have"
    /// What leads to the next version.
    case changes = "The next version"
    /// Mapping models between versions.
    case mappings = "Mapping models"
    /// What silences the findings of other rules.
    case suppressions = "Silenced rules"
  }

  /// What the rule is about.
  public var category: Category {
    if case .model = subject { return .model }
    if case .suppressions = subject { return .suppressions }
    if Self.changeRules.contains(where: { $0.id == id }) { return .changes }
    return Self.mappingRules.contains { $0.id == id } ? .mappings : .history
  }

  /// True when a userInfo entry in a model can silence it.
  public var isSilencedInModels: Bool { category != .mappings && category != .suppressions }

  /// The path of its page in the documentation.
  public var page: String { "docs/rules/\(id).md" }
}
