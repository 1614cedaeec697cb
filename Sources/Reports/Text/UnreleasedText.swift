public import ModelChecks

/// The versions that are not released, as they stand in the last line of a check.
public struct UnreleasedText: Hashable, Sendable {
  /// Such as `unreleased: v3 of Shop, v2 and v3 of Stock`; nil when there is none.
  public let text: String?

  /// Takes the versions, bundle by bundle.
  public init(_ versions: [UnreleasedVersions]) {
    let bundles = versions.map { "\(Self.list($0.names, joinedBy: " and ")) of \($0.bundle)" }
    text = bundles.isEmpty ? nil : "unreleased: \(Self.list(bundles, joinedBy: ", "))"
  }

  /// Names in a sentence, at most five of them.
  private static func list(_ names: [String], joinedBy separator: String) -> String {
    let shown = names.prefix(5)
    if names.count > shown.count { return "\(shown.joined(separator: ", ")) and \(names.count - shown.count) more" }
    guard let last = shown.last, shown.count > 1 else { return shown.joined() }
    return shown.dropLast().joined(separator: ", ") + separator + last
  }
}
