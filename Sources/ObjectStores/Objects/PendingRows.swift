import GRDB
import StoreRows

/// The rows of what a transaction has changed so far, which its reads see; they are taken back before the save works out
/// everything at once.
///
/// Only what came since the last read is written, so that a loop of reading and inserting costs each change once more, not
/// once for each read. Versions stay and nothing is remembered in history, so that what is read can be saved.
struct PendingRows {
  private let model: SavingModel
  private let policy: MergePolicy
  private var writing: RecordWriting?
  private var files: ExternalFiles?
  /// How many changes stand in the rows.
  private var count = 0
  /// The objects that new ones became where a merge policy made one of two.
  private var merged: [RecordID: RecordID] = [:]

  init(_ model: SavingModel, _ policy: MergePolicy) { (self.model, self.policy) = (model, policy) }

  /// Writes the changes that are not in the rows yet.
  ///
  /// - Throws: ``SaveError`` for values that are to be unique and are not, `RecordWritingError`, `DatabaseError`; the rows are as
  ///   they were before the transaction then.
  mutating func show(_ changes: RecordChanges, keys: RecordKeys, _ reading: RecordReading) throws {
    guard count < changes.operations.count else { return }
    do {
      let writing = try self.writing ?? begin(reading)
      let new = RecordChanges(Array(changes.operations[count...])).merging(merged, policy)
      let saving = try Saving(new, of: reading, model, merging: policy, isFinal: false)
      try writing.write(saving.writes, keys: keys, author: nil)
      merged = merged.mapValues { saving.merged[$0] ?? $0 }.merging(saving.merged) { _, new in new }
      count = changes.operations.count
    } catch {
      try? takeBack(reading)
      throw error
    }
  }

  /// Makes the rows what they were before the transaction.
  mutating func takeBack(_ reading: RecordReading) throws {
    guard writing != nil else { return }
    try reading.database.execute(sql: "ROLLBACK TO modelctl_pending; RELEASE modelctl_pending")
    files?.discard()
    (writing, files, count, merged) = (nil, nil, 0, [:])
  }

  private mutating func begin(_ reading: RecordReading) throws -> RecordWriting {
    let files = ExternalFiles(ofStore: reading.path)
    let writing = try RecordWriting(reading, files: files)
    try reading.database.execute(sql: "SAVEPOINT modelctl_pending")
    (self.files, self.writing) = (files, writing)
    return writing
  }
}
