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
/// ### Description
/// - ``id``
/// - ``severity``
/// - ``purpose``
/// - ``explanation``
///
/// ### All rules
/// - ``all``
public struct Rule: Sendable {
  /// The rule's id, stable across releases.
  public let id: String
  /// The severity of its findings, unless the configuration changes it.
  public let severity: Finding.Severity
  /// The purpose of the rule as a sentence.
  public let purpose: String
  /// The reason for the rule and the remedy, in a few sentences.
  public let explanation: String
  let subject: Subject

  enum Subject: Sendable {
    /// One version, by itself.
    case model(@Sendable (ModelIndex) -> [RuleFinding])
    /// A bundle: its versions, its releases, and the steps between the versions.
    case history(@Sendable (BundleHistory) -> [RuleFinding])
    /// The complete project, for findings that do not belong to a bundle.
    case project(@Sendable (CheckedProject) -> [RuleFinding])
    /// The entries that ignore findings of other rules.
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
  public static let all: [Rule] =
    (modelRules + historyRules + changeRules + mappingRules + cloudKitRules + [.unusedSuppression])
    .sorted { $0.id < $1.id }

  /// The rules about models that CloudKit mirrors, and about the export of their schema.
  static let cloudKitRules = mirroredModelRules + cloudKitExportRules

  /// The rules about a single version.
  private static let modelRules: [Rule] = [
    .cascadeBothWays, .caseClash, .contradictoryLimits, .duplicateName, .indexWithoutColumn, .inheritanceCycle,
    .inheritedNameClash,
    .missingInverse, .oneSidedInverse, .reservedName, .toManyWithoutInverse, .unknownAttributeType,
    .unknownConfigurationMember, .unknownConstraintProperty, .unknownDerivationProperty, .unknownDestination,
    .unknownFetchProperty, .unknownIndexProperty, .unknownParent,
  ]

  /// The rules about the steps to the next version.
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

  /// The findings of the rule in a model, sorted by location; the model may be broken.
  public func check(_ file: ModelFile) -> [Finding] { check(ModelIndex(file)) }

  /// The findings of all rules about a single version in a model, sorted by location.
  public static func check(_ file: ModelFile, rules: [Rule] = all) -> [Finding] {
    let index = ModelIndex(file)
    return rules.flatMap { $0.check(index) }.sorted()
  }

  /// The findings of all rules about a single version in a model without a file, such as a model in Swift.
  ///
  /// - Parameters:
  ///   - rules: the rules to run.
  ///   - model: the model, which may be broken.
  ///   - name: the name of the model.
  /// - Returns: the findings of all rules, without locations.
  public static func check(_ model: ManagedObjectModel, named name: String, rules: [Rule] = all) -> [Finding] {
    check(ModelFile(model: model, path: name), rules: rules)
  }

  /// The findings of all rules about history in a bundle, sorted by location.
  ///
  /// - Parameters:
  ///   - rules: the rules to run.
  ///   - history: the bundle with its releases and the mapping models between its versions.
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

  /// The subject of a rule.
  public enum Category: String, Hashable, Sendable, CaseIterable {
    /// One version, by itself.
    case model = "One version"
    /// Released versions, which must not change.
    case history = "Released versions"
    /// Steps to the next version.
    case changes = "The next version"
    /// Mapping models between versions.
    case mappings = "Mapping models"
    /// Models that CloudKit mirrors.
    case cloudKit = "CloudKit"
    /// Entries that ignore findings of other rules.
    case suppressions = "Ignored rules"
  }

  /// The subject of the rule.
  public var category: Category {
    if case .model = subject { return .model }
    if case .suppressions = subject { return .suppressions }
    if Self.changeRules.contains(where: { $0.id == id }) { return .changes }
    if Self.cloudKitRules.contains(where: { $0.id == id }) { return .cloudKit }
    return Self.mappingRules.contains { $0.id == id } ? .mappings : .history
  }

  /// True if a userInfo entry in a model can ignore it.
  public var isSilencedInModels: Bool { category != .mappings && category != .suppressions }

  /// The path of its page in the documentation.
  public var page: String { "docs/rules/\(id).md" }
}

/// The description of a rule, for lists of rules and for reports of findings.
public struct RuleDescription: Hashable, Sendable {
  /// The rule's id, stable across releases.
  public var id: String
  /// The purpose of the rule as a sentence.
  public var purpose: String
  /// The severity of its findings without a configuration.
  public var severity: Finding.Severity
  /// The reason for the rule and the remedy, as plain text; nil if the purpose suffices.
  public var explanation: String?

  /// Describes a rule.
  public init(id: String, purpose: String, severity: Finding.Severity, explanation: String? = nil) {
    (self.id, self.purpose, self.severity, self.explanation) = (id, purpose, severity, explanation)
  }

  /// The rule's page, relative to the root of modelctl's repository.
  public var helpPath: String { "docs/rules/\(id).md" }
}

extension RuleDescription {
  /// Describes a rule without a configuration.
  public init(_ rule: Rule) {
    self.init(
      id: rule.id, purpose: rule.purpose, severity: rule.severity,
      explanation: rule.explanation.isEmpty ? nil : rule.explanation)
  }
}

/// A finding of a rule before its id and severity are added.
struct RuleFinding {
  var element: ModelElement
  /// The location, if it is not that of the element.
  var location: SourceLocation?
  var message: String
  var fix: Advice?
  /// The arguments of `modelctl edit` that correct it in a version that can still change, such as `remove Order.note`.
  var edits: [[String]] = []
  /// The severity, if it is not that of the rule.
  var severity: Finding.Severity?
  /// The elements, besides its own, at which an entry ignores it.
  var silencers: [ElementLocation] = []
  /// The element of the likely rename that caused this finding.
  var cause: ElementLocation?

  init(
    _ element: ModelElement, _ message: String, fix: Advice? = nil, edits: [[String]] = [],
    at location: SourceLocation? = nil
  ) {
    (self.element, self.location, self.message) = (element, location, message)
    (self.fix, self.edits) = (fix, edits)
  }
}
