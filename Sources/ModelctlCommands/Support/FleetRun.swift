import ArgumentParser
import Foundation
import ModelKit

/// Migrates many stores at once, reports each that fails, and counts the others.
struct FleetRun {
  let fleet: FleetMigration
  let journalPath: String?
  let output: FleetOutput
  let interrupt: Interrupt
  let recorder: MigrationRecorder

  /// Runs it.
  ///
  /// - Parameters:
  ///   - settings: what the arguments say about every store.
  ///   - names: the names of join tables.
  /// - Throws: `FleetJournalError`, ``CommandError``, and an exit code when a store failed or somebody interrupted.
  func run(_ settings: MigrationSettings, _ names: JoinNames) throws {
    let interrupt = interrupt
    try run { store in
      var (target, request) = try settings.request(for: store.path, names, isOneOfMany: true)
      request.looksForLeftovers = store.mayHaveLeftovers
      do {
        if let mirror = try settings.workspace.mirror(of: store.path) {
          return try mirror.migrate(request, isInterrupted: { interrupt.isRaised })
        }
        return try StoreMigrator(request).migrate(isInterrupted: { interrupt.isRaised })
      } catch {
        throw settings.consent.explaining(error, request, for: target)
      }
    }
  }

  private func run(_ migrate: @escaping @Sendable (FleetStore) throws -> MigrationOutcome) throws {
    recorder.beginFleet(journal: journalPath)
    let journal = try FleetJournal.open(at: journalPath)
    let progress = ProgressLine()
    defer { progress.finish() }
    let interrupt = interrupt
    var kinds = UnprovedKinds()
    let summary = try fleet.run(journal: journal, isInterrupted: { interrupt.isRaised }, migrate: migrate) { event in
      switch event {
      case .searching(let files, let stores): progress.show(filesLookedAt: files, stores: stores)
      case .progress(let now): progress.show(now)
      case .failed(let path, let error):
        tell(error, about: path, progress)
        recorder.add(path: path, error: error)
        try output.write(FleetStoreReport(path: path, error: error))
      case .ended(let result):
        recorder.add(result)
        if case .failed(let error) = result.ending { tell(error, about: result.store.path, progress) }
        if case .finished(let outcome) = result.ending, outcome.result == .migrated { kinds.add(outcome.path) }
        if let report = FleetStoreReport(result) { try output.write(report) }
      }
    }
    progress.finish()
    try output.write(FleetReport(summary, jobs: fleet.jobs, shard: fleet.shard, journal: journalPath))
    if summary.storeCount == 0 { Console.warn("no Core Data store under \(fleet.places.joined(separator: ", "))") }
    kinds.show()
    recorder.take(summary)
    if summary.isInterrupted { throw CommandExit.interrupted }
    if summary.failed > 0 { throw CommandExit.failure }
  }

  private func tell(_ error: any Error, about path: String, _ progress: ProgressLine) {
    progress.finish()
    Console.standardError(ErrorMessage.line(error, about: path))
  }
}
