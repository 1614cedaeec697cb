import ArgumentParser
import Foundation
import ModelKit

/// Records a run for its report.
final class MigrationRecorder {
  /// The record up to now.
  private(set) var record: MigrationRecord
  /// The greatest number of migrated stores in a record, which limits the memory of a large run.
  private static let listLimit = 1_000
  private static let failureLimit = 10_000
  /// False if the run has no report, so that nothing is recorded.
  let isWanted: Bool
  private var differences: [[String]: DifferenceReport] = [:]

  /// Records a run, and writes the report even if the run fails.
  ///
  /// - Parameters:
  ///   - report: the file of the report.
  ///   - reserved: the files that the report must not replace. If the report cannot be written, the run does not start.
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

  /// Records a store that was migrated, tried in a dry run, or already current.
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
    store.parts = parts(outcome.parts, among: target)
    add(store)
  }

  /// Records a store that did not change.
  func add(
    path: String, error: any Error, prepared: PreparedMigration? = nil, among target: MigrationTarget? = nil,
    seconds: Double? = nil
  ) {
    guard isWanted else { return }
    var report = MigrationReport.Store(path: path, error: error)
    if let prepared { report = report.onTheWay(from: prepared.source.name, to: prepared.destination.name) }
    var store = MigrationRecord.Store(report, seconds: seconds)
    if let prepared, let target { store.parts = parts(prepared.parts, among: target) }
    add(store)
  }

  /// Records one store of a run over many stores.
  func add(_ result: FleetResult) {
    switch result.ending {
    case .finished(let outcome):
      add(MigrationRecord.Store(MigrationReport.Store(outcome, entities: []), seconds: result.seconds))
    case .failed(let error): add(path: result.store.path, error: error, seconds: result.seconds)
    case .passedOver, .interrupted: break  // counted in the summary
    }
  }

  /// Records that the run has many stores, which the report shows in short.
  func beginFleet(journal: String?) {
    record.isFleet = true
    record.journal = journal
  }

  /// Records the counts of a run over many stores.
  func take(_ summary: FleetSummary) {
    record.finishedBefore = summary.finishedBefore
    record.remaining = summary.remaining
    record.passedOver = summary.passedOver.total
    if summary.isInterrupted { end(.stoppedEarly) }
  }

  /// Records that the user stopped the run.
  ///
  /// - Parameter paths: the stores that were not reached.
  func stop(before paths: [String]) {
    guard isWanted else { return }
    record.remaining = paths.count
    record.unreached = Array(paths.prefix(Self.listLimit))
    end(paths.isEmpty ? .stopped : .stoppedEarly)
  }

  /// Ends the record.
  ///
  /// - Parameter ending: the reason why the run did not reach all stores, or nil if it did.
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

  /// The steps between versions, each with its differences.
  private func parts(_ parts: [MigrationOutcome.PathPart], among target: MigrationTarget) -> [MigrationRecord.PathPart]
  {
    parts.flatMap { part in
      zip(part.versions, part.versions.dropFirst()).map { from, to in
        let versions = [from, to].compactMap { name in target.versions.first { $0.name == name } }
        guard versions.count == 2, let source = versions.first?.hierarchy, let destination = versions.last?.hierarchy
        else { return MigrationRecord.PathPart(from: from, to: to, mapping: part.mappingPath, difference: nil) }
        let key = [target.destination.bundle, from, to]
        let difference = differences[key] ?? ComparedModels(from: (from, source), to: (to, destination)).report
        differences[key] = difference
        return MigrationRecord.PathPart(from: from, to: to, mapping: part.mappingPath, difference: difference)
      }
    }
  }
}
