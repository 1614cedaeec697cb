public import ModelDescription
public import ModelFiles

/// A rule that models and their history are checked against.
///
/// ```swift
/// for rule in Rule.all { print(rule.id, rule.purpose) }
/// let file = try ModelBundle(at: "Orders.xcdatamodeld").currentVersion().load()
/// print(Rule.check(file).count, "findings")
/// ```
///
/// ## Topics
///
/// ### What it is
/// - ``id``
/// - ``severity``
/// - ``purpose``
/// - ``explanation``
///
/// ### All of them
/// - ``all``
public struct Rule: Sendable {
  /// The rule's id, stable across releases.
  public let id: String
  /// How much its findings matter, unless the configuration says otherwise.
  public let severity: Finding.Severity
  /// What the rule is for, in one sentence.
  public let purpose: String
  /// Why it matters and what to do, in a few sentences.
  public let explanation: String
  let subject: Subject

  /// What a rule looks at.
  enum Subject: Sendable {
    /// One version, by itself.
    case model(@Sendable (ModelIndex) -> [RuleFinding])
    /// A bundle: its versions, what was released of them, and what leads from one to the next.
    case history(@Sendable (BundleHistory) -> [RuleFinding])
    /// Everything that is checked, for what belongs to no bundle.
    case project(@Sendable (CheckedProject) -> [RuleFinding])
    /// What silences the findings of other rules.
    case suppressions
  }

  init(
    id: String, severity: Finding.Severity, purpose: String, explanation: String = "",
    model findings: @escaping @Sendable (ModelIndex) -> [RuleFinding]
  ) {
    (self.id, self.severity, self.purpose, self.explanation) = (id, severity, purpose, explanation)
    subject = .model(findings)
  }

  init(
    id: String, severity: Finding.Severity, purpose: String, explanation: String = "",
    history findings: @escaping @Sendable (BundleHistory) -> [RuleFinding]
  ) {
    (self.id, self.severity, self.purpose, self.explanation) = (id, severity, purpose, explanation)
    subject = .history(findings)
  }

  init(
    id: String, severity: Finding.Severity, purpose: String, explanation: String = "",
    project findings: @escaping @Sendable (CheckedProject) -> [RuleFinding]
  ) {
    (self.id, self.severity, self.purpose, self.explanation) = (id, severity, purpose, explanation)
    subject = .project(findings)
  }

  init(id: String, severity: Finding.Severity, purpose: String, explanation: String, subject: Subject) {
    (self.id, self.severity, self.purpose, self.explanation) = (id, severity, purpose, explanation)
    self.subject = subject
  }

  /// Every rule, sorted by id.
  public static let all: [Rule] = (modelRules + historyRules + changeRules + mappingRules + [.unusedSuppression])
    .sorted { $0.id < $1.id }

  /// The rules about a single version.
  private static let modelRules: [Rule] = [
    .cascadeBothWays, .caseClash, .contradictoryLimits, .duplicateName, .inheritanceCycle, .inheritedNameClash,
    .missingInverse, .oneSidedInverse, .reservedName, .toManyWithoutInverse, .unknownAttributeType,
    .unknownConfigurationMember, .unknownConstraintProperty, .unknownDerivationProperty, .unknownDestination,
    .unknownIndexProperty, .unknownParent,
  ]

  /// The rules about what leads to the next version.
  static let changeRules: [Rule] = [
    .ambiguousRenaming, .dataLoss, .defaultNotApplied, .indexNotApplied, .indirectMigration, .likelyRename,
    .requiredWithoutDefault, .rowsMayBlock, .staleRenamingIdentifier, .uniquenessAdded, .unreachableVersion,
  ]

  /// The rules about mapping models between versions.
  static let mappingRules: [Rule] = inspectionRules + [.mappingAmbiguous, .mappingFileOnly, .mappingWithoutPath]

  /// The rules about what users have.
  private static let historyRules: [Rule] = [
    .bundleMoved, .currentVersionMovedBack, .equalHashes, .lockMissingVersion, .lockRewritten, .lockStale, .missingLock,
    .newVersionNotCurrent, .noCurrentVersion, .releasedBundleDeleted, .releasedMappingChanged, .releasedMappingDeleted,
    .releasedVersionDeleted, .releasedVersionRenamed, .silentChange, .unionClash, .unionUnreachable, .unversionedChange,
    .versionRelocked,
  ]

  /// What the rule finds in a model, which may be broken in any way; sorted by place.
  public func check(_ file: ModelFile) -> [Finding] { check(ModelIndex(file)) }

  /// What every rule about a single version finds in a model, sorted by place.
  ///
  /// - Parameters:
  ///   - file: the model with the places of its elements.
  ///   - rules: the rules to apply.
  /// - Returns: the findings of all rules together.
  public static func check(_ file: ModelFile, rules: [Rule] = all) -> [Finding] {
    let index = ModelIndex(file)
    return rules.flatMap { $0.check(index) }.sorted()
  }

  /// What every rule about a single version finds in a model that is in no file, such as one written in Swift.
  ///
  /// - Parameters:
  ///   - model: the model, which may be broken in any way.
  ///   - name: what the model is called.
  ///   - rules: the rules to apply.
  /// - Returns: the findings of all rules together, which have no places.
  public static func check(_ model: ManagedObjectModel, named name: String, rules: [Rule] = all) -> [Finding] {
    check(ModelFile(model: model, path: name), rules: rules)
  }

  /// What every rule about history finds in a bundle, sorted by place.
  ///
  /// - Parameters:
  ///   - history: the bundle, what was released of it, and the mappings between its versions.
  ///   - rules: the rules to apply.
  /// - Returns: the findings of all rules together.
  public static func check(_ history: BundleHistory, rules: [Rule] = all) -> [Finding] {
    rules.concurrentMap { $0.check(history) }.flatMap(\.self).sorted()
  }

  private func check(_ index: ModelIndex) -> [Finding] {
    guard case .model(let findings) = subject else { return [] }
    return findings(index).map { finding($0, at: $0.location ?? index.file.location(of: $0.element)) }.sorted()
  }

  private func check(_ history: BundleHistory) -> [Finding] {
    guard case .history(let findings) = subject else { return [] }
    return findings(history).map { finding($0, at: $0.location) }
  }

  func check(_ project: CheckedProject) -> [Finding] {
    guard case .project(let findings) = subject else { return [] }
    return findings(project).map { finding($0, at: $0.location) }
  }

  private func finding(_ found: RuleFinding, at location: SourceLocation?) -> Finding {
    var finding = Finding(
      rule: id, severity: found.severity ?? severity, element: found.element, location: location,
      message: found.message, fix: found.fix)
    finding.silencers = found.silencers
    finding.cause = found.cause
    return finding
  }
}

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
