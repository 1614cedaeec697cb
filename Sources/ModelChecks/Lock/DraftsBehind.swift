import ModelFiles

/// The drafts that a release leaves behind it: nothing guards them, and users may have them.
public struct DraftsBehind: Hashable, Sendable {
  /// The versions, oldest first.
  public let names: [String]
  /// The newest version that was released.
  public let release: String
}

extension LockRecording {
  /// Finds the drafts before a version that was released now.
  ///
  /// - Parameter records: what was recorded in this bundle.
  /// - Returns: nil where no version was released, and where none before it is a draft.
  public func draftsBehind(_ records: [LockRecord]) -> DraftsBehind? {
    let released = Set(records.filter { $0.state == .released && $0.outcome != .unchanged }.map(\.version))
    let names = bundle.versions.map(\.name)
    guard let newest = names.lastIndex(where: released.contains) else { return nil }
    let drafts = names[..<newest].filter { lock.entries[$0]?.state == .draft }
    return drafts.isEmpty ? nil : DraftsBehind(names: drafts, release: names[newest])
  }
}
