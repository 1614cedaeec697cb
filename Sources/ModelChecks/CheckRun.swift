import ModelDescription
public import ModelFiles

/// The rules applied to a project.
///
/// Every version is checked for errors. Advice about a released version can be followed only in the next version. Warnings
/// about single versions are therefore notes in the current version, and are not reported for older versions. Without
/// release evidence, all versions count as released.
///
/// ```swift
/// let configuration = try CheckConfiguration.nearest()
/// let search = ProjectSearch(excluding: configuration.excludes)
/// let project = CheckedProject.load(paths: ["Models"], configuration: configuration, search: search)
/// for finding in CheckRun(project, configuration: configuration).findings() { print(finding) }
/// ```
///
/// ## Topics
///
/// ### Checks
/// - ``project``
/// - ``rules``
/// - ``configuration``
///
/// ### Findings
/// - ``findings()``
/// - ``unguarded``
/// - ``suppressionErrors()``
public struct CheckRun: Sendable {
  /// The checked project.
  public private(set) var project: CheckedProject
  /// The rules whose findings are reported.
  public let rules: [Rule]
  /// The configuration of the project.
  public let configuration: CheckConfiguration
  private let requiresLock: Bool
  private let isRelease: Bool

  /// Makes a run; rules that the configuration turns off are not applied.
  ///
  /// - Parameters:
  ///   - project: the models and lock files that were read.
  ///   - rules: the rules to run.
  ///   - configuration: the configuration of the project.
  ///   - requiresLock: whether a bundle without a lock file is an error, with any configuration.
  ///   - isRelease: whether a current version that is not recorded as released is an error, with any configuration.
  public init(
    _ project: CheckedProject, rules: [Rule] = Rule.all, configuration: CheckConfiguration = CheckConfiguration(),
    requiresLock: Bool = false, isRelease: Bool = false
  ) {
    (self.project, self.requiresLock, self.isRelease) = (project, requiresLock, isRelease)
    self.project.isForRelease = isRelease
    var seen: Set<String> = []
    self.rules = rules.filter { configuration.isOn($0) && seen.insert($0.id).inserted }
    self.configuration = configuration
  }

  /// The findings that are not ignored, sorted by location.
  ///
  /// A rule gives the same findings when you run it alone and when you run all rules.
  public func findings() -> [Finding] {
    let chosen = Set(rules.map(\.id))
    let rules = appliedRules
    // An app runs the fetch requests of its current version only.
    let errorRules = rules.filter { $0.severity == .error && $0.id != Rule.unknownFetchProperty.id }
    let modelFindings =
      project.models.flatMap { Rule.check($0, rules: rules).map(\.withEdits) }
      + project.bundles.flatMap { bundle in
        bundle.files.concurrentMap { version, file in
          if bundle.canChange(version) {
            return Rule.check(file, rules: rules).map(\.withEdits)
              .map(bundle.findingsBefore(version, rules: rules).asBefore)
          }
          let isCurrent = version == bundle.bundle.currentVersionName
          let isGuarded = bundle.history?.isGuarded ?? false
          // A version that cannot be used is not in the history, and can be edited if it is not released.
          let isOpen = bundle.history.map { $0.isGuarded && !$0.isReleased(version) } ?? false
          return Rule.check(file, rules: isCurrent ? rules : errorRules).map { isOpen ? $0.withEdits : $0 }
            .map { isGuarded ? $0.forNextVersion : $0.ofUnguardedVersion }
        }.flatMap(\.self)
      }
    let historyFindings = project.bundles.compactMap(\.history).flatMap { Rule.check($0, rules: rules) }
    let projectFindings = rules.flatMap { $0.check(project).map(\.withEdits) }
    var seen: Set<Finding> = []
    let found = (modelFindings + historyFindings + projectFindings).filter { finding in
      !(finding.location.map { configuration.excludes($0.file) } ?? false) && seen.insert(finding).inserted
    }
    let left = SuppressedFindings(found, by: suppressions, rules: Set(rules.map(\.id)))
    let isAboutEntries = rules.contains { $0.id == Rule.unusedSuppression.id }
    let unused = isAboutEntries ? neverUsed(left.unused, rules: rules).filter(canActOn) : []
    let applied = configuration.applied(
      to: left.findings + unused.map { Finding(unused: $0.suppression, rule: $0.rule) })
    let causes = applied.withoutConsequencesOfRenames().filter { chosen.contains($0.rule) }
    let releases = isRelease ? project.missingReleases : []
    guard requiresLock else { return (causes + releases).sorted() }
    return (causes.filter { $0.rule != Rule.missingLock.id } + project.missingLocks + releases).sorted()
  }

  /// The reported rules, and the rules that decide whether a finding counts.
  ///
  /// A likely rename hides its consequences, and an entry is unused only if its own rule ran.
  private var appliedRules: [Rule] {
    let chosen = Set(rules.map(\.id))
    let isAboutEntries = chosen.contains(Rule.unusedSuppression.id)
    return Rule.all.filter { rule in
      chosen.contains(rule.id)
        || configuration.isOn(rule) && (isAboutEntries || rule.id == Rule.likelyRename.id && !chosen.isEmpty)
    }
  }

  /// The bundles without release evidence.
  public var unguarded: [ModelBundle] { project.bundles.compactMap(\.history).filter { !$0.isGuarded }.map(\.bundle) }

  /// The errors about userInfo entries that name unknown rules.
  public func suppressionErrors() -> [SuppressionError] {
    suppressions.flatMap { suppression in
      suppression.rules.filter { Rule.named($0) == nil }.map {
        SuppressionError(rule: UnknownRule($0), element: suppression.place.element, location: suppression.location)
      }
    }
  }

  private var suppressions: [Suppression] { project.files.concurrentMap(Suppression.all).flatMap(\.self) }

  /// The entries that are also unused if the current versions are checked as before their release.
  ///
  /// A check with a base needs the entries of a released version until the base has the version.
  private func neverUsed(
    _ unused: [(suppression: Suppression, rule: String)], rules: [Rule]
  ) -> [(suppression: Suppression, rule: String)] {
    guard !unused.isEmpty else { return [] }
    let found = project.bundles.compactMap(\.history).filter { $0.lock != nil }
      .flatMap { Rule.check($0.openingCurrent, rules: rules) }
    let still = SuppressedFindings(found, by: unused.map(\.suppression), rules: Set(rules.map(\.id))).unused
    return unused.filter { entry in still.contains { $0 == entry } }
  }

  /// True for an entry of the current version, or of a version that can still change.
  private func canActOn(_ unused: (suppression: Suppression, rule: String)) -> Bool {
    project.bundles.allSatisfy { bundle in
      bundle.files.allSatisfy { version, file in
        file.path != unused.suppression.place.path || bundle.canActOn(version)
      }
    }
  }
}

extension Finding {
  /// Takes a userInfo entry that does not ignore a finding.
  fileprivate init(unused suppression: Suppression, rule: String) {
    self.init(
      rule: Rule.unusedSuppression.id, severity: Rule.unusedSuppression.severity, element: suppression.place.element,
      location: suppression.location,
      message: "the userInfo entry “\(Suppression.key)” of \(suppression.place.element) names \(rule), which does "
        + "not find anything there",
      fix: suppression.rules.count > 1 ? "remove \(rule) from it" : "remove the entry")
  }
}

extension CheckConfiguration {
  /// The findings with the severities of the configuration.
  fileprivate func applied(to findings: [Finding]) -> [Finding] {
    findings.compactMap { finding in
      guard let level = levels[finding.rule] else { return finding }
      guard let severity = level.severity else { return nil }
      var finding = finding
      finding.severity = finding.isForNextVersion && severity == .warning ? .note : severity
      return finding
    }
  }
}

extension [Finding] {
  /// The findings without the consequences of a likely rename, so that a rename is one finding.
  ///
  /// The renaming identifier also resolves the losses of the old element and the conditions of the new element. A rename
  /// that does not fail the check does not hide a finding that does.
  fileprivate func withoutConsequencesOfRenames() -> [Finding] {
    let renames = filter { $0.rule == Rule.likelyRename.id }
    guard !renames.isEmpty else { return self }
    let places = Set(renames.compactMap(\.place))
    let failing = Set(renames.filter(\.severity.isFailure).compactMap(\.place))
    let rules = [Rule.requiredWithoutDefault.id, Rule.unreachableVersion.id]
    return filter { finding in
      let cause = finding.cause ?? (rules.contains(finding.rule) ? finding.place : nil)
      return cause.map { !(finding.severity.isFailure ? failing : places).contains($0) } ?? true
    }
  }
}

extension Finding {
  fileprivate var place: ElementLocation? { location.map { ElementLocation(path: $0.file, element: element) } }
}
