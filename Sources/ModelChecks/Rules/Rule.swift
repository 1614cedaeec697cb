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
    .cascadeBothWays, .caseClash, .contradictoryLimits, .duplicateName, .indexWithoutColumn, .inheritanceCycle,
    .inheritedNameClash,
    .missingInverse, .oneSidedInverse, .reservedName, .toManyWithoutInverse, .unknownAttributeType,
    .unknownConfigurationMember, .unknownConstraintProperty, .unknownDerivationProperty, .unknownDestination,
    .unknownFetchProperty, .unknownIndexProperty, .unknownParent,
  ]

  /// The rules about what leads to the next version.
  static let changeRules: [Rule] = [
    .ambiguousRenaming, .dataLoss, .defaultNotApplied, .indexNotApplied, .indirectMigration, .likelyRename,
    .requiredWithoutDefault, .rowsMayBlock, .staleRenamingIdentifier, .uniquenessAdded, .unreachableVersion,
  ]

  /// The rules about mapping models between versions.
  static let mappingRules: [Rule] = inspectionRules + [.mappingAmbiguous, .mappingFileOnly, .mappingWithoutPath]

  private static let historyRules: [Rule] = [
    .bundleMoved, .currentVersionMovedBack, .equalHashes, .lockMissingVersion, .lockRewritten, .lockStale, .missingLock,
    .newVersionNotCurrent, .noCurrentVersion, .releasedBundleDeleted, .releasedMappingChanged, .releasedMappingDeleted,
    .releasedVersionDeleted, .releasedVersionRenamed, .silentChange, .staleModelFile, .unionClash, .unionUnreachable,
    .unversionedChange,
    .versionRelocked,
  ]

  /// What the rule finds in a model, which may be broken in any way; sorted by place.
  public func check(_ file: ModelFile) -> [Finding] { check(ModelIndex(file)) }

  /// What every rule about a single version finds in a model, sorted by place.
  public static func check(_ file: ModelFile, rules: [Rule] = all) -> [Finding] {
    let index = ModelIndex(file)
    return rules.flatMap { $0.check(index) }.sorted()
  }

  /// What every rule about a single version finds in a model that is in no file, such as one written in Swift.
  ///
  /// - Parameters:
  ///   - rules: the rules to run.
  ///   - model: the model, which may be broken in any way.
  ///   - name: what the model is called.
  /// - Returns: the findings of all rules together, which have no places.
  public static func check(_ model: ManagedObjectModel, named name: String, rules: [Rule] = all) -> [Finding] {
    check(ModelFile(model: model, path: name), rules: rules)
  }

  /// What every rule about history finds in a bundle, sorted by place.
  ///
  /// - Parameters:
  ///   - rules: the rules to run.
  ///   - history: the bundle, what was released of it, and the mappings between its versions.
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
    finding.edits = found.edits
    return finding
  }

  /// What a rule is about.
  public enum Category: String, Hashable, Sendable, CaseIterable {
    /// One version, by itself.
    case model = "One version"
    /// What users have and must stay as it is.
    case history = "Released versions"
    /// What leads to the next version.
    case changes = "The next version"
    /// Mapping models between versions.
    case mappings = "Mapping models"
    /// What silences the findings of other rules.
    case suppressions = "Ignored rules"
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

/// What a rule is, for those who list rules or render what they found.
public struct RuleDescription: Hashable, Sendable {
  /// The rule's id, stable across releases.
  public var id: String
  /// What the rule is for, in one sentence.
  public var purpose: String
  /// How much its findings matter where no configuration says otherwise.
  public var severity: Finding.Severity
  /// Why it matters and what to do, as plain text; nil where the purpose says it all.
  public var explanation: String?

  /// Describes a rule.
  public init(id: String, purpose: String, severity: Finding.Severity, explanation: String? = nil) {
    (self.id, self.purpose, self.severity, self.explanation) = (id, purpose, severity, explanation)
  }

  /// The rule's page, relative to the root of modelctl's repository.
  public var helpPath: String { "docs/rules/\(id).md" }
}

extension RuleDescription {
  /// Describes a rule as it is without a configuration.
  public init(_ rule: Rule) {
    self.init(
      id: rule.id, purpose: rule.purpose, severity: rule.severity,
      explanation: rule.explanation.isEmpty ? nil : rule.explanation)
  }
}

/// What a rule reports before its id and severity are added.
struct RuleFinding {
  var element: ModelElement
  /// The place, where it is another than the element's own.
  var location: SourceLocation?
  var message: String
  var fix: Advice?
  /// What `modelctl edit` does to mend it in a version that can still change, each by itself: `remove Order.note`.
  var edits: [String] = []
  /// How much it matters, where that is not what the rule says.
  var severity: Finding.Severity?
  /// Where else than at the element itself an entry silences it.
  var silencers: [ModelPlace] = []
  /// What a likely rename is about, of which this is a consequence.
  var cause: ModelPlace?

  init(
    _ element: ModelElement, _ message: String, fix: Advice? = nil, edits: [String] = [],
    at location: SourceLocation? = nil
  ) {
    (self.element, self.location, self.message) = (element, location, message)
    (self.fix, self.edits) = (fix, edits)
  }
}
