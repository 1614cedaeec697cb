public import Foundation
import ModelDescription
import ModelFiles
public import VersionHashing

/// What recording a version in a lock file did.
public struct LockRecord: Hashable, Sendable {
  /// What it did.
  public enum Outcome: String, Hashable, Sendable, Encodable {
    /// It was not there before.
    case recorded
    /// It was there with the same hashes.
    case unchanged
    /// It was a draft and is released.
    case released
    /// The draft was recorded again.
    case updated
    /// It was there under another name, of which the bundle has no version.
    case renamed
    /// A released entry was overwritten, which was asked for.
    case relocked
    /// Its support ended.
    case retired
  }

  /// The version's name.
  public let version: String
  /// What it is now.
  public let state: LockFile.State
  /// Its hashes.
  public let hashes: VersionHashes
  /// What may be lost on the way to it, sorted.
  public let allowedLosses: [String]
  /// What was to be allowed, now or before, and is not lost, sorted.
  public let droppedLosses: [String]
  /// What recording did.
  public let outcome: Outcome
  /// For a released entry that was overwritten, in what the version differs from the released one: stores of that one
  /// cannot be opened any more.
  public let edits: [String]
  /// What is recorded for the first time as what rows may stand in the way of, sorted.
  public var mayBlock: [String] = []
  /// The relationships that name join tables in a store that was shown, sorted.
  public var joinNames: [String] = []
  /// When and why its support ended; nil unless it is retired.
  public var retirement: LockFile.Retirement?
}

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
  /// - Returns: nil where no version was released, and where none before it is a draft.
  public func draftsBehind(_ records: [LockRecord]) -> DraftsBehind? {
    let released = Set(records.filter { $0.state == .released && $0.outcome != .unchanged }.map(\.version))
    let names = bundle.versions.map(\.name)
    guard let newest = names.lastIndex(where: released.contains) else { return nil }
    let drafts = names[..<newest].filter { lock.entries[$0]?.state == .draft }
    return drafts.isEmpty ? nil : DraftsBehind(names: drafts, release: names[newest])
  }

  /// Ends the support of versions that were released: they stay in the lock file and may leave the bundle.
  ///
  /// - Parameters:
  ///   - words: names of versions, and ranges such as `v1..v29`, of which drafts are left out.
  ///   - retirement: when and why.
  /// - Returns: what it did, in the order of the versions; one that is retired already keeps its day.
  public mutating func retire(_ words: [String], _ retirement: LockFile.Retirement) throws(LockError) -> [LockRecord] {
    let order = lock.recordedOrder.isEmpty ? VersionOrder.sorted(lock.entries.keys) : lock.recordedOrder
    var chosen: Set<String> = []
    for word in words { chosen.formUnion(try names(of: word, in: order)) }
    var records: [LockRecord] = []
    for name in order where chosen.contains(name) {
      guard var entry = lock.entries[name] else { continue }
      guard name != bundle.currentVersionName else { throw .retiresCurrent(version: name, bundle: bundle.path) }
      let outcome: LockRecord.Outcome = entry.retirement?.reason == retirement.reason ? .unchanged : .retired
      entry.state = .retired
      entry.retirement = LockFile.Retirement(
        date: entry.retirement?.date ?? retirement.date, reason: retirement.reason)
      lock.entries[name] = entry
      records.append(
        LockRecord(
          version: name, state: .retired, hashes: entry.hashes, allowedLosses: entry.allowedLosses.sorted(),
          droppedLosses: [], outcome: outcome, edits: [], retirement: entry.retirement))
    }
    if !lock.recordsSteps { _ = try recordMissingSteps() }
    return records
  }

  /// Whether the lock file holds the versions that a name or a range begins and ends with.
  public func holds(_ word: String) -> Bool { lock.entries[word] != nil || lock.range(word) != nil }

  private func names(of word: String, in order: [String]) throws(LockError) -> [String] {
    if let entry = lock.entries[word] {
      guard entry.state != .draft else { throw .retiresDraft(version: word, lock: lock.path) }
      return [word]
    }
    guard let (first, last) = lock.range(word), let start = order.firstIndex(of: first),
      let end = order.firstIndex(of: last)
    else {
      let parts = word.components(separatedBy: "..")
      let unknown = parts.count == 2 ? parts.first { lock.entries[$0] == nil } ?? word : word
      throw .notRecorded(
        name: unknown, lock: lock.path, candidates: NearNames.nearest(to: unknown, among: lock.entries.keys.sorted()))
    }
    guard start <= end else { throw .backwards(first: first, last: last, lock: lock.path) }
    return order[start...end].filter { lock.entries[$0]?.state != .draft }
  }
}

extension LockFile.Retirement {
  /// Makes one of today; nil for a reason that is not one line of text.
  ///
  /// - Parameters:
  ///   - reason: why its support ended.
  ///   - moment: when.
  public init?(_ reason: String, at moment: Date = Date()) {
    guard LockFileText.isReason(reason) else { return nil }
    self.init(date: moment.formatted(.iso8601.year().month().day()), reason: reason)
  }

  /// Since when and why, in words.
  public var words: String { "its support ended on \(date): \(reason)" }
}

extension LockFile {
  /// The versions between which the dots of a word stand, wherever names have dots themselves.
  fileprivate func range(_ word: String) -> (first: String, last: String)? {
    for position in word.indices where word[position...].hasPrefix("..") {
      let (first, last) = (String(word[..<position]), String(word[position...].dropFirst(2)))
      if entries[first] != nil, entries[last] != nil { return (first, last) }
    }
    return nil
  }
}
