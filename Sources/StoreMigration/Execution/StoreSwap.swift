import Foundation
import GRDB
import PersistentStores

/// Puts a finished copy in a store's place, in steps of which each leaves the old store or the new one whole.
struct StoreSwap {
  /// The real path of the store's file.
  let store: String
  /// The version in it, which names the backup; characters that do not belong into a name become `-`.
  let version: String
  let files: any FileOperations

  private var folder: String { URL(fileURLWithPath: store).deletingLastPathComponent().path }

  /// Replaces the store.
  ///
  /// A log or a journal of the old file must not lie beside the new one, not even after a power cut: it is folded in, and
  /// the folder written to the disk, before the new file gets the name. So the backup is on the disk too by then.
  ///
  /// - Parameters:
  ///   - path: the copy.
  ///   - writer: what holds the store; it holds the old file afterwards.
  ///   - keepsBackup: whether the old file stays under another name.
  /// - Returns: the path of the backup.
  /// - Throws: `StoreError`, ``MigrationError/file(path:detail:)``; the store is then as it was.
  func replace(with path: String, _ writer: StoreWriter, keepsBackup: Bool) throws -> String? {
    try writer.checkPlace()
    let mode = try writer.access { try $0.journalMode }
    var backup: String?
    do {
      try writer.foldLog()
      if keepsBackup { backup = try keep(store) }
      try attempt("the folder cannot be written to the disk", at: folder) { () throws(FileError) in
        try files.synchronize(folder)
      }
      try writer.waitUntilAlone()
      try writer.checkPlace()
      try writer.checkNothingIsBeside()
      try attempt("it cannot be replaced", at: store) { () throws(FileError) in try files.rename(path, to: store) }
    } catch {
      if let backup { try? files.remove(backup) }
      // Beside somebody else's file the old one must not get a log.
      let isThere = (try? writer.checkPlace()) != nil
      if isThere, mode == "wal" { try? writer.access { _ = try $0.changeJournalMode(to: "WAL") } }
      throw error
    }
    // The new file is there; should the folder not be written, a power cut still leaves the one file or the other.
    try? files.synchronize(folder)
    return backup
  }

  /// Makes a backup of a copy that is written to the disk.
  ///
  /// - Parameter path: the copy, which has the backup's name only afterwards.
  /// - Returns: the backup's path.
  /// - Throws: `StoreError`, ``MigrationError/file(path:detail:)``.
  func publishBackup(_ path: String) throws -> String {
    let backup = try keep(path)
    try? files.remove(path)
    do {
      try files.synchronize(folder)
    } catch {
      try? files.remove(backup)
      throw error.error(path: folder, "the folder cannot be written to the disk")
    }
    return backup
  }

  /// Gives a file the first free name of a backup, in one step with finding out that it is free.
  private func keep(_ path: String) throws -> String {
    // The name of a merged model has a part for each of its bundles, and a file's name at most 255 bytes.
    let kept = version.prefix(60).map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-" }
    let base = "\(store).\(String(kept)).backup"
    var name = base
    var number = 2
    while true {
      do {
        try files.link(path, to: name)
        return name
      } catch {
        guard error.code == EEXIST, number < 10_000 else {
          throw error.error(path: name, "the backup cannot be made")
        }
        name = "\(base)-\(number)"
        number += 1
      }
    }
  }

  private func attempt(_ purpose: String, at path: String, _ work: () throws(FileError) -> Void) throws {
    do {
      try work()
    } catch {
      throw error.error(path: path, purpose)
    }
  }
}
