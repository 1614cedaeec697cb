public import ModelChecks
import ModelDescription
import ModelFiles
import VersionHashing

/// The new records of lock files.
public struct LockReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The records, file by file.
  public let records: [Record]

  private enum CodingKeys: CodingKey {
    case version, records
  }

  /// One version.
  public struct Record: Encodable, Hashable, Sendable {
    /// The lock file.
    public let file: String
    /// The version's name.
    public let version: String
    /// Its state now.
    public let state: LockFile.State
    /// The outcome of the recording.
    public let outcome: LockRecord.Outcome
    /// The version's checksum.
    public let checksum: String
    /// The allowed data losses on the path to it.
    public let allowDataLoss: [String]
    /// The allowed data losses that do not occur.
    public let droppedDataLoss: [String]
    /// The differences from a released entry that was overwritten.
    public let edits: [String]
    /// The properties that may block a migration to it, if they are recorded for the first time.
    public let mayBlock: [String]
    /// The relationships that name join tables in a store that was shown.
    public let joinNames: [String]
    /// The day its support ended; nil unless it is retired.
    public let retiredOn: String?
    /// The reason why its support ended; nil unless it is retired.
    public let reason: String?
  }

  /// Creates a report of the records.
  public init(_ records: [(file: String, record: LockRecord)]) {
    self.records = records.map { file, record in
      Record(
        file: file, version: record.version, state: record.state, outcome: record.outcome,
        checksum: record.hashes.checksum, allowDataLoss: record.allowedLosses,
        droppedDataLoss: record.droppedLosses, edits: record.edits, mayBlock: record.mayBlock,
        joinNames: record.joinNames, retiredOn: record.retirement?.date, reason: record.retirement?.reason)
    }
  }

  /// The drafts that a release leaves behind it, with the command that releases them.
  ///
  /// - Returns: a sentence without a full stop.
  public static func note(_ drafts: DraftsBehind, in recording: LockRecording) -> String {
    let isOne = drafts.names.count == 1
    let paths = drafts.names.compactMap { recording.bundle.version(named: $0)?.path }.map { ShellWord(path: $0).text }
    return "\(recording.lock.path): \(NameList.text(drafts.names)) \(isOne ? "is a draft" : "are drafts") older than "
      + "\(drafts.release); if users have stores of \(isOne ? "this version" : "these versions"): modelctl lock "
      + paths.joined(separator: " ")
  }

  /// One line per version, followed by broken stores of a version that is recorded again; one line for many equal
  /// records.
  public var text: String {
    Record.runs(records).map { run in
      let record = run[0]
      guard run.count == 1 else { return "\(Record.lead(of: run)) \(record.words(ofMany: true))\n" }
      let breaks =
        record.outcome == .relocked && !record.edits.isEmpty
        ? "  stores of the released \(record.version) no longer open:\n"
          + record.edits.map { "    \($0)\n" }.joined()
        : ""
      let dropped =
        record.droppedDataLoss.isEmpty
        ? "" : ", without \(NameList.text(record.droppedDataLoss)), which no path to it loses"
      return
        "\(record.file): \(record.version) \(record.words())\(record.losses)\(record.blockers)\(record.names)\(dropped)\n\(breaks)"
    }.joined()
  }
}

extension LockReport.Record {
  /// Consecutive versions of one lock file with equal outcomes, if they are too many for a single line each.
  ///
  /// - Parameter records: the records, in order.
  /// - Returns: runs of one record or many records; none is empty.
  package static func runs(_ records: [Self]) -> [[Self]] {
    var runs: [[Self]] = []
    for record in records {
      if let last = runs.last?.last, last.isSaidLike(record) {
        runs[runs.count - 1].append(record)
      } else {
        runs.append([record])
      }
    }
    return runs.flatMap { $0.count > NameList.limit ? [$0] : $0.map { [$0] } }
  }

  /// The lock file of a run of many, and which versions they are.
  package static func lead(of run: [Self]) -> String {
    "\(run[0].file): \(run.count) versions, \(run[0].version) to \(run[run.count - 1].version),"
  }

  private func isSaidLike(_ other: Self) -> Bool {
    let isPlain = [self, other].allSatisfy {
      ($0.allowDataLoss + $0.droppedDataLoss + $0.mayBlock + $0.joinNames).isEmpty
        && ($0.outcome != .relocked || $0.edits.isEmpty)
    }
    return isPlain && (file, state, outcome) == (other.file, other.state, other.outcome)
  }

  /// The possible data losses of a migration to the version.
  package var losses: String {
    allowDataLoss.isEmpty ? "" : "; a migration to it may lose \(NameList.text(allowDataLoss))"
  }

  /// The properties whose rows may block a migration.
  package var blockers: String {
    mayBlock.isEmpty ? "" : "; rows may block a migration to it: \(NameList.text(mayBlock))"
  }

  /// The relationships with recorded join tables.
  fileprivate var names: String {
    joinNames.isEmpty ? "" : ", with the join table names of the store: \(NameList.text(joinNames))"
  }

  /// The outcome, after the name of a single version or of many.
  fileprivate func words(ofMany isMany: Bool = false) -> String {
    let (are, were) = isMany ? ("are", "were") : ("is", "was")
    let drafts = isMany ? "drafts" : "a draft"
    let isDraft = state == .draft
    return switch outcome {
    case .recorded: "recorded as \(isDraft ? drafts : "released")"
    case .unchanged where state == .retired: "\(are) already retired"
    case .unchanged: isDraft ? "\(are) already recorded as \(drafts)" : "\(are) already released"
    case .renamed: "\(are) recorded under \(isMany ? "their new names" : "its new name")"
    case .released: "\(were) \(drafts) and \(are) now released"
    case .updated: isDraft ? "recorded again as \(drafts)" : "recorded again"
    case .retired: "\(are) retired"
    case .relocked: "\(were) released and \(are) recorded again as \(isDraft ? drafts : "released")"
    }
  }
}
