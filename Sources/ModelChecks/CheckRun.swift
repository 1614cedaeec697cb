import ModelDescription
public import ModelFiles

/// The rules applied to a project.
///
/// Errors are looked for in every version. Advice about a version that users have can only be followed in the next one:
/// what the rules about single versions warn of is a note in the current version, and nothing in older ones. Where
/// nothing says which versions users have, all of them count as released.
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
/// ### What is checked
/// - ``project``
/// - ``rules``
/// - ``configuration``
///
/// ### What is found
/// - ``findings()``
/// - ``unguarded``
/// - ``suppressionErrors()``
public struct CheckRun: Sendable {
  /// What is checked.
  public let project: CheckedProject
  /// The rules whose findings are wanted.
  public let rules: [Rule]
  /// What the project has decided about its checks.
  public let configuration: CheckConfiguration
  private let requiresLock: Bool
  private let isRelease: Bool

  /// Makes a run; rules that the configuration turns off are not applied.
  ///
  /// - Parameters:
  ///   - project: the models and lock files that were read.
  ///   - rules: the rules to run.
  ///   - configuration: what the project has decided.
  ///   - requiresLock: whether a bundle without a lock file is an error, whatever the configuration says.
  ///   - isRelease: whether a current version that is not recorded as released is an error, likewise.
  public init(
    _ project: CheckedProject, rules: [Rule] = Rule.all, configuration: CheckConfiguration = CheckConfiguration(),
    requiresLock: Bool = false, isRelease: Bool = false
  ) {
    (self.project, self.requiresLock, self.isRelease) = (project, requiresLock, isRelease)
    var seen: Set<String> = []
    self.rules = rules.filter { configuration.isOn($0) && seen.insert($0.id).inserted }
    self.configuration = configuration
  }

  /// What the rules find and nothing silences, sorted by place.
  ///
  /// Those of some rules are the ones that all rules together give.
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
          // A version that cannot be used is in no history, and can be edited if nothing released it.
          let isOpen = bundle.history.map { $0.isGuarded && !$0.isReleased(version) } ?? false
          return Rule.check(file, rules: isCurrent ? rules : errorRules).map { isOpen ? $0.withEdits : $0 }
            .map { isGuarded ? $0.forNextVersion : $0.ofUnguardedVersion }
        }.flatMap(\.self)
      }
    let historyFindings = project.bundles.compactMap(\.history).flatMap { Rule.check($0, rules: rules) }
    let projectFindings = rules.flatMap { $0.check(project) }
    var seen: Set<Finding> = []
    let found = (modelFindings + historyFindings + projectFindings).filter { finding in
      !(finding.location.map { configuration.excludes($0.file) } ?? false) && seen.insert(finding).inserted
    }
    let left = SuppressedFindings(found, by: suppressions, rules: Set(rules.map(\.id)))
    let unused = rules.contains { $0.id == Rule.unusedSuppression.id } ? left.unused.filter(canActOn) : []
    let applied = configuration.applied(
      to: left.findings + unused.map { Finding(unused: $0.suppression, rule: $0.rule) })
    let causes = applied.withoutConsequencesOfRenames().filter { chosen.contains($0.rule) }
    let releases = isRelease ? project.missingReleases : []
    guard requiresLock else { return (causes + releases).sorted() }
    return (causes.filter { $0.rule != Rule.missingLock.id } + project.missingLocks + releases).sorted()
  }

  /// The rules that are wanted and those that decide whether a finding counts: a likely rename hides what follows from
  /// it, and an entry is unused only if its own rule ran.
  private var appliedRules: [Rule] {
    let chosen = Set(rules.map(\.id))
    let isAboutEntries = chosen.contains(Rule.unusedSuppression.id)
    return Rule.all.filter { rule in
      chosen.contains(rule.id)
        || configuration.isOn(rule) && (isAboutEntries || rule.id == Rule.likelyRename.id && !chosen.isEmpty)
    }
  }

  /// The bundles of which nothing says what users have.
  public var unguarded: [ModelBundle] { project.bundles.compactMap(\.history).filter { !$0.isGuarded }.map(\.bundle) }

  /// The userInfo entries that name what is no rule.
  public func suppressionErrors() -> [SuppressionError] {
    suppressions.flatMap { suppression in
      suppression.rules.filter { Rule.named($0) == nil }.map {
        SuppressionError(rule: UnknownRule($0), element: suppression.place.element, location: suppression.location)
      }
    }
  }

  private var suppressions: [Suppression] { project.files.concurrentMap(Suppression.all).flatMap(\.self) }

  /// True for an entry of a version that can still change, or that the app works with.
  private func canActOn(_ unused: (suppression: Suppression, rule: String)) -> Bool {
    project.bundles.allSatisfy { bundle in
      bundle.files.allSatisfy { version, file in
        file.path != unused.suppression.place.path || bundle.canActOn(version)
      }
    }
  }
}

extension Finding {
  /// Takes a userInfo entry that silences nothing.
  fileprivate init(unused suppression: Suppression, rule: String) {
    self.init(
      rule: Rule.unusedSuppression.id, severity: Rule.unusedSuppression.severity, element: suppression.place.element,
      location: suppression.location,
      message: "the userInfo entry “\(Suppression.key)” of \(suppression.place.element) names \(rule), which finds "
        + "nothing there",
      fix: suppression.rules.count > 1 ? "take \(rule) out of it" : "take the entry away")
  }
}

extension CheckConfiguration {
  /// The findings as they matter to the project.
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
  /// The findings without those that follow from a likely rename: a rename by hand is one finding.
  ///
  /// What is lost of the old element, and what the new one lacks, is mended by the renaming identifier. A rename that
  /// fails no check hides nothing that does.
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
  fileprivate var place: ModelPlace? { location.map { ModelPlace(path: $0.file, element: element) } }
}
