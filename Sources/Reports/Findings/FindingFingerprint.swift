import ModelChecks
import ModelDescription
import ModelFiles
import VersionHashing

/// What tells a service that a finding of today is one of yesterday's: where it stands in the file plays no part.
enum FindingFingerprint {
  /// A fingerprint for each finding; findings that say the same of the same are told apart by their order.
  static func fingerprints(of findings: [Finding]) -> [String] {
    var count: [[String]: Int] = [:]
    return findings.map { finding in
      let identity = [finding.rule, finding.location?.file ?? "", finding.element.description, finding.message]
      count[identity, default: 0] += 1
      return TextDigest.hexadecimal((identity + ["\(count[identity] ?? 1)"]).joined(separator: "\0"))
    }
  }
}
