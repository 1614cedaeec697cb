import AtomicStores
import Foundation

/// What the first bytes of a file tell about it.
enum FileBeginning: Hashable {
  /// An SQLite database; whether it is a store is seen when it is opened.
  case database
  /// A store of another kind, by what such stores begin with.
  case document
  /// A journal of such a run as this.
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
