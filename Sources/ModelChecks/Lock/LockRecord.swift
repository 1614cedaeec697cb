public import Foundation
import ModelDescription
import ModelFiles
public import VersionHashing

/// The result of recording a version in a lock file.
public struct LockRecord: Hashable, Sendable {
  /// The effect of recording a version.
  public enum Outcome: String, Hashable, Sendable, Encodable {
    /// The version is new in the lock file.
    case recorded
    /// The version was recorded with the same hashes.
    case unchanged
    /// The draft is now released.
    case released
    /// The draft was recorded again.
    case updated
    /// The version was recorded under an earlier name.
    case renamed
    /// A released entry was overwritten on request.
    case relocked
    /// The version is now retired.
    case retired
  }

  /// The version's name.
  public let version: String
  /// The new state.
  public let state: LockFile.State
  /// Its hashes.
  public let hashes: VersionHashes
  /// The names of the losses that the steps to it may have, sorted.
  public let allowedLosses: [String]
  /// The names of allowed losses that no step has, sorted.
  public let droppedLosses: [String]
  /// The effect.
  public let outcome: Outcome
  /// The differences from an overwritten released entry, whose stores cannot be opened any more.
  public let edits: [String]
  /// The newly accepted blockers, sorted.
  public var mayBlock: [String] = []
  /// The relationships that name join tables in the given store, sorted.
  public var joinNames: [String] = []
  /// The end of its support; nil unless it is retired.
  public var retirement: LockFile.Retirement?
}

/// The drafts before a release, which are not guarded although users may have them.
public struct DraftsBehind: Hashable, Sendable {
  /// The versions, oldest first.
  public let names: [String]
  /// The newest version that was released.
  public let release: String
}

extension LockRecording {
  /// Finds the drafts before the newest released version of a run.
  ///
  /// - Returns: the drafts; nil if no version was released, or if there is no draft before it.
  public func draftsBehind(_ records: [LockRecord]) -> DraftsBehind? {
    let released = Set(records.filter { $0.state == .released && $0.outcome != .unchanged }.map(\.version))
    let names = bundle.versions.map(\.name)
    guard let newest = names.lastIndex(where: released.contains) else { return nil }
    let drafts = names[..<newest].filter { lock.entries[$0]?.state == .draft }
    return drafts.isEmpty ? nil : DraftsBehind(names: drafts, release: names[newest])
  }

  /// Retires released versions: the lock file keeps them, and you may delete them from the bundle.
  ///
  /// - Parameters:
  ///   - words: names of versions, and ranges such as `v1..v29`, which leave out drafts.
  ///   - retirement: the day and the reason.
  /// - Returns: the records in the order of the versions; a version that is already retired keeps its day.
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

  /// True if the lock file has the version of a name, or both ends of a range.
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
  /// Makes a retirement; nil for a reason that is not one line of text.
  ///
  /// - Parameters:
  ///   - reason: the reason for the end of support.
  ///   - moment: the end of support.
  public init?(_ reason: String, at moment: Date = Date()) {
    guard LockFileText.isReason(reason) else { return nil }
    self.init(date: moment.formatted(.iso8601.year().month().day()), reason: reason)
  }

  /// The day and the reason in words.
  public var words: String { "its support ended on \(date): \(reason)" }
}

extension LockFile {
  /// The ends of a range, even if the names contain dots themselves.
  fileprivate func range(_ word: String) -> (first: String, last: String)? {
    for position in word.indices where word[position...].hasPrefix("..") {
      let (first, last) = (String(word[..<position]), String(word[position...].dropFirst(2)))
      if entries[first] != nil, entries[last] != nil { return (first, last) }
    }
    return nil
  }
}
