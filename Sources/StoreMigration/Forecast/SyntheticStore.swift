package import Foundation
import GRDB
package import ModelFiles
package import PersistentStores

/// A store for a rehearsal or a trial, in a folder of its own.
package enum SyntheticStore {
  package static func path(in folder: URL) -> String { folder.appendingPathComponent("store.sqlite").path }

  /// Creates a store of a version.
  ///
  /// A uniqueness constraint with fewer possible values than rows, such as a Boolean, limits the number of rows.
  package static func make(
    in folder: URL, of version: LoadedVersion, _ rows: SyntheticRows, isInterrupted: (@Sendable () -> Bool)?
  ) throws -> Int {
    let creator = try StoreCreator(of: version.hierarchy)
    var count = rows.rowsPerEntity
    while try !create(creator, in: folder, rows, count, isInterrupted) { count /= 2 }
    return count
  }

  /// Copies a store that was given, with its log and the files of its external data.
  package static func copy(_ reader: StoreReader, to folder: URL) throws {
    let copy = try DatabaseQueue(path: path(in: folder))
    try reader.read { database in
      try copy.writeWithoutTransaction { try StoreClone.copy(database, to: $0) { _ in } }
    }
    try copy.close()
    let data = ExternalData.folder(ofStore: reader.file)
    guard FileManager.default.fileExists(atPath: data) else { return }
    let place = URL(fileURLWithPath: ExternalData.folder(ofStore: path(in: folder)))
    try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: URL(fileURLWithPath: data), to: place)
  }

  /// Creates the store unless there are more rows than values.
  private static func create(
    _ creator: StoreCreator, in folder: URL, _ rows: SyntheticRows, _ count: Int,
    _ isInterrupted: (@Sendable () -> Bool)?
  ) throws -> Bool {
    var fewer = SyntheticRows(seed: rows.seed, rowsPerEntity: count)
    (fewer.gaps, fewer.demands) = (rows.gaps, rows.demands)
    do {
      try creator.create(
        at: path(in: folder), uuid: identity(seed: rows.seed), filling: fewer,
        interruption: { isInterrupted?() ?? false })
      return true
    } catch {
      guard case .tooFewValues = error, count > 1 else { throw error }
      return false
    }
  }

  /// The same for the same seed, so that a store can be created again byte for byte.
  private static func identity(seed: UInt64) -> UUID {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: seed >> (8 * $0)) }
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], 0x40, bytes[6], 0x80, bytes[7], 0, 0, 0, 0, 0, 1
      ))
  }
}

/// The amount of work of a migration, which determines its time and its disk space.
public struct MigrationWork: Hashable, Sendable {
  /// The strategy of the plan.
  public var strategy: MigrationStrategy
  /// The rows of the store.
  public var rows: Int
  /// The total number of rows that the steps touch.
  public var touchedRows: Int
  /// The size of the store's content in bytes.
  public var bytes: Int64

  /// Creates an amount of work.
  public init(strategy: MigrationStrategy, rows: Int, touchedRows: Int, bytes: Int64) {
    (self.strategy, self.rows, self.touchedRows, self.bytes) = (strategy, rows, touchedRows, bytes)
  }

  /// The work that determines the time: one read of every row for checks, and one for every step that touches it.
  ///
  /// It is 0 if no step touches any row.
  public var units: Int { touchedRows == 0 ? 0 : rows.addingReportingOverflow(touchedRows).partialValue }

  /// The share of the content that the steps rewrite, from 0 to 1; a part that several steps touch counts once.
  var rewrittenShare: Double { rows == 0 ? 0 : min(1, Double(touchedRows) / Double(rows)) }

  /// The approximate number of written bytes.
  ///
  /// A copy writes the content once, and rewritten parts once more. In the store itself, rewritten parts are written
  /// twice: to a journal or log, and to the file.
  public var bytesToWrite: Int64 {
    let rewritten = Int64(Double(max(0, bytes)) * rewrittenShare)
    return strategy == .clone ? bytes + rewritten : rewritten * 2
  }

  /// The bytes that must be free next to the store: for a copy and the tables that are created again in it, or for the
  /// journal or log.
  public var freeBytesNeeded: Int64 {
    strategy == .clone ? bytes.multipliedReportingOverflow(by: 2).partialValue : bytesToWrite / 2
  }
}

extension PreparedMigration {
  /// The amount of work; nil if there is nothing to run.
  public var work: MigrationWork? {
    guard let strategy else { return nil }
    return MigrationWork(
      strategy: strategy, rows: snapshot.tables.reduce(0) { $0 + $1.rowCount },
      touchedRows: stages.reduce(0) { $0 + $1.plan.touchedRows }, bytes: snapshot.byteCount)
  }
}
