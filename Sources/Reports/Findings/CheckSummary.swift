public import ModelChecks

/// What a check found, in the line that ends it.
public struct CheckSummary: Hashable, Sendable {
  /// Such as `6 versions checked against 69 rules: 2 errors, 1 note; failed; unreleased: v6 of Shop`.
  public let text: String

  /// Takes a check.
  ///
  /// - Parameters:
  ///   - findings: what it found.
  ///   - versionCount: how many versions were checked.
  ///   - ruleCount: how many rules were applied.
  ///   - unreleased: the versions that are not recorded as released.
  public init(_ findings: [Finding], versionCount: Int, ruleCount: Int, unreleased: [UnreleasedVersions] = []) {
    let checked = "\(Quantity.text(versionCount, "version")) checked against \(Quantity.text(ruleCount, "rule"))"
    let counts = Finding.Severity.allCases.map { severity in
      (severity, findings.count { $0.severity == severity })
    }.filter { $0.1 > 0 }
    let found =
      counts.isEmpty ? "no findings" : counts.map { Quantity.text($1, $0.rawValue) }.joined(separator: ", ")
    let verdict = findings.contains(where: \.severity.isFailure) ? "failed" : "passed"
    let parts = ["\(checked): \(found)", verdict] + [UnreleasedText(unreleased).text].compactMap { $0 }
    text = parts.joined(separator: "; ")
  }
}
