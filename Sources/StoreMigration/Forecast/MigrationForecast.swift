import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores

/// The rows, writes, free space and time that a migration will need.
public struct MigrationForecast: Hashable, Sendable {
  /// The amount of work.
  public var work: MigrationWork
  /// The bytes that are free next to the store; nil if the system does not report them.
  public var freeBytes: Int64?
  /// The estimated seconds on this machine; nil if no trial ran.
  public var seconds: Double?

  /// The time after which iOS ends an app that has not launched, in seconds.
  ///
  /// Source: Apple, “Addressing watchdog terminations” (exception code 0x8badf00d).
  public static let launchWatchdogSeconds = 20.0

  /// With fewer ``MigrationWork/units`` a migration is over sooner than a trial would be.
  public static let fewestUnitsTried = 10_000

  /// Creates a forecast: a pure function of the work and the speed of the machine.
  ///
  /// - Parameter calibration: the measured speed; nil if no trial ran.
  public init(of work: MigrationWork, freeBytes: Int64?, calibration: MigrationCalibration?) {
    (self.work, self.freeBytes) = (work, freeBytes)
    seconds = calibration?.seconds(for: work)
  }

  /// True if the disk has too little room.
  public var lacksSpace: Bool { freeBytes.map { $0 < work.freeBytesNeeded } ?? false }

  /// True if an app that migrates at its launch would be ended on iOS before it is done.
  public var exceedsLaunchWatchdog: Bool { (seconds ?? 0) > Self.launchWatchdogSeconds }

  /// Checks the disk and runs trials if the plan touches enough rows.
  ///
  /// No byte next to the store changes: the trials run in the folder for temporary files.
  ///
  /// - Returns: nil if there is nothing to run.
  public static func measured(_ prepared: PreparedMigration, for request: MigrationRequest) -> MigrationForecast? {
    guard let work = prepared.work else { return nil }
    let calibration = work.units >= fewestUnitsTried ? try? MigrationTrials(prepared, request).calibration() : nil
    return MigrationForecast(of: work, freeBytes: freeBytes(besideStore: request.path), calibration: calibration)
  }

  /// The bytes that a user may still write beside a store.
  static func freeBytes(besideStore path: String) -> Int64? {
    let folder = URL(fileURLWithPath: StoreFiles.realPath(of: path)).deletingLastPathComponent().path
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }

  /// Refuses a migration that the disk has no room for.
  static func checkSpace(for prepared: PreparedMigration, _ request: MigrationRequest) throws(MigrationError) {
    guard var work = prepared.work else { return }
    if request.isRehearsal { work.strategy = .clone }
    let forecast = MigrationForecast(of: work, freeBytes: freeBytes(besideStore: request.path), calibration: nil)
    guard forecast.lacksSpace, let free = forecast.freeBytes else { return }
    throw .notEnoughSpace(path: request.path, needed: work.freeBytesNeeded, free: free)
  }
}

/// Tries a migration on small synthetic stores of the same version: the engine itself is what is timed.
struct MigrationTrials {
  private let prepared: PreparedMigration
  private let request: MigrationRequest

  /// The rows of the smaller trial's store, of all entities together.
  private static let rows = 1_000
  /// How many times as many rows the larger has: fewer where the smaller has taken long.
  private static let ratios = 2.0...24.0
  /// The approximate time limit of the larger trial, including the creation of its store.
  private static let seconds = 0.2
  /// From where on a trial is long: it is not made once more.
  private static let longSeconds = 1.0
  /// The number of bytes to write for measuring the speed of the disk.
  private static let diskBytes = 4 * 1024 * 1024

  init(_ prepared: PreparedMigration, _ request: MigrationRequest) {
    (self.prepared, self.request) = (prepared, request)
  }

  /// Creates the trials.
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

  /// Writes to the disk three times, waits for each write, and takes the fastest, because other writes to the disk slow
  /// down the rest.
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
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// The speed of this machine: the times of two small trials of a migration, and the write speed of the disk.
public struct MigrationCalibration: Hashable, Sendable {
  /// A migration of a small store.
  public struct Trial: Hashable, Sendable {
    /// The ``MigrationWork/units`` of its work.
    public var units: Int
    /// The processor time in seconds.
    public var seconds: Double

    /// Creates a trial.
    public init(units: Int, seconds: Double) { (self.units, self.seconds) = (units, seconds) }
  }

  /// The smaller trial; its time is mostly that of planning, opening and closing.
  public var small: Trial
  /// The larger trial.
  public var large: Trial
  /// The bytes that the disk writes per second, synchronised.
  public var bytesPerSecond: Double

  /// Creates a calibration.
  public init(small: Trial, large: Trial, bytesPerSecond: Double) {
    (self.small, self.large, self.bytesPerSecond) = (small, large, bytesPerSecond)
  }

  /// The estimated time of some work.
  ///
  /// The difference of the two trials is the time of their additional units. The time for writing to the disk is added,
  /// because the trials fit into memory.
  ///
  /// - Returns: seconds, at least those of the small trial.
  public func seconds(for work: MigrationWork) -> Double {
    let secondsPerUnit = self.secondsPerUnit
    let fixed = max(0, small.seconds - secondsPerUnit * Double(small.units))
    let writing = bytesPerSecond > 0 ? Double(work.bytesToWrite) / bytesPerSecond : 0
    return max(small.seconds, fixed + secondsPerUnit * Double(work.units) + writing)
  }

  /// The time between the trials for each of the units between them; where there is none, all of the larger's time.
  private var secondsPerUnit: Double {
    guard large.units > small.units else { return 0 }
    let difference = large.seconds - small.seconds
    return difference > 0 ? difference / Double(large.units - small.units) : large.seconds / Double(large.units)
  }
}
