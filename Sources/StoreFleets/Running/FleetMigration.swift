import Foundation
import PersistentStores
public import StoreMigration
import VersionHashing

/// Migrates many stores at the same time; a failure is reported and does not stop the run, and a journal records each store.
public struct FleetMigration: Sendable {
  /// The folders and stores that the user named.
  public var places: [String]
  /// The part of the stores to migrate; nil for all.
  public var shard: Shard?
  /// The number of stores that are migrated at the same time; it is limited to the range from 1 to 1,024.
  public var jobs: Int {
    didSet { jobs = Self.bounded(jobs) }
  }
  /// Stands for everything on which it depends whether a store is finished: the versions and the one to reach.
  public var goal: String

  /// Creates a run over some places.
  public init(places: [String], shard: Shard? = nil, jobs: Int? = nil, goal: String) {
    (self.places, self.shard) = (places, shard)
    self.jobs = Self.bounded(jobs ?? Self.usualJobs)
    self.goal = goal
  }

  private static func bounded(_ jobs: Int) -> Int { min(max(1, jobs), 1024) }

  /// The default number of stores at the same time: two per core, because a migration waits for the disk about half of
  /// its time.
  public static var usualJobs: Int { min(128, 2 * ProcessInfo.processInfo.activeProcessorCount) }

  /// The default file for the journal of these folders and stores.
  ///
  /// - Parameters:
  ///   - places: stores, and folders to look for stores in.
  ///   - shard: the part of the stores; each part has its own journal.
  /// - Returns: a hidden file in the first folder; nil if there is no folder.
  public static func journalPath(for places: [String], shard: Shard?) -> String? {
    let part = shard.map { "-\($0.index)-of-\($0.count)" } ?? ""
    return FleetLocation.places(places).first(where: \.isFolder)?.path(of: ".modelctl-journal\(part).sqlite")
  }

  /// True if one of the places is a folder.
  public static func hasFolder(_ places: [String]) -> Bool { places.contains { FleetLocation($0).isFolder } }

  /// The stores that the user named, and those in named folders, as a run would find them.
  ///
  /// - Returns: the paths, each with whether the user named it; a file in a folder may turn out not to be a store.
  /// - Throws: `MigrationError` for a folder that cannot be looked into.
  public static func stores(in places: [String]) throws -> [(path: String, isNamed: Bool)] {
    try FleetLocation.places(places).flatMap { place -> [(path: String, isNamed: Bool)] in
      guard place.isFolder, let root = place.realPath else { return [(place.given, true)] }
      var found: [String] = []
      let walk = FolderWalk(root, enters: FleetSearch.isLookedInto)
      while let entry = walk.next() {
        switch entry {
        case .closed(let path, let reason):
          throw MigrationError.unreachable(
            path: path.isEmpty ? place.given : place.path(of: path),
            detail: "the folder cannot be read: \(reason)")
        case .file(let relative, _):
          let path = root == "/" ? "/\(relative)" : "\(root)/\(relative)"
          guard FileRole(path: path) == .ordinary else { continue }
          switch FileBeginning(path) {
          case .database, .document, .unreadable: found.append(place.path(of: relative))
          case .empty where StoreLog.isBeside(path): found.append(place.path(of: relative))
          default: continue
          }
        case .link, .misnamed: continue
        }
      }
      return found.sorted().map { ($0, false) }
    }
  }

  /// Finds the stores and migrates them.
  ///
  /// - Parameters:
  ///   - journal: the record of earlier runs and of this run.
  ///   - isInterrupted: called often; returns true to stop the run at a safe point.
  ///   - migrate: migrates one store, on any thread; it throws `StoreError.interrupted` if it was interrupted.
  ///   - report: receives events, on the calling thread.
  /// - Returns: the counts, also for an interrupted run; its unfinished stores are unchanged.
  /// - Throws: ``FleetJournalError``, and errors of the report; the stores are complete then, too.
  public func run(
    journal: FleetJournal, isInterrupted: @escaping @Sendable () -> Bool,
    migrate: @escaping @Sendable (FleetStore) throws -> MigrationOutcome,
    report: @escaping (FleetEvent) throws -> Void
  ) throws -> FleetSummary {
    let begin = Date()
    let goal = String(TextDigest.hexadecimal(goal).prefix(16))
    try journal.begin(goal: goal, shard: shard)
    var search = FleetSearch(journal: journal, goal: goal, shard: shard, isInterrupted: isInterrupted, report: report)
    do {
      try search.run(FleetLocation.places(places))
    } catch StoreError.interrupted {
      var summary = search.summary
      summary.remaining = try journal.pendingCount()
      (summary.isInterrupted, summary.seconds) = (true, Date().timeIntervalSince(begin))
      try journal.end()
      return summary
    }
    var work = FleetWork(
      journal: journal, goal: goal, jobs: jobs, total: try journal.pendingCount(), summary: search.summary,
      isInterrupted: isInterrupted, report: report)
    try work.run(migrate)
    work.summary.seconds = Date().timeIntervalSince(begin)
    try journal.end()
    return work.summary
  }
}
