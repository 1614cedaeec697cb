import Foundation
import GRDB
public import ModelDescription
public import PersistentStores

/// Repairs the problems of a store that have only one solution, in a single transaction and with a backup.
///
/// ```swift
/// let model = try EntityHierarchy(ManagedObjectModel { Entity("Note") { Attribute("text", .string) } })
/// let reader = try StoreReader(path: "store.sqlite")
/// let findings = try reader.verify(against: model)
/// reader.close()
/// let outcome = try StoreRepair(of: "store.sqlite", model: model).run(findings)
/// print(outcome.mended, outcome.left, outcome.backup ?? "no backup")
/// ```
public struct StoreRepair: Sendable {
  /// The result of a repair.
  public struct Outcome: Hashable, Sendable {
    /// The problems that were repaired, or would be.
    public let mended: [StoreMending]
    /// The problems of the store after the repair.
    public let left: [StoreFinding]
    /// The path of the unchanged store; nil if the repair changed nothing.
    public let backup: String?
  }

  /// The store's path.
  public let path: String
  private let hierarchy: EntityHierarchy
  private let references: [JoinNameReference]
  /// The path of the backup; nil for a free name next to the store.
  public var backup: String?
  /// True to change nothing and only list the possible repairs.
  public var isRehearsal = false
  /// The number of seconds to wait for another process.
  public var busyTimeout = StoreWriter.defaultBusyTimeout
  /// Says whether a text matches a regular expression of the model; nil leaves them unchecked.
  public var matching: (@Sendable (String, String) -> Bool)?
  var files: any FileOperations = SystemFiles()

  /// Creates a repair.
  public init(of path: String, model hierarchy: EntityHierarchy, references: [JoinNameReference] = []) {
    (self.path, self.hierarchy, self.references) = (path, hierarchy, references)
  }

  /// The maximum number of passes, because a repair may reveal further problems.
  private static let rounds = 4

  /// Ends a transaction of which nothing is kept.
  private struct Rehearsed: Error {
    let outcome: Outcome
  }

  /// Repairs a store.
  ///
  /// It repairs indexes whose entries differ from the rows, missing indexes and triggers of the model, missing tables that
  /// never had a row, entity numbers that follow from other tables, links to nothing, and highest keys that are too low.
  /// It changes nothing else, and does not change a store with damaged pages.
  ///
  /// - Parameters:
  ///   - findings: the findings of the store's verification; if none of them can be repaired, the store is not changed.
  ///   - isInterrupted: called often; returns true to stop the work and leave the store as it was.
  /// - Returns: the repaired and the remaining problems.
  /// - Throws: `StoreError`, ``MigrationError/file(path:detail:)`` if the backup cannot be created; the store is then unchanged.
  public func run(_ findings: [StoreFinding], isInterrupted: (@Sendable () -> Bool)? = nil) throws -> Outcome {
    guard !findings.contains(where: { $0.kind == .damage }),
      findings.contains(where: { StoreMender.kinds.contains($0.kind) })
    else { return Outcome(mended: [], left: findings, backup: nil) }
    let writer = try StoreWriter(path: path, busyTimeout: busyTimeout, interruption: isInterrupted)
    defer { writer.discard() }
    // What cannot be mended needs no backup.
    let tried = try rehearse(findings, writer)
    guard !isRehearsal, !tried.mended.isEmpty else { return tried }
    let kept = try keepBackup(writer, isInterrupted)
    var isCommitting = false
    do {
      let outcome = try writer.transaction { database in
        let outcome = try mend(findings, in: database, keeping: kept.path)
        isCommitting = true
        return outcome
      }
      // What is committed stays so; a log that cannot be folded in now is folded in by the next program.
      try? writer.finish()
      return outcome
    } catch {
      // A commit that failed may be on the disk all the same.
      if !isCommitting { kept.undo() }
      throw error
    }
  }

  private func rehearse(_ findings: [StoreFinding], _ writer: StoreWriter) throws -> Outcome {
    do {
      return try writer.transaction { throw Rehearsed(outcome: try mend(findings, in: $0, keeping: nil)) }
    } catch let rehearsed as Rehearsed {
      return rehearsed.outcome
    }
  }

  private func mend(_ findings: [StoreFinding], in database: Database, keeping backup: String?) throws -> Outcome {
    var mended: [StoreMending] = []
    var left = findings
    // What is wrong with an index hides what is wrong with rows.
    for _ in 0..<Self.rounds {
      let more = try StoreMender.mend(left, of: hierarchy, in: database, path: path)
      mended += more
      left = try StoreVerifier(hierarchy: hierarchy, references: references, matching: matching).problems(
        in: database, path: path, externalDataFolder: ExternalData.folder(ofStore: path))
      if more.isEmpty { break }
    }
    if let damage = left.first(where: { $0.kind == .damage }) {
      throw StoreError.corrupt(path: path, detail: damage.sentence)
    }
    return Outcome(mended: mended, left: left, backup: backup)
  }

  /// Creates the backup.
  ///
  /// - Returns: its path, and a function that removes the files created for it and keeps an older backup.
  private func keepBackup(
    _ writer: StoreWriter, _ isInterrupted: (@Sendable () -> Bool)?
  ) throws -> (path: String, undo: () -> Void) {
    let store = StoreFiles.realPath(of: path)
    let clone = try writer.access {
      try StoreClone.make(
        of: store, from: $0, files, at: backup, interruption: isInterrupted.map { Interruption(when: $0) }
      ) { _ in }
    }
    do {
      try clone.finish(journalMode: "delete")
      if let backup {
        let folder = URL(fileURLWithPath: backup).deletingLastPathComponent().path
        do {
          try files.synchronize(folder)
        } catch {
          throw error.error(path: folder, "the folder cannot be written to the disk")
        }
        return (backup, { try? files.remove(backup) })
      }
      let original = StoreOriginal(path: store, given: path, version: "unrepaired")
      let kept = try StoreSwap(original: original, files: files).publishBackup(clone.path)
      return (path + kept.path.dropFirst(store.count), kept.undo)
    } catch {
      clone.discard()
      throw error
    }
  }
}
