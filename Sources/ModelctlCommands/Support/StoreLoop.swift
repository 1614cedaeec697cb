import ArgumentParser
import Foundation
import ModelKit

/// Does the same work for each given store.
///
/// It reports a failure immediately, and continues with the next store.
struct StoreLoop<Entry> {
  /// The results of the stores.
  private(set) var entries: [Entry] = []
  private var errors: [any Error] = []

  /// Works on a single store after another until the user interrupts.
  ///
  /// - Parameters:
  ///   - interrupt: the signal that the loop checks before each store.
  ///   - isPassedOver: true for an error that only means that a file in a folder is not a store.
  ///   - failed: the result for a store that failed, or nil for no result.
  static func run(
    _ stores: [StorePath], interrupt: Interrupt, isPassedOver: (String, any Error) -> Bool = { _, _ in false },
    failed: (String, any Error) -> Entry? = { _, _ in nil },
    work: (String) throws -> Entry
  ) -> StoreLoop {
    var loop = StoreLoop()
    for path in stores.map(\.text) {
      do {
        if interrupt.isRaised { throw StoreError.interrupted(path: path) }
        loop.entries.append(try work(path))
      } catch  where isPassedOver(path, error) {
        continue
      } catch {
        loop.errors.append(error)
        if let entry = failed(path, error) { loop.entries.append(entry) }
        Console.standardError(ErrorMessage.text(error, about: path))
        if interrupt.isRaised { break }
      }
    }
    return loop
  }

  /// Does the same work for given stores and for the stores in given folders.
  ///
  /// It skips the other files in a folder.
  static func run(
    storesIn paths: [StorePath], interrupt: Interrupt, work: (String) throws -> Entry
  ) throws -> StoreLoop {
    let found = try FleetMigration.stores(in: paths.map(\.text))
    let named = Set(found.filter(\.isNamed).map(\.path))
    let loop = run(
      found.compactMap { StorePath(argument: $0.path) }, interrupt: interrupt,
      isPassedOver: { path, error in
        guard !named.contains(path), let error = error as? StoreError else { return false }
        switch error {
        case .notSQLite, .notCoreData: return true
        default: return false
        }
      }, work: work)
    if !paths.isEmpty, loop.entries.isEmpty, loop.errors.isEmpty {
      Console.warn("there is no Core Data store under \(paths.map(\.text).joined(separator: ", "))")
    }
    return loop
  }

  /// Ends the command with the exit code for the errors.
  func check() throws(ExitCode) { if !errors.isEmpty { throw CommandExit.code(for: errors) } }
}

/// Migrates the given stores one after another, and records each result.
struct StoreRun {
  let settings: MigrationSettings
  let output: OutputOptions
  let recorder: MigrationRecorder
  private let interrupt = Interrupt()

  /// Migrates the stores.
  ///
  /// - Throws: ``CommandError``, and an exit code if a store failed or the user interrupted the run.
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
      let target = try settings.target(of: path)
      var request = try settings.request(for: path, to: target)
      request.countsRows = output.isForPrograms || recorder.isWanted
      let (begin, interrupt) = (Date(), interrupt)
      let mirror =
        try target.isReadWhole
        ? settings.workspace.mirror(
          of: path,
          waiting: .init(busyTimeout: request.busyTimeout, takesTurn: true, interruption: { interrupt.isRaised })) : nil
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
    settings.names?.suggest(for: outcome.selfJoins, of: target.destination)
    recorder.add(outcome, among: target, seconds: Date().timeIntervalSince(begin))
    let entities = target.destination.hierarchy.model.entities.filter { !$0.isAbstract }.map(\.name)
    return MigrationReport.Store(outcome, entities: output.isForPrograms ? entities : [])
  }
}
