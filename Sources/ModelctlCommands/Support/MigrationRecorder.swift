import ArgumentParser
import Foundation
import ModelKit

/// Keeps the record of a run while it goes on.
final class MigrationRecorder {
  /// What is known so far.
  private(set) var record: MigrationRecord
  /// How many stores without a failure a record lists at most, so that the memory of a large run is bounded.
  private static let listLimit = 1_000
  private static let failureLimit = 10_000
  /// False when nobody asked for the record, so that nothing is kept.
  let isWanted: Bool
  private var differences: [[String]: DifferenceReport] = [:]

  /// Records a run, and writes the report however it ends.
  ///
  /// - Parameters:
  ///   - report: where the report goes.
  ///   - reserved: the files that it must not be; nothing is done where it cannot be written.
  static func run(
    decisions: [String], for report: ReportOption, besides reserved: @autoclosure () throws -> ReservedFiles,
    _ work: (MigrationRecorder) throws -> Void
  ) throws {
    try report.check(against: reserved())
    let recorder = MigrationRecorder(decisions: decisions, isWanted: report.path != nil)
    do {
      try work(recorder)
    } catch {
      recorder.end(error is ExitCode ? nil : .failed(CaughtError(error)))
      do {
        try report.write(recorder.record)
      } catch let failure {
        Console.standardError(ErrorMessage.text(failure))
      }
      throw error
    }
    recorder.end()
    try report.write(recorder.record)
  }

  private init(decisions: [String], isWanted: Bool) {
    self.isWanted = isWanted
    record = MigrationRecord(decisions: decisions, program: Modelctl.version)
  }

  /// Notes a store that was migrated, rehearsed, or had nothing to do.
  func add(_ outcome: MigrationOutcome, among target: MigrationTarget, seconds: Double) {
    guard isWanted else { return }
    let entities = target.destination.hierarchy.model.entities.filter { !$0.isAbstract }.map(\.name)
    var store = MigrationRecord.Store(
      MigrationReport.Store(outcome, entities: entities), seconds: outcome.figures?.seconds ?? seconds)
    let source = target.versions.first { $0.name == outcome.from }?.hierarchy.model.entities
    store.sourceRows = (outcome.result == .alreadyCurrent ? outcome.rows : outcome.sourceRows).map { rows in
      outcome.renamed(
        rows.merging((source ?? []).filter { !$0.isAbstract }.map { ($0.name, 0) }) { counted, _ in counted })
    }
    store.take(outcome)
    store.hops = hops(outcome.hops, among: target)
    add(store)
  }

  /// Notes a store that is as it was.
  func add(
    path: String, error: any Error, prepared: PreparedMigration? = nil, among target: MigrationTarget? = nil,
    seconds: Double? = nil
  ) {
    guard isWanted else { return }
    var report = MigrationReport.Store(path: path, error: error)
    if let prepared { report = report.onTheWay(from: prepared.source.name, to: prepared.destination.name) }
    var store = MigrationRecord.Store(report, seconds: seconds)
    if let prepared, let target { store.hops = hops(prepared.hops, among: target) }
    add(store)
  }

  /// Notes one of many stores.
  func add(_ result: FleetResult) {
    switch result.ending {
    case .finished(let outcome):
      add(MigrationRecord.Store(MigrationReport.Store(outcome, entities: []), seconds: result.seconds))
    case .failed(let error): add(path: result.store.path, error: error, seconds: result.seconds)
    case .passedOver, .interrupted: break  // counted in the summary
    }
  }

  /// Notes that the stores are many, of which each is shown in short.
  func beginFleet(journal: String?) {
    record.isFleet = true
    record.journal = journal
  }

  /// Notes what only the counts of a run over many stores say.
  func take(_ summary: FleetSummary) {
    record.finishedBefore = summary.finishedBefore
    record.remaining = summary.remaining
    record.passedOver = summary.passedOver.total
    if summary.isInterrupted { end(.stoppedEarly) }
  }

  /// Notes that somebody stopped the run.
  ///
  /// - Parameter paths: the stores that had no turn.
  func stop(before paths: [String]) {
    guard isWanted else { return }
    record.remaining = paths.count
    record.unreached = Array(paths.prefix(Self.listLimit))
    end(paths.isEmpty ? .stopped : .stoppedEarly)
  }

  /// Ends the record.
  ///
  /// - Parameter ending: why not every store had its turn, nil when each had.
  func end(_ ending: MigrationRecord.Ending? = nil) {
    record.seconds = Date().timeIntervalSince(record.begin)
    record.ending = record.ending ?? ending
  }

  private func add(_ store: MigrationRecord.Store) {
    let limit = store.report.error == nil ? Self.listLimit : Self.failureLimit
    guard isWanted else { return }
    guard record.stores.count >= limit else { return record.stores.append(store) }
    record.omitted[store.report.outcome, default: 0] += 1
  }

  /// The steps between versions as they were made, each with what changed.
  private func hops(_ hops: [MigrationOutcome.Hop], among target: MigrationTarget) -> [MigrationRecord.Hop] {
    hops.flatMap { hop in
      zip(hop.versions, hop.versions.dropFirst()).map { from, to in
        let versions = [from, to].compactMap { name in target.versions.first { $0.name == name } }
        guard versions.count == 2, let source = versions.first?.hierarchy, let destination = versions.last?.hierarchy
        else { return MigrationRecord.Hop(from: from, to: to, mapping: hop.mappingPath, difference: nil) }
        let key = [target.destination.bundle, from, to]
        let difference = differences[key] ?? ComparedModels(from: (from, source), to: (to, destination)).report
        differences[key] = difference
        return MigrationRecord.Hop(from: from, to: to, mapping: hop.mappingPath, difference: difference)
      }
    }
  }
}
