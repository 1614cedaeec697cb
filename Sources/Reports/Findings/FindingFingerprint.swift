import ModelChecks
import ModelDescription
import ModelFiles
import VersionHashing

/// What tells a service that a finding of today is one of yesterday's.
///
/// Where it stands in the file plays no part, and neither do its words, which may name the revision that was compared with.
enum FindingFingerprint {
  /// A fingerprint for each finding; what one rule finds several times about one element is told apart by its order.
  static func fingerprints(of findings: [Finding]) -> [String] {
    var count: [[String]: Int] = [:]
    return findings.map { finding in
      let identity = [finding.rule, finding.location?.file ?? "", finding.element.description]
      count[identity, default: 0] += 1
      return TextDigest.hexadecimal((identity + ["\(count[identity] ?? 1)"]).joined(separator: "\0"))
    }
  }
}
