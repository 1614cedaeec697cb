import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores

/// Tries a migration on small synthetic stores of the same version: the engine itself is what is timed.
struct MigrationTrials {
  private let prepared: PreparedMigration
  private let request: MigrationRequest

  /// The rows of the smaller trial's store, of all entities together.
  private static let rows = 1_000
  /// How many times as many rows the larger has: fewer where the smaller has taken long.
  private static let ratios = 2.0...24.0
  /// How long the larger trial may take, nearly, with making its store.
  private static let seconds = 0.2
  /// From where on a trial is long: it is not made once more.
  private static let longSeconds = 1.0
  /// How much is written to find out how fast the disk is.
  private static let diskBytes = 4 * 1024 * 1024

  /// Prepares trials.
  init(_ prepared: PreparedMigration, _ request: MigrationRequest) {
    self.prepared = prepared
    self.request = request
  }

  /// Makes the trials.
  ///
  /// - Throws: when the synthetic rows cannot be migrated as the store's can, or the folder for temporary files cannot
  ///   be written.
  func calibration() throws -> MigrationCalibration {
    let temporary = try TemporaryStoreFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.url
    let entities = max(1, prepared.source.hierarchy.model.entities.filter { !$0.isAbstract }.count)
    let each = max(10, Self.rows / entities)
    var start = Self.processorSeconds
    var small = try trial(in: folder.appendingPathComponent("first"), rowsPerEntity: each)
    // What happens once in a process is in the first trial, which counts where that is little of it.
    if Self.processorSeconds - start < Self.longSeconds {
      start = Self.processorSeconds
      small = try trial(in: folder.appendingPathComponent("small"), rowsPerEntity: each)
    }
    let elapsed = max(0.001, Self.processorSeconds - start)
    let ratio = min(Self.ratios.upperBound, max(Self.ratios.lowerBound, Self.seconds / elapsed))
    return MigrationCalibration(
      small: small,
      large: try trial(in: folder.appendingPathComponent("large"), rowsPerEntity: Int(Double(each) * ratio)),
      bytesPerSecond: try bytesPerSecond(in: folder))
  }

  private func trial(in folder: URL, rowsPerEntity: Int) throws -> MigrationCalibration.Trial {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    var rows = SyntheticRows(seed: 1, rowsPerEntity: rowsPerEntity)
    rows.gaps = .none
    _ = try SyntheticStore.make(in: folder, of: prepared.source, rows, isInterrupted: nil)
    var request = request
    request.path = SyntheticStore.path(in: folder)
    request.policies = PolicyRegistry()
    request.options.strategy = prepared.strategy
    request.options.allowedLosses.formUnion(prepared.stages.flatMap(\.plan.losses).map(\.loss.element))
    request.countsRows = false
    request.keepsBackup = false
    request.isRehearsal = false
    let start = Self.processorSeconds
    let outcome = try StoreMigrator(request).migrate()
    return MigrationCalibration.Trial(units: outcome.work?.units ?? 0, seconds: Self.processorSeconds - start)
  }

  /// How long the processor has worked for this thread, which runs all of a migration: what else the machine does would
  /// make more of a difference between two short trials than their rows.
  private static var processorSeconds: Double {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Writes to the disk three times, waits each time until it is there, and takes the fastest: what else is on its way
  /// to the disk makes the others wait.
  private func bytesPerSecond(in folder: URL) throws -> Double {
    let bytes = Data((0..<Self.diskBytes).map { UInt8(truncatingIfNeeded: $0) })
    let times = try (1...3).map { number in
      let file = folder.appendingPathComponent("written-\(number)")
      let start = ContinuousClock.now
      try bytes.write(to: file)
      try SystemFiles().synchronize(file.path)
      return (ContinuousClock.now - start).inSeconds
    }
    return Double(Self.diskBytes) / max(1e-6, times.min() ?? 0)
  }
}

extension Duration {
  /// The length in seconds.
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
