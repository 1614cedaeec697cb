import Foundation

/// A process that has a store open.
public struct StoreUser: Hashable, Sendable {
  /// The current use of the store.
  public enum Activity: String, Hashable, Sendable, CaseIterable {
    case writing
    case reading
    /// No reportable use.
    case idle
  }

  /// Its number.
  public let processID: Int32
  /// The name of its program; nil if the system does not show it.
  public let name: String?
  /// The current use of the store.
  public let activity: Activity

  /// The other processes that have a store open while this process holds the exclusive lock on it.
  ///
  /// No other process can hold an SQLite lock then, so the table of all locks is not read, which takes 20 ms on Linux.
  static func lockedOut(of path: String) -> [StoreUser] {
    ProcessTable.processes(withOpen: path).sorted()
      .map { StoreUser(processID: $0, name: ProcessTable.name(of: $0), activity: .idle) }
  }

  /// The other processes that have a store open, with writers first.
  ///
  /// Only processes that the system shows to this user: a process of a different user is found only if it holds a lock.
  static func others(of path: String) -> [StoreUser] {
    let database = StoreFiles.realPath(of: path)
    let usesLog = FileStatus(database + "-shm") != nil
    let locks = ProcessTable.locks(on: database).filter { $0.bytes.upperBound >= LockByte.pending }
    let logLocks = ProcessTable.locks(on: database + "-shm")
    let holders = ProcessTable.processes(withOpen: database)
    let known = holders.union(locks.filter(\.isOfDevice).map(\.processID)).subtracting([ProcessTable.own])
    let users = known.map { process in
      let mine = locks.filter { $0.processID == process }
      let ofLog = logLocks.filter { $0.processID == process }
      let isWriting =
        mine.contains { $0.isExclusive && $0.bytes.lowerBound >= LockByte.pending }
        || ofLog.contains { $0.isExclusive && $0.bytes.contains(LockByte.logWriter) }
      let isReading = ofLog.contains { $0.bytes.overlaps(LockByte.logReaders) } || (!usesLog && !mine.isEmpty)
      return StoreUser(
        processID: process, name: ProcessTable.name(of: process),
        activity: isWriting ? .writing : isReading ? .reading : .idle)
    }
    return users.sorted { ($0.rank, $0.processID) < ($1.rank, $1.processID) }
  }

  /// The other processes that hold a lock on a folder in which they write files.
  package static func holders(ofFolder folder: String) -> [StoreUser] {
    let locks = ProcessTable.locks(on: folder).filter { $0.isOfDevice && $0.isExclusive }
    return Set(locks.map(\.processID)).subtracting([ProcessTable.own]).sorted()
      .map { StoreUser(processID: $0, name: ProcessTable.name(of: $0), activity: .writing) }
  }

  private var rank: Int { Self.Activity.allCases.firstIndex(of: activity) ?? 0 }

  /// The positions of SQLite's locks on a database and on the index of its log.
  ///
  /// Source: “File Locking” and “The WAL-Index File Format” of SQLite's documentation.
  private enum LockByte {
    static let pending: UInt64 = 0x4000_0000
    static let logWriter: UInt64 = 120
    static let logReaders: ClosedRange<UInt64> = 123...127
  }
}

extension StoreUser: CustomStringConvertible {
  /// `process 4711 (Notes) is writing to it`.
  public var description: String {
    let deed =
      switch activity {
      case .writing: "is writing to it"
      case .reading: "is reading it"
      case .idle: "has it open"
      }
    let program = name.map { " (\($0))" } ?? ""
    return processID == ProcessTable.own ? "this process \(deed)" : "process \(processID)\(program) \(deed)"
  }
}

extension Collection<StoreUser> {
  /// The first three as a sentence, and the number of further processes.
  var sentence: String {
    let more = count > 3 ? ["\(count - 3) more"] : []
    return (prefix(3).map(\.description) + more).joined(separator: ", ")
  }
}
