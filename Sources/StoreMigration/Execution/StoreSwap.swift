import Foundation
import GRDB
import PersistentStores

/// Puts a finished copy in a store's place, in steps of which each leaves the old store or the new one whole.
struct StoreSwap {
  let original: StoreOriginal
  let files: any FileOperations

  private var store: String { original.path }
  private var folder: String { URL(fileURLWithPath: store).deletingLastPathComponent().path }

  /// Replaces the store.
  ///
  /// A log or a journal of the old file must not lie beside the new one, not even after a power cut: it is folded in, and
  /// the folder written to the disk, before the new file gets the name. So the backup is on the disk too by then.
  ///
  /// - Parameters:
  ///   - writer: what holds the store; it holds the old file afterwards.
  ///   - keepsBackup: true to keep the old file under another name.
  /// - Throws: `StoreError`, ``MigrationError/file(path:detail:)``; the store is then as it was.
  func replace(with path: String, _ writer: StoreWriter, keepsBackup: Bool) throws -> String? {
    try writer.checkPlace()
    let mode = try writer.access { try $0.journalMode }
    var backup: StoreBackup?
    do {
      try writer.foldLog()
      if keepsBackup { backup = try StoreBackup(of: original, content: store, files) }
      try attempt("the folder cannot be written to the disk", at: folder) { () throws(FileError) in
        try files.synchronize(folder)
      }
      try writer.waitUntilAlone()
      try writer.checkPlace()
      try writer.checkNothingIsBeside()
      try attempt("it cannot be replaced", at: store) { () throws(FileError) in try files.rename(path, to: store) }
    } catch {
      backup?.undo()
      // Beside somebody else's file the old one must not get a log.
      let isThere = (try? writer.checkPlace()) != nil
      if isThere, mode == "wal" { try? writer.access { _ = try $0.changeJournalMode(to: "WAL") } }
      throw error
    }
    // The new file is there; should the folder not be written, a power cut still leaves the one file or the other.
    try? files.synchronize(folder)
    backup?.settle()
    return backup?.path
  }

  /// Makes a backup of a copy that is written to the disk, or finds the one that a killed run has made of the same bytes.
  ///
  /// - Parameter path: the copy, which has the backup's name only afterwards.
  func publishBackup(_ path: String) throws -> StoreBackup {
    let backup = try StoreBackup(of: original, content: path, isCopy: true, files)
    try? files.remove(path)
    do {
      try files.synchronize(folder)
    } catch {
      backup.undo()
      throw error.error(path: folder, "the folder cannot be written to the disk")
    }
    backup.settle()
    return backup
  }

  private func attempt(_ purpose: String, at path: String, _ work: () throws(FileError) -> Void) throws {
    do {
      try work()
    } catch {
      throw error.error(path: path, purpose)
    }
  }
}

/// The name of a store's copy: hidden, next to the store, and such that no file of somebody else has it by accident.
///
/// It is `.NAME.modelctl-` and 16 hexadecimal digits, of which the last 8 follow from the first 8 and the store's name.
package struct CloneName: Hashable {
  let text: String

  /// The files that SQLite may leave next to a copy.
  static let companions = ["-wal", "-shm", "-journal"]

  /// Creates a name that no other copy has.
  init(ofStore store: String) { text = Self.name(of: store, number: UInt32.random(in: .min ... .max)) }

  /// The copy that a file is, or belongs to; nil if the file is something else.
  init?(file: String, ofStore store: String) {
    let main = Self.companions.first { file.hasSuffix($0) }.map { String(file.dropLast($0.count)) } ?? file
    guard let number = UInt32(main.suffix(16).prefix(8), radix: 16), Self.name(of: store, number: number) == main
    else { return nil }
    text = main
  }

  /// The store that a file is a copy of, or belongs to a copy of, by its own name; nil for every other file.
  ///
  /// The part of a long name that its copies use.
  package static func storeName(ofCopy file: Substring) -> Substring? {
    guard file.first == ".", let mark = file.range(of: ".modelctl-", options: .backwards) else { return nil }
    let store = file[..<mark.lowerBound].dropFirst()
    let isKnown = !isWhole(String(store)) || CloneName(file: String(file), ofStore: String(store)) != nil
    return isKnown && !store.isEmpty ? store : nil
  }

  /// File names have at most 255 bytes, so a copy cannot always use the complete name of the store.
  private static let shownBytes = 200

  /// True for the name of a store that its copies have whole; of a longer one they have all but the last scalars, each of
  /// four bytes at the most.
  package static func isWhole(_ store: String) -> Bool { store.utf8.count < shownBytes - 3 }

  private static func name(of store: String, number: UInt32) -> String {
    var shown = store
    while shown.utf8.count > shownBytes { shown.unicodeScalars.removeLast() }
    let digits = hexadecimal(number)
    return ".\(shown).modelctl-\(digits)\(hexadecimal(checksum(digits + store)))"
  }

  private static func hexadecimal(_ number: UInt32) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private static func checksum(_ text: String) -> UInt32 {
    text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
