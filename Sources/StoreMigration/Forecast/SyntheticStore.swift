package import Foundation
import GRDB
package import ModelFiles
package import PersistentStores

/// A store for a rehearsal or a trial, in a folder of its own.
package enum SyntheticStore {
  /// The path of the store in its folder.
  package static func path(in folder: URL) -> String { folder.appendingPathComponent("store.sqlite").path }

  /// Makes a store of a version.
  ///
  /// Where a uniqueness constraint has fewer values than rows, as one over a Boolean, there are fewer rows.
  ///
  /// - Returns: how many rows every entity has.
  /// - Throws: `StoreCreationError`.
  package static func make(
    in folder: URL, of version: LoadedVersion, _ rows: SyntheticRows, isInterrupted: (@Sendable () -> Bool)?
  ) throws -> Int {
    let creator = try StoreCreator(of: version.hierarchy)
    var count = rows.rowsPerEntity
    while try !create(creator, in: folder, rows, count, isInterrupted) { count /= 2 }
    return count
  }

  /// Copies a store that was given, with its log and the files of its external data.
  ///
  /// - Parameters:
  ///   - reader: has the store open.
  ///   - folder: the folder of the copy.
  /// - Throws: `StoreError`, and what the file system throws.
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

  /// Makes the store unless there are more rows than values.
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

  /// The same for the same seed, so that a store can be made again byte for byte.
  private static func identity(seed: UInt64) -> UUID {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: seed >> (8 * $0)) }
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], 0x40, bytes[6], 0x80, bytes[7], 0, 0, 0, 0, 0, 1
      ))
  }
}
