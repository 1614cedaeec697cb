import ArgumentParser
import Foundation
import ModelKit

/// Migrates many stores, reports each failure, and counts the other stores.
struct FleetRun {
  let fleet: FleetMigration
  let journalPath: String?
  let output: FleetOutput
  let interrupt: Interrupt
  let recorder: MigrationRecorder

  /// Migrates the stores.
  ///
  /// - Throws: `FleetJournalError`, ``CommandError``, and an exit code if a store failed or you interrupted the run.
  func run(_ settings: MigrationSettings) throws {
    let interrupt = interrupt
    try run(isRehearsal: settings.isRehearsal) { store in
      let target = try settings.target(of: store.path)
      var request = try settings.request(for: store.path, to: target, isOneOfMany: true)
      request.looksForLeftovers = store.mayHaveLeftovers
      do {
        let waiting = StoreMirror.Waiting(
          busyTimeout: request.busyTimeout, interruption: { interrupt.isRaised })
        if target.isReadWhole, let mirror = try settings.workspace.mirror(of: store.path, waiting: waiting) {
          return try mirror.migrate(request, isInterrupted: { interrupt.isRaised })
        }
        return try StoreMigrator(request).migrate(isInterrupted: { interrupt.isRaised })
      } catch {
        throw settings.consent.explaining(error, request, for: target)
      }
    }
  }

  private func run(
    isRehearsal: Bool, _ migrate: @escaping @Sendable (FleetStore) throws -> MigrationOutcome
  ) throws {
    recorder.beginFleet(journal: journalPath)
    let isNew = journalPath.map { !FileManager.default.fileExists(atPath: $0) } ?? false
    let journal = try FleetJournal.open(at: journalPath)
    let progress = ProgressLine()
    defer { progress.finish() }
    let interrupt = interrupt
    var kinds = UnprovedKinds()
    var failures = FleetFailures()
    defer { failures.show(progress) }
    let summary = try fleet.run(journal: journal, isInterrupted: { interrupt.isRaised }, migrate: migrate) { event in
      switch event {
      case .searching(let files, let stores): progress.show(filesLookedAt: files, stores: stores)
      case .progress(let now): progress.show(now)
      case .failed(let path, let error):
        failures.add(error, about: path)
        recorder.add(path: path, error: error)
        try output.write(FleetStoreReport(path: path, error: error))
      case .ended(let result):
        recorder.add(result)
        if case .failed(let error) = result.ending { failures.add(error, about: result.store.path) }
        if case .finished(let outcome) = result.ending, outcome.result == .migrated { kinds.add(outcome.path) }
        if let report = FleetStoreReport(result) { try output.write(report) }
      }
    }
    failures.show(progress)
    // If there are no stores, the journal is not needed.
    let isUnused = isNew && summary.storeCount == 0
    if isUnused { journal.remove() }
    try output.write(
      FleetReport(
        summary, jobs: fleet.jobs, shard: fleet.shard, journal: isUnused ? nil : journalPath, isRehearsal: isRehearsal))
    if summary.storeCount == 0 {
      Console.warn("there is no Core Data store under \(fleet.places.joined(separator: ", "))")
    }
    kinds.show()
    recorder.take(summary)
    if summary.isInterrupted { throw CommandExit.interrupted }
    if summary.failed > 0 { throw CommandExit.failure }
  }

}

/// The causes of failures, one line per cause, with the first store that has it; plain text has one line per store.
private struct FleetFailures {
  private var causes: [(key: String, path: String, message: String, count: Int)] = []
  private var positions: [String: Int] = [:]

  mutating func add(_ error: any Error, about path: String) {
    let key = TextStyle.current.isPlain ? path : Self.key(of: error, path)
    if let position = positions[key] { return causes[position].count += 1 }
    positions[key] = causes.count
    causes.append((key, path, ErrorMessage.message(error, about: path), 1))
  }

  /// Prints each cause once.
  mutating func show(_ progress: ProgressLine) {
    progress.finish()
    for cause in causes {
      let count = cause.count == 1 ? "" : "\(cause.count) stores, the first: "
      Console.standardError("error: \(count)\(cause.message)\n")
    }
    (causes, positions) = ([], [:])
  }

  /// The common part of errors that have one cause: the error without the store and without the numbers of rows.
  private static func key(of error: any Error, _ path: String) -> String {
    guard let blocked = error as? MigrationBlocked else {
      return ErrorMessage.message(error, about: path).replacingOccurrences(of: path, with: "\0")
    }
    let rows = blocked.blockers.map { "\($0.blocker)" } + blocked.losses.map { "\($0.loss.loss)" }
    return (blocked.failures.map { "\($0)" } + rows).joined(separator: "\0")
  }
}

/// The options for many stores.
struct FleetOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp(
      "Migrate this number of stores at the same time (default: two per core for a folder, 1 for a list of files).",
      valueName: "number"))
  var jobs: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Record finished stores in this file (default: a file in the first folder). To continue a stopped run, repeat its command.",
      valueName: "file"))
  var journal: String?

  @Option(
    name: .customLong("shard"),
    help: ArgumentHelp(
      "Migrate only part I of N, such as 2/8. auto takes the part from Kubernetes, Slurm or GNU parallel.",
      valueName: "part"))
  var shardText: String?

  func validate() throws {
    // Each migration needs some of the files that a process may open.
    if let jobs, !(1...128).contains(jobs) { throw ValidationError("--jobs must be from 1 to 128") }
    if journal == "" { throw ValidationError("--journal needs the path of a file") }
    _ = try shard()
  }

  /// The part of the stores, or nil for all stores.
  ///
  /// - Throws: `ValidationError` if the text is not a part, or if the environment does not give the part.
  func shard() throws -> Shard? {
    guard let shardText else { return nil }
    if shardText == "auto" {
      do {
        return try Shard.detected(in: ProcessInfo.processInfo.environment)
      } catch {
        throw ValidationError("--shard auto: \(error.text)")
      }
    }
    guard let shard = Shard(shardText) else {
      throw ValidationError("--shard \(shardText): expected I/N with I from 1 to N, such as 2/8, or auto")
    }
    return shard
  }

  /// True if a folder is given, or one of these options.
  func isWanted(for stores: [String]) -> Bool {
    jobs != nil || journal != nil || shardText != nil || FleetMigration.hasFolder(stores)
  }

  func journalPath(for stores: [String]) throws -> String? {
    try journal ?? FleetMigration.journalPath(for: stores, shard: shard())
  }

  /// The run over stores, and over folders of stores.
  ///
  /// - Parameter goal: a text that changes when finished stores must be migrated again.
  func migration(of stores: [String], goal: String) throws -> FleetMigration {
    FleetMigration(places: stores, shard: try shard(), jobs: jobs, goal: goal)
  }
}

/// Writes the results of many stores in each given format: JSON line by line, text at the end.
struct FleetOutput {
  private let formats: [OutputFormat<DocumentFormat>]
  private var files: [String: FileHandle] = [:]

  init(_ options: OutputOptions) throws {
    formats = options.format.isEmpty ? [OutputFormat(form: .text, file: nil)] : options.format
    for path in formats.compactMap(\.file) {
      try OutputPath.check(path)
      do {
        try Data().write(to: URL(fileURLWithPath: path))
        files[path] = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      } catch {
        throw CommandError.unwritable(path, error)
      }
    }
  }

  func write(_ store: FleetStoreReport) throws { try writeLine(store) }

  func write(_ report: FleetReport) throws {
    try writeLine(report)
    for format in formats where format.form == .text { try write(PrintableText.escaped(report.text), to: format.file) }
  }

  private func writeLine(_ document: some Encodable) throws {
    for format in formats where format.form == .json { try write(try JSONText.line(document), to: format.file) }
  }

  private func write(_ text: String, to file: String?) throws {
    guard let file, let handle = files[file] else { return try Console.standardOutput(text) }
    do {
      try handle.write(contentsOf: Data(text.utf8))
    } catch {
      throw CommandError.unwritable(file, error)
    }
  }
}
