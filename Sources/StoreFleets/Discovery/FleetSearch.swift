import Foundation
import GRDB
import PersistentStores
import StoreMigration

/// Looks through the places for stores, and puts those that need work on the journal's list.
///
/// Nothing is opened by SQLite yet, and no store by anybody else meanwhile: a file that is merely closed takes the locks
/// away that the same process has on it.
struct FleetSearch {
  let journal: FleetJournal
  let goal: String
  let shard: Shard?
  let isInterrupted: () -> Bool
  let report: (FleetEvent) throws -> Void
  private(set) var summary = FleetSummary()
  private var fileCount = 0
  private var storeCount = 0
  /// The real paths that were named, so that a folder's walk does not come by them again.
  private var named: Set<String> = []
  private var lastReport = Date()

  init(
    journal: FleetJournal, goal: String, shard: Shard?, isInterrupted: @escaping () -> Bool,
    report: @escaping (FleetEvent) throws -> Void
  ) {
    (self.journal, self.goal, self.shard) = (journal, goal, shard)
    (self.isInterrupted, self.report) = (isInterrupted, report)
  }

  mutating func run(_ places: [FleetLocation]) throws {
    named = Set(places.compactMap(\.realPath))
    let files = places.filter { !$0.isFolder }
    try batch { search, database in
      for place in files where search.shard?.contains(place.given) ?? true { try search.addNamed(place, database) }
    }
    for place in places where place.isFolder { try walk(place) }
    try tell(force: true)
  }

  private mutating func walk(_ place: FleetLocation) throws {
    guard let root = place.realPath else { return }
    let named = named
    let walk = FolderWalk(root) { Self.isLookedInto($0) && !named.contains("\(root)/\($0)") }
    var isAtEnd = false
    while !isAtEnd {
      if isInterrupted() { throw StoreError.interrupted(path: place.given) }
      try batch { search, database in
        for _ in 0..<512 {
          guard let entry = walk.next() else {
            isAtEnd = true
            break
          }
          try search.take(entry, of: place, root, database)
        }
      }
      try tell(force: false)
    }
  }

  /// True for a folder in which stores may be.
  static func isLookedInto(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    // Xcode keeps mapping models as XML stores; what is being made has a folder of its own.
    return FileRole(path: path) != .unfinished && !(name.hasPrefix(".") && name.hasSuffix("_SUPPORT"))
      && !name.hasSuffix(".xcmappingmodel")
  }

  private mutating func batch(_ body: (inout FleetSearch, Database) throws -> Void) throws {
    var failure: (any Error)?
    try journal.transaction { database in
      do {
        try body(&self, database)
      } catch let error as DatabaseError {
        throw error
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private mutating func tell(force: Bool) throws {
    let now = Date()
    guard force || now.timeIntervalSince(lastReport) >= 0.1 else { return }
    lastReport = now
    try report(.searching(files: fileCount, stores: storeCount))
  }

  private mutating func fail(_ path: String, _ detail: String) throws {
    summary.failed += 1
    try report(.failed(path: path, MigrationError.unreachable(path: path, detail: detail)))
  }

  private mutating func addNamed(_ place: FleetLocation, _ database: Database) throws {
    let key = journal.key(of: place.realPath ?? URL(fileURLWithPath: place.given).path)
    if let real = place.realPath, let stamp = FileStatus(real), !StoreLog.isBeside(real),
      try journal.formerState(of: key, stamp, goal: goal, in: database) == .finished
    {
      summary.finishedBefore += 1
      return
    }
    try enlist(key, given: place.given, isNamed: true, database)
  }

  private mutating func take(
    _ entry: FolderWalk.Entry, of place: FleetLocation, _ root: String, _ database: Database
  ) throws {
    fileCount += 1
    switch entry {
    case .link(let relative): if shard?.contains(relative) ?? true { summary.passedOver.links += 1 }
    case .closed(let path, let reason):
      try fail(path.isEmpty ? place.given : place.path(of: path), "the folder cannot be read: \(reason)")
    case .misnamed(let name, let path):
      if [.database, .document].contains(FileBeginning(path)) {
        try fail(place.path(of: name), "its name is not valid UTF-8; rename it")
      } else {
        summary.passedOver.files += 1
      }
    case .file(let relative, let stamp): try takeFile(relative, stamp, of: place, root, database)
    }
  }

  private mutating func takeFile(
    _ relative: String, _ stamp: FileStatus, of place: FleetLocation, _ root: String, _ database: Database
  ) throws {
    let path = root == "/" ? "/\(relative)" : "\(root)/\(relative)"
    guard !named.contains(path), !isOwnJournal(path) else { return }
    let file = FileRole(path: path)
    if case .leftover(let store) = file { return try journal.noteLeftover(of: journal.key(of: store), in: database) }
    guard file != .unfinished, shard?.contains(relative) ?? true else { return }
    if file == .backup {
      summary.passedOver.backups += 1
      return
    }
    let key = journal.key(of: path)
    if !StoreLog.isBeside(path) {
      switch try journal.formerState(of: key, stamp, goal: goal, in: database) {
      case .finished?:
        summary.finishedBefore += 1
        return
      case .passedOver?:
        summary.passedOver.files += 1
        return
      case nil: break
      }
    }
    switch FileBeginning(path) {
    case .database, .document, .unreadable: try enlist(key, given: place.path(of: relative), isNamed: false, database)
    case .empty where StoreLog.isBeside(path):
      try enlist(key, given: place.path(of: relative), isNamed: false, database)
    case .journal, .gone: break
    case .something, .empty: if file == .ordinary { summary.passedOver.files += 1 }
    }
  }

  private mutating func enlist(_ key: String, given: String, isNamed: Bool, _ database: Database) throws {
    storeCount += 1
    try journal.enlist(key, given: given, isNamed: isNamed, in: database)
  }

  /// The journal must not even be opened for a look: closing it would give up the lock on it.
  private func isOwnJournal(_ path: String) -> Bool {
    guard let own = journal.realPath, path.hasPrefix(own) else { return false }
    return ["", "-wal", "-shm", "-journal"].contains(path.dropFirst(own.count))
  }
}

/// A folder or a store that the user named.
struct FleetLocation: Hashable {
  let given: String
  /// The real path; nil if nothing is there.
  let realPath: String?
  let isFolder: Bool

  init(_ given: String) {
    self.given = given
    realPath = StoreFiles.existingPath(of: given)
    isFolder = realPath.flatMap { FileStatus($0) }?.kind == .folder
  }

  /// The path of a file in the folder, relative to the name of the folder that the user gave.
  func path(of relative: String) -> String {
    if given == "." { return relative }
    return given.hasSuffix("/") ? given + relative : "\(given)/\(relative)"
  }

  /// The places without those that are named twice.
  static func places(_ given: [String]) -> [FleetLocation] {
    var seen: Set<String> = []
    return given.map(FleetLocation.init).filter { seen.insert($0.realPath ?? $0.given).inserted }
  }
}
