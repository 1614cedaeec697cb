import Foundation
import GRDB
import GRDBSQLite

/// How a store is opened so that reading it changes none of its bytes and sees all of its content.
enum ReadingAccess: Hashable, Sendable {
  /// A read-only connection under SQLite's shared lock, for which a writer with a rollback journal has to wait; it
  /// leaves a hot journal alone.
  case ordinary
  /// Nothing in a log or a journal: the file alone, without a lock, so that nobody waits; the reader checks that it did
  /// not change meanwhile.
  case immutable
  /// Another process has the log open, or left its index behind: its index is read and never written.
  case sharedIndex
  /// A log without an index: an exclusive lock for the time of reading, the index in memory.
  case privateIndex
  /// A copy in a private folder.
  case copy

  /// Chooses by the files that are there.
  ///
  /// - Parameters:
  ///   - files: the store's files.
  ///   - isChanging: true when reading without a lock has failed, because somebody wrote meanwhile.
  init(for files: StoreFiles, isChanging: Bool = false) {
    let understandsURIs = sqlite3_compileoption_used("USE_URI") != 0
    let withIndex = understandsURIs && !files.hasBareLog ? ReadingAccess.sharedIndex : .ordinary
    if files.hasLogContent {
      if files.hasSharedIndex {
        self = withIndex
      } else {
        self = FileManager.default.isWritableFile(atPath: files.database) ? .privateIndex : .copy
      }
    } else if !files.header.usesWriteAheadLog {
      self = understandsURIs && !files.hasJournal && !isChanging ? .immutable : .ordinary
    } else if files.hasSharedIndex {
      self = withIndex
    } else {
      self = understandsURIs && !files.hasJournal ? .immutable : .copy
    }
  }

  /// What to try when SQLite refuses this way.
  ///
  /// - Parameter code: SQLite's extended result code.
  /// - Returns: nil when there is no other way.
  func fallback(after code: ResultCode) -> ReadingAccess? {
    switch (self, code) {
    // A program that was killed while it opened the store can leave an index that nobody may read and nobody holds.
    case (.sharedIndex, .SQLITE_READONLY_CANTINIT), (.sharedIndex, .SQLITE_READONLY_RECOVERY),
      (.sharedIndex, .SQLITE_PROTOCOL):
      .ordinary
    case (.ordinary, .SQLITE_READONLY_ROLLBACK), (.ordinary, .SQLITE_READONLY_CANTINIT),
      (.ordinary, .SQLITE_READONLY_RECOVERY), (.privateIndex, .SQLITE_IOERR_LOCK), (.privateIndex, .SQLITE_READONLY):
      .copy
    default: nil
    }
  }

  /// The name that SQLite opens: a plain path, or a URI with this way's parameters.
  func connectionName(for database: String) -> String {
    switch self {
    case .ordinary, .privateIndex, .copy: database
    case .immutable: Self.uri(database, parameter: "immutable")
    case .sharedIndex: Self.uri(database, parameter: "readonly_shm")
    }
  }

  private static func uri(_ path: String, parameter: String) -> String {
    let escaped = path.utf8.map { byte -> String in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-".utf8.contains(byte)
      let hex = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (hex.count == 1 ? "0" : "") + hex
    }
    return "file://" + escaped.joined() + "?\(parameter)=1"
  }
}
