public import ModelChecks
import ModelDescription
import ModelFiles
import StoreMigration

/// The last lines of a check.
public struct CheckSummary: Hashable, Sendable {
  /// Such as `6 versions checked against all rules: 2 errors, 1 note; failed; unreleased: v6 of Shop`, and a line for each
  /// bundle with versions whose path is not proved.
  public let text: String

  /// Creates a summary of a check.
  ///
  /// - Parameters:
  ///   - unreleased: the versions that are not recorded as released.
  ///   - unproved: the released versions whose path is not proved.
  public init(
    _ findings: [Finding], versionCount: Int, ruleCount: Int, unreleased: [UnreleasedVersions] = [],
    unproved: [UnprovedVersions] = []
  ) {
    let leftOut = Rule.all.count - ruleCount
    let rules =
      leftOut == 0
      ? "all rules" : leftOut < ruleCount ? "all rules except \(leftOut)" : Quantity.text(ruleCount, "rule")
    let checked = "\(Quantity.text(versionCount, "version")) checked against \(rules)"
    let counts = Finding.Severity.allCases.map { severity in
      (severity.rawValue, findings.count { $0.severity == severity })
    }.filter { $0.1 > 0 }
    let openCount = unproved.reduce(0) { $0 + $1.paths.count }
    let found =
      (counts.isEmpty ? ["no findings"] : counts.map { Quantity.text($1, $0) })
      + (openCount == 0 ? [] : ["\(Quantity.text(openCount, "path")) not proved"])
    let verdict = findings.contains(where: \.severity.isFailure) ? "failed" : "passed"
    let parts =
      ["\(checked): \(found.joined(separator: ", "))", verdict] + [UnreleasedText(unreleased).text].compactMap { $0 }
    text = ([parts.joined(separator: "; ")] + unproved.map(\.text)).joined(separator: "\n")
  }
}

extension UnprovedVersions {
  /// Such as `3 of 12 released versions of Shop: path not proved (2 need policy classes of the app, 1 crosses a mapping
  /// model that is out of date); see: modelctl matrix Shop.xcdatamodeld`.
  public var text: String { "\(words); see: \(command)" }

  var words: String {
    let causes = UnprovedPath.Cause.allCases.compactMap { cause -> String? in
      let count = paths.count { $0.cause == cause }
      return count == 0 ? nil : "\(count) \(count == 1 ? cause.words.one : cause.words.several)"
    }
    let released = Quantity.text(releasedCount, "released version")
    return
      "\(paths.count) of \(released) of \(BundlePath.stem(bundle)): path not proved (\(causes.joined(separator: ", ")))"
  }

  var command: String { "modelctl matrix \(ShellWord(path: bundle).text)" }
}

extension UnprovedPath.Cause {
  /// The need of a single version, and of several.
  fileprivate var words: (one: String, several: String) {
    switch self {
    case .policyClasses: ("needs policy classes of the app", "need policy classes of the app")
    case .outdatedMapping: ("needs a mapping model that is out of date", "need a mapping model that is out of date")
    case .severalMappings: ("has several mapping models for a step", "have several mapping models for a step")
    case .refusedMapping:
      ("needs a mapping model that modelctl cannot run", "need a mapping model that modelctl cannot run")
    case .mappingFile:
      ("needs a mapping file, which Core Data does not read", "need a mapping file, which Core Data does not read")
    case .noPath: ("has a step that cannot be migrated", "have a step that cannot be migrated")
    }
  }
}

/// The unreleased versions, for the last line of a check.
public struct UnreleasedText: Hashable, Sendable {
  /// Such as `unreleased: v3 of Shop, v2 and v3 of Stock`; nil if there are none.
  public let text: String?

  /// Creates a text from the versions, bundle by bundle.
  public init(_ versions: [UnreleasedVersions]) {
    let bundles = versions.map { "\(NameList.text($0.names, last: " and ")) of \($0.bundle)" }
    text = bundles.isEmpty ? nil : "unreleased: \(NameList.text(bundles))"
  }
}
