public import ModelChecks
import ModelFiles

/// The versions that are not released, as they stand in the last line of a check.
public struct UnreleasedText: Hashable, Sendable {
  /// Such as `unreleased: v3 of Shop, v2 and v3 of Stock`; nil when there is none.
  public let text: String?

  /// Takes the versions, bundle by bundle.
  public init(_ versions: [UnreleasedVersions]) {
    let bundles = versions.map { "\(NameList.text($0.names, last: " and ")) of \($0.bundle)" }
    text = bundles.isEmpty ? nil : "unreleased: \(NameList.text(bundles))"
  }
}
