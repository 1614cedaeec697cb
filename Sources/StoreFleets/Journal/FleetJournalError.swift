import Foundation
public import PersistentStores

/// Why a journal cannot be used.
public enum FleetJournalError: Error, Hashable, Sendable {
  /// The file is something else.
  case foreign(path: String)
  /// A later version of modelctl made it.
  case newer(path: String, version: Int)
  /// Another run is using it.
  case inUse(path: String)
  /// Its content is damaged.
  case corrupt(path: String, detail: String)
  /// It cannot be made, read or written.
  case unusable(path: String, error: AccessError)

  /// What keeps a journal from being used.
  public enum AccessError: Error, Hashable, Sendable {
    case noFolder
    case readOnlyFolder
    case unreadable
    /// - Parameter code: the system's error number.
    case system(code: Int32)
    /// - Parameter code: SQLite's result code.
    case sqlite(code: Int32, message: String?)
    case other(CaughtError)
  }
}

extension FleetJournalError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String {
    switch self {
    case .foreign(let path):
      "\(path): this is no journal of modelctl, and it is left alone; name another file with --journal FILE"
    case .newer(let path, let version):
      """
      \(path): the journal has version \(version), which a later modelctl wrote; use that one, or name another file \
      with --journal FILE
      """
    case .inUse(let path):
      """
      \(path): another run is using this journal; wait for it, or share the stores out with --shard, where each part \
      has a journal of its own
      """
    case .corrupt(let path, let detail):
      """
      \(path): the journal is damaged (\(detail)); the stores do not depend on it: delete it, and every store is \
      looked at again
      """
    case .unusable(let path, let error):
      "\(path): the journal cannot be used: \(error.clause); name another place with --journal FILE"
    }
  }
}

extension FleetJournalError.AccessError {
  /// What is wrong, in one clause.
  fileprivate var clause: String {
    switch self {
    case .noFolder: "there is no such folder"
    case .readOnlyFolder: "its folder may not be written, where a run keeps what is done"
    case .unreadable: "it cannot be read"
    case .system(let code): String(cString: strerror(code))
    case .sqlite(let code, let message): message ?? "SQLite error \(code)"
    case .other(let caught): caught.description
    }
  }
}
