import Foundation

/// A process that has a store open.
public struct StoreUser: Hashable, Sendable {
  /// What it does with the store at the moment.
  public enum Activity: String, Hashable, Sendable, CaseIterable {
    case writing
    case reading
    /// It does nothing with it that could be reported.
    case idle
  }

  /// Its number.
  public let processID: Int32
  /// The name of its program, nil when the system does not tell.
  public let name: String?
  /// What it does with the store.
  public let activity: Activity

  /// The other processes that have a store open while this process holds the exclusive lock on it.
  ///
  /// Nobody else can have a lock of SQLite's then, so that the table of all locks need not be read, which takes Linux
  /// 20 ms.
  static func lockedOut(of path: String) -> [StoreUser] {
    ProcessTable.processes(withOpen: path).sorted()
      .map { StoreUser(processID: $0, name: ProcessTable.name(of: $0), activity: .idle) }
  }

  /// The other processes that have a store open, those that write first.
  ///
  /// Only what the system tells this user: a process of another user is found when it holds a lock, or not at all.
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

  /// The other processes that have a lock on a folder, in which they write files.
  package static func holders(ofFolder folder: String) -> [StoreUser] {
    let locks = ProcessTable.locks(on: folder).filter { $0.isOfDevice && $0.isExclusive }
    return Set(locks.map(\.processID)).subtracting([ProcessTable.own]).sorted()
      .map { StoreUser(processID: $0, name: ProcessTable.name(of: $0), activity: .writing) }
  }

  private var rank: Int { Self.Activity.allCases.firstIndex(of: activity) ?? 0 }

  /// Where SQLite locks a database and the index of its log.
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
  /// The first three in one sentence, and how many more there are.
  var sentence: String {
    let more = count > 3 ? ["\(count - 3) more"] : []
    return (prefix(3).map(\.description) + more).joined(separator: ", ")
  }
}
