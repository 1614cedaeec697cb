import Foundation
import ModelKit

/// Migrates the stores that were named one after another, and records what came of each.
struct StoreRun {
  let settings: MigrationSettings
  let names: JoinNames
  let output: OutputOptions
  let recorder: MigrationRecorder
  private let interrupt = Interrupt()

  /// Migrates the stores.
  ///
  /// - Throws: ``CommandError``, and an exit code when a store failed or somebody interrupted.
  func run(_ stores: [StorePath]) throws {
    var isRecorded = false
    let loop = StoreLoop.run(
      stores, interrupt: interrupt,
      failed: { path, error in
        if !isRecorded { recorder.add(path: path, error: error) }
        isRecorded = false
        return MigrationReport.Store(path: path, error: error)
      }
    ) { path in
      var (target, request) = try settings.request(for: path, names)
      request.countsRows = output.isForPrograms || recorder.isWanted
      let begin = Date()
      let mirror = try settings.workspace.mirror(of: path)
      let migrator = StoreMigrator(request)
      do {
        return try report(migrate(migrator, mirror), among: target, since: begin)
      } catch {
        let seconds = Date().timeIntervalSince(begin)
        let prepared = !recorder.isWanted || mirror != nil || interrupt.isRaised ? nil : try? migrator.plan().prepared
        recorder.add(path: path, error: error, prepared: prepared, among: target, seconds: seconds)
        isRecorded = true
        throw settings.consent.explaining(error, request, for: target)
      }
    }
    if interrupt.isRaised { recorder.stop(before: Array(stores.map(\.text).dropFirst(loop.entries.count))) }
    let document = MigrationReport(loop.entries)
    let migrated = document.stores.filter { $0.outcome == .migrated }.map(\.path)
    try CommandError.afterWriting(migrated, isWritten: !migrated.isEmpty) {
      try output.write(text: document.text, document: document, coloring: .migration)
    }
    UnprovedKinds(of: migrated).show()
    try loop.check()
  }

  private func migrate(_ migrator: StoreMigrator, _ mirror: StoreMirror?) throws -> MigrationOutcome {
    let progress = ProgressLine()
    defer { progress.finish() }
    if let mirror {
      return try mirror.migrate(migrator.request, isInterrupted: { [interrupt] in interrupt.isRaised }) {
        progress.show($0, of: migrator.request.path)
      }
    }
    return try migrator.migrate(
      isInterrupted: { [interrupt] in interrupt.isRaised }, report: { progress.show($0, of: migrator.request.path) })
  }

  private func report(
    _ outcome: MigrationOutcome, among target: MigrationTarget, since begin: Date
  ) -> MigrationReport.Store {
    names.suggest(for: outcome.selfJoins, of: target.destination)
    recorder.add(outcome, among: target, seconds: Date().timeIntervalSince(begin))
    let entities = target.destination.hierarchy.model.entities.filter { !$0.isAbstract }.map(\.name)
    return MigrationReport.Store(outcome, entities: output.isForPrograms ? entities : [])
  }
}
