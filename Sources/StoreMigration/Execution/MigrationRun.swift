import Foundation
import GRDB
import PersistentStores

/// One run of all stages, in place or on a copy.
struct MigrationRun {
  let request: MigrationRequest
  let prepared: PreparedMigration
  let interruption: Interruption?
  let report: (MigrationProgress) -> Void

  /// The real place of the store, symbolic links followed.
  private var store: String { StoreFiles.realPath(of: request.path) }

  /// Runs the plan in one transaction of the store itself.
  func inPlace(_ writer: StoreWriter) throws -> (rows: [String: Int]?, backup: String?) {
    StoreClone.removeLeftovers(of: store)
    let backup = try request.keepsBackup == true ? writer.access { try copyForBackup(from: $0) } : nil
    do {
      let rows = try writer.transaction { database in
        let former = prepared.touchesRows ? try formerProblems(in: database) : [:]
        let rows = try work(on: database) { former }
        Interruption.remove(from: database)
        return rows
      }
      release(writer)
      return (rows, backup)
    } catch {
      if let backup { try? FileManager.default.removeItem(atPath: backup) }
      throw error
    }
  }

  /// Runs the plan on a copy and puts the copy in the store's place.
  func clone(_ writer: StoreWriter) throws -> (rows: [String: Int]?, backup: String?) {
    StoreClone.removeLeftovers(of: store)
    try checkSpace()
    let (clone, journalMode) = try writer.access { database in
      let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "delete"
      return (try copy(database), mode)
    }
    do {
      let rows = try StoreError.translating(path: request.path) {
        let rows = try clone.transaction { copy in
          try work(on: copy) { try writer.access { try formerProblems(in: $0) } }
        }
        try clone.finish(journalMode: journalMode)
        return rows
      }
      if request.isRehearsal {
        clone.discard()
        return (rows, nil)
      }
      return (rows, try swap(clone, writer))
    } catch {
      clone.discard()
      throw error
    }
  }

  private func copy(_ database: Database) throws -> StoreClone {
    try StoreClone(of: store, from: database, interruption: interruption) { fraction in
      report(MigrationProgress(phase: .copying, fraction: fraction))
    }
  }

  private func formerProblems(in database: Database) throws -> [StoreProblem.Kind: Int] {
    try ResultVerification.problems(prepared.source.hierarchy, in: database, path: request.path)
  }

  private func work(
    on database: Database, formerProblems: @escaping () throws -> [StoreProblem.Kind: Int]
  ) throws -> [String: Int]? {
    var counted: StoreSnapshot?
    for (position, stage) in prepared.stages.enumerated() {
      if position > 0 {
        let obstacles = try PlanInspection(plan: stage.plan, options: request.options).obstacles(in: database)
        guard obstacles.isEmpty else { throw obstacles }
      }
      counted = try run(stage, at: position, on: database, formerProblems: formerProblems)
    }
    if prepared.touchesRows, let counted { return prepared.rowCounts(in: counted) }
    return request.countsRows ? prepared.rowCounts(in: try StoreSnapshot(reading: database, counting: true)) : nil
  }

  private func run(
    _ stage: MigrationStage, at position: Int, on database: Database,
    formerProblems: @escaping () throws -> [StoreProblem.Kind: Int]
  ) throws -> StoreSnapshot {
    let count = Double(prepared.stages.count)
    let execution = PlanExecution(plan: stage.plan, functions: ConversionFunctions(store: request.path)) { progress in
      report(MigrationProgress(phase: progress.phase, fraction: (Double(position) + progress.fraction) / count))
    }
    execution.prepare(database)
    try execution.run(in: database)
    report(MigrationProgress(phase: .verifying, fraction: Double(position) / count))
    return try ResultVerification(
      stage: stage, touchesRows: prepared.touchesRows, options: request.options, path: request.path,
      formerProblems: formerProblems
    ).verify(database)
  }

  /// The log is folded into the original first, so that the backup is whole and no log is left beside the new file.
  private func swap(_ clone: StoreClone, _ writer: StoreWriter) throws -> String? {
    report(MigrationProgress(phase: .swapping, fraction: 0))
    let mode = try writer.access { database in
      Interruption.remove(from: database)
      return try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "delete"
    }
    var backup: String?
    do {
      try writer.access { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
      if request.keepsBackup != false {
        let path = backupPath()
        try DurableFile.keep(store, as: path)
        backup = path
      }
      try DurableFile.replace(store, with: clone.path)
    } catch {
      if let backup { try? FileManager.default.removeItem(atPath: backup) }
      if mode == "wal" { try? writer.access { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") } }
      throw error
    }
    release(writer)
    return backup
  }

  /// What is committed or swapped in stays so; a log that cannot be folded in now is folded in by the next program.
  private func release(_ writer: StoreWriter) {
    try? writer.finish()
  }

  private func copyForBackup(from database: Database) throws -> String {
    let clone = try copy(database)
    do {
      try clone.finish(journalMode: "delete")
      let backup = backupPath()
      try DurableFile.replace(backup, with: clone.path)
      return backup
    } catch {
      clone.discard()
      throw error
    }
  }

  /// A free name beside the store that tells which version is in the file.
  private func backupPath() -> String {
    let version = prepared.source.name.map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-" }
    let base = "\(store).\(String(version)).backup"
    var path = base
    var number = 2
    while FileManager.default.fileExists(atPath: path) {
      path = "\(base)-\(number)"
      number += 1
    }
    return path
  }

  /// The copy and its largest table once more.
  private func checkSpace() throws {
    let folder = URL(fileURLWithPath: store).deletingLastPathComponent().path
    let needed = prepared.snapshot.byteCount * 2
    guard let free = try? FileManager.default.attributesOfFileSystem(forPath: folder)[.systemFreeSize] as? NSNumber,
      free.int64Value < needed
    else { return }
    throw MigrationError.notEnoughSpace(path: request.path, needed: needed, free: free.int64Value)
  }
}
