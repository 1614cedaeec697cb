import AtomicStores
import Foundation
import PersistentStores
import StoreMigration

/// The role of a file next to stores, judged by its name.
enum FileRole: Hashable {
  /// A copy that a crash left behind, of the store at this path.
  case leftover(of: String)
  /// An original that a migration kept, or another backup.
  case backup
  /// A file that SQLite keeps next to a database.
  case companion
  /// An unfinished file or folder of a process that is writing or was killed: a store of another type, or a new store.
  case unfinished
  case ordinary

  init(path: String) {
    let slash = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    let (folder, name) = (path[..<slash], path[slash...])
    if let store = CloneName.storeName(ofCopy: name) {
      self = .leftover(of: "\(folder)\(store)")
    } else if StoreFiles.isBackup(name) {
      self = .backup
    } else if ["-wal", "-shm", "-journal"].contains(where: name.hasSuffix) {
      self = .companion
    } else if name.hasPrefix("."), name.hasSuffix(".partial") {
      self = .unfinished
    } else {
      self = .ordinary
    }
  }
}

/// The write-ahead log beside a store.
enum StoreLog {
  /// True if there is one with something in it, so that the store's own file does not tell whether it has changed.
  static func isBeside(_ path: String) -> Bool { (FileStatus("\(path)-wal")?.size ?? 0) > 0 }
}

/// The role of a file, judged by its first bytes.
enum FileBeginning: Hashable {
  /// An SQLite database; whether it is a store is seen when it is opened.
  case database
  /// A store of a different kind, by what such stores begin with.
  case document
  /// A journal of a run over many stores.
  case journal
  case something
  case empty
  case unreadable
  /// Taken away since its folder was listed, as what SQLite keeps beside a database is.
  case gone

  /// Looks at a file, links not followed.
  ///
  /// - Parameter path: the path, ended by a 0.
  init(_ path: UnsafePointer<CChar>) {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      self = errno == ENOENT ? .gone : .unreadable
      return
    }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    if count < 0 {
      self = .unreadable
    } else if count == 0 {
      self = .empty
    } else if count >= 16, bytes.starts(with: "SQLite format 3\0".utf8) {
      let identifier = bytes[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
      self = identifier == FleetJournal.applicationIdentifier ? .journal : .database
    } else {
      self = Self.isDocument(Data(bytes[..<count])) ? .document : .something
    }
  }

  /// True for what begins as a store; of texts only those that begin with its metadata, as others may use the same words.
  private static func isDocument(_ start: Data) -> Bool {
    guard let kind = StoreKinds.builtIn.first(where: { $0.recognizes(start) }) else { return false }
    let words = [JSONStoreKind().name: "\"NSStore", XMLStoreKind().name: "<databaseInfo"][kind.name]
    return words.map { start.range(of: Data($0.utf8)) != nil } ?? true
  }
}
