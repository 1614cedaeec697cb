public import ModelChecks
import ModelFiles
import VersionHashing

/// What was recorded in lock files, for people and programs.
public struct LockReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// What was recorded, file by file.
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
    /// `released` or `draft`.
    public let state: String
    /// `recorded`, `unchanged`, `released`, `updated`, `renamed` or `relocked`.
    public let outcome: String
    /// The version's checksum.
    public let checksum: String
    /// What may be lost on the way to it.
    public let allowDataLoss: [String]
    /// What was to be allowed, now or before, and is not lost.
    public let droppedDataLoss: [String]
    /// For a released entry that was overwritten, in what the version differs from it.
    public let edits: [String]
    /// The relationships that name join tables in a store that was shown.
    public let joinNames: [String]
  }

  /// Takes what was recorded.
  ///
  /// - Parameter records: the records with the paths of their lock files.
  public init(_ records: [(file: String, record: LockRecord)]) {
    self.records = records.map { file, record in
      Record(
        file: file, version: record.version, state: record.state.rawValue, outcome: record.outcome.rawValue,
        checksum: record.hashes.checksum, allowDataLoss: record.allowedLosses,
        droppedDataLoss: record.droppedLosses, edits: record.edits, joinNames: record.joinNames)
    }
  }

  /// One line a version, with what a relocked one breaks below it.
  public var text: String {
    records.map { record in
      let breaks =
        record.outcome == "relocked" && !record.edits.isEmpty
        ? "  stores of the \(record.version) that was released no longer open:\n"
          + record.edits.map { "    \($0)\n" }.joined()
        : ""
      let dropped =
        record.droppedDataLoss.isEmpty
        ? "" : ", without \(NameList.text(record.droppedDataLoss)), which is not lost on the way to it"
      return "\(record.file): \(record.version) \(record.words)\(record.losses)\(record.names)\(dropped)\n\(breaks)"
    }.joined()
  }
}

extension LockReport.Record {
  /// What may be lost on the way to the version.
  var losses: String { allowDataLoss.isEmpty ? "" : ", may lose \(NameList.text(allowDataLoss))" }

  /// The relationships whose join tables a store has named.
  fileprivate var names: String {
    joinNames.isEmpty ? "" : ", with the names of join tables as the store has them: \(NameList.text(joinNames))"
  }

  /// What was done, behind the version's name.
  fileprivate var words: String {
    switch outcome {
    case "recorded": state == "draft" ? "recorded as a draft" : "recorded as released"
    case "unchanged": state == "draft" ? "is recorded already, as a draft" : "is released already"
    case "renamed": "is recorded under its new name"
    case "released": "was a draft and is released now"
    case "updated": state == "draft" ? "recorded again as a draft" : "recorded again"
    default: "was released and is recorded anew, as \(state == "draft" ? "a draft" : "released")"
    }
  }
}
