import Foundation
import GRDB
import MigrationSQL
import ModelFiles
import PersistentStores

/// One run of all stages, in place or on a copy.
struct MigrationRun {
  let request: MigrationRequest
  let prepared: PreparedMigration
  /// The SQL functions of the plan, which the store's own connection has already.
  let functions: ConversionFunctions
  let isInterrupted: (@Sendable () -> Bool)?
  let report: (MigrationProgress) -> Void
  /// Takes the position of a stage, and its allowed losses before it runs.
  let lose: (Int, [MigrationBlocked.UnconsentedLoss]) -> Void

  /// The real place of the store, symbolic links followed.
  private var store: String { StoreFiles.realPath(of: request.path) }

  private var files: any FileOperations { request.files }

  func removeLeftovers() {
    guard request.looksForLeftovers else { return }
    StoreClone.removeLeftovers(of: store, files)
    StoreBackup.removeLeftovers(of: original, files)
  }

  /// The change that mends the store before anything is asked; nil if nothing is wrong.
  private var change: ((Database) throws -> Void)? {
    prepared.mending.change(path: request.path, prepared.source.hierarchy)
  }

  /// Runs the plan in a single transaction of the store itself.
  ///
  /// - Parameter begun: what reads the store's pages already.
  func inPlace(
    _ writer: StoreWriter, _ begun: OriginalChecks?
  ) throws -> (rows: [String: Int]?, backup: String?) {
    let damage = try begun?.problems() ?? writer.access { try IntegrityCheck.pageProblems(in: $0) }
    if let damage = damage.first { throw StoreError.corrupt(path: request.path, detail: damage.sentence) }
    let isKept = try writer.access(after: change) { try keepsBackup(in: $0) }
    let backup = try isKept ? writer.access { try copyForBackup(from: $0) } : nil
    do {
      let rows = try rowsInPlace(writer)
      // What is committed stays so; a log that cannot be folded in now is folded in by the next program.
      try? writer.finish()
      return (rows, backup?.path)
    } catch {
      if let backup, isUnchanged(writer) { backup.undo() }
      throw error
    }
  }

  /// Runs the plan, and once more where it has to be known what was wrong with the rows before.
  ///
  /// That is asked of the rows as they were, so the first attempt is rolled back. Policies in code run only once.
  private func rowsInPlace(_ writer: StoreWriter) throws -> [String: Int]? {
    func attempt(_ sourceProblems: @escaping (Database) throws -> [StoreFinding.Kind: Int]) throws -> [String: Int]? {
      try writer.transaction { database in
        try change?(database)
        let rows = try work(on: database, nil) { try sourceProblems(database) }
        Interruption.remove(from: database)
        return rows
      }
    }
    if prepared.stages.allSatisfy({ $0.plan.policies == nil }) {
      do {
        return try attempt { _ in throw SourceProblemsAsked() }
      } catch is SourceProblemsAsked {}
    }
    let problems = try writer.access(after: change) { prepared.touchesRows ? try sourceProblems(in: $0) : [:] }
    return try attempt { _ in problems }
  }

  /// Ends an attempt that found something wrong with the rows, which may have been so before.
  private struct SourceProblemsAsked: Error {}

  /// True if a run in place keeps a backup: the user requested it, or did not decide and data is lost or left out.
  ///
  /// The losses of a later stage cannot be counted in advance, so every possible loss counts.
  private func keepsBackup(in database: Database) throws -> Bool {
    if let keepsBackup = request.keepsBackup { return keepsBackup }
    guard let first = prepared.stages.first else { return false }
    if !prepared.mending.links.isEmpty { return true }
    if prepared.stages.dropFirst().contains(where: { !$0.plan.losses.isEmpty || !$0.plan.answeredChecks.isEmpty }) {
      return true
    }
    return try PlanInspection(plan: first.plan, options: request.options).givesUpAnything(in: database)
  }

  /// If the disk fails during the commit, the store may be the new store, and only the backup has the old store.
  private func isUnchanged(_ writer: StoreWriter) -> Bool {
    let metadata = try? writer.access { try StoreMetadata(reading: $0, path: request.path) }
    return metadata.map { $0.versionHashes != prepared.destination.versionHashes } ?? false
  }

  /// Runs the plan on a copy and puts the copy in the store's place.
  ///
  /// - Parameter begun: a reader that has the store open, and may already look for blockers of the plan.
  /// - Returns: the rows of every entity, and the path of the backup.
  /// - Throws: ``MigrationBlocked``, ``MigrationError``, `StoreError`; the store is then as it was.
  func clone(_ writer: StoreWriter, _ begun: OriginalChecks?) throws -> (rows: [String: Int]?, backup: String?) {
    try begun.tellingBlockers(path: request.path) {
      if !request.isRehearsal { try writer.waitUntilAlone() }
    }
    let isReadBeside = prepared.stages.count == 1 && prepared.mending.isEmpty
    let original = begun ?? (isReadBeside ? OriginalChecks.open(beside: writer) : nil)
    original?.checkPages()
    // The reading ends before the store is let go, whatever happens.
    defer { original?.end() }
    let interruption = Interruption { [isInterrupted] in isInterrupted?() ?? false || original?.isBlocked ?? false }
    return try original.tellingBlockers(path: request.path) {
      let (clone, journalMode) = try writer.access { (try copy($0, interruption), try $0.journalMode) }
      do {
        let rows = try StoreError.translating(path: request.path) {
          let rows = try clone.transaction { copy in
            functions.register(in: copy)
            try change?(copy)
            let side = SideConnection(
              file: clone.file, interruption: interruption, original: original,
              isWorthwhile: prepared.snapshot.byteCount >= OriginalChecks.worthwhileSize)
            let rows = try work(on: copy, side) {
              try writer.access(after: change) { try sourceProblems(in: $0) }
            }
            if let blocked = try original?.blocked(), !blocked.isEmpty { throw blocked }
            return rows
          }
          try clone.finish(journalMode: journalMode, checksPages: false)
          return rows
        }
        if request.isRehearsal {
          clone.discard()
          return (rows, nil)
        }
        report(MigrationProgress(phase: .swapping, fraction: 0))
        try writer.access { Interruption.remove(from: $0) }
        let backup = try replacement.replace(with: clone.path, writer, keepsBackup: request.keepsBackup != false)
        writer.relinquish()
        return (rows, backup)
      } catch {
        clone.discard()
        throw error
      }
    }
  }

  private var original: StoreOriginal {
    StoreOriginal(path: store, given: request.path, version: prepared.source.name)
  }

  private var replacement: StoreSwap { StoreSwap(original: original, files: files) }

  private func copyForBackup(from database: Database) throws -> StoreBackup {
    let clone = try copy(database, isInterrupted.map { Interruption(when: $0) })
    do {
      try clone.finish(journalMode: "delete")
      return try replacement.publishBackup(clone.path)
    } catch {
      clone.discard()
      throw error
    }
  }

  private func copy(_ database: Database, _ interruption: Interruption?) throws -> StoreClone {
    try StoreClone.make(of: store, from: database, files, interruption: interruption) { fraction in
      report(MigrationProgress(phase: .copying, fraction: fraction))
    }
  }

  private func sourceProblems(in database: Database) throws -> [StoreFinding.Kind: Int] {
    try ResultVerification.problems(prepared.source.hierarchy, prepared.snapshot, in: database)
  }

  private func work(
    on database: Database, _ side: SideConnection?, sourceProblems: @escaping () throws -> [StoreFinding.Kind: Int]
  ) throws -> [String: Int]? {
    PlanExecution.prepare(database)
    var rows: [String: Int] = [:]
    let count = Double(prepared.stages.count)
    for (position, stage) in prepared.stages.enumerated() {
      let inspection = PlanInspection(plan: stage.plan, options: request.options)
      if position > 0 {
        let blocked = try inspection.blocked(in: database)
        guard blocked.isEmpty else { throw blocked }
      }
      lose(position, try inspection.givenUp(in: database))
      let isLast = position + 1 == prepared.stages.count
      let side = isLast ? side : nil
      let execution = PlanExecution(plan: stage.plan, side: side) { progress in
        report(MigrationProgress(phase: progress.phase, fraction: (Double(position) + progress.fraction) / count))
      }
      try execution.run(in: database)
      report(MigrationProgress(phase: .verifying, fraction: Double(position) / count))
      rows = try ResultVerification(
        stage: stage, touchesRows: prepared.touchesRows, options: request.options, path: request.path, side: side,
        asksTables: isLast && side == nil, sourceProblems: sourceProblems
      ).verify(database)
    }
    if prepared.touchesRows { return rows }
    return request.countsRows ? prepared.rowCounts(in: try StoreSnapshot(reading: database, counting: true)) : nil
  }
}
