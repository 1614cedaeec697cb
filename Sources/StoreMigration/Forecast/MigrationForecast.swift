import Foundation
import PersistentStores

/// What a migration will touch, write, need and take.
public struct MigrationForecast: Hashable, Sendable {
  /// How much is to be done.
  public var work: MigrationWork
  /// The bytes that are free beside the store, nil when the system does not tell.
  public var freeBytes: Int64?
  /// How long it takes on this machine; nil where no trial was made.
  public var seconds: Double?

  /// The time after which iOS ends an app that has not come up, in seconds.
  ///
  /// Source: Apple, “Addressing watchdog terminations” (exception code 0x8badf00d).
  public static let launchWatchdogSeconds = 20.0

  /// With fewer ``MigrationWork/units`` a migration is over sooner than a trial would be.
  public static let fewestUnitsTried = 10_000

  /// Makes a forecast: a pure function of what is to be done and how fast the machine is.
  ///
  /// - Parameters:
  ///   - work: what is to be done.
  ///   - freeBytes: the bytes that are free beside the store.
  ///   - calibration: how fast the machine is at it; nil where no trial was made.
  public init(of work: MigrationWork, freeBytes: Int64?, calibration: MigrationCalibration?) {
    self.work = work
    self.freeBytes = freeBytes
    seconds = calibration?.seconds(for: work)
  }

  /// True when the disk has too little room.
  public var lacksSpace: Bool { freeBytes.map { $0 < work.freeBytesNeeded } ?? false }

  /// True when an app that migrates at its launch would be ended on iOS before it is done.
  public var exceedsLaunchWatchdog: Bool { (seconds ?? 0) > Self.launchWatchdogSeconds }
}

extension MigrationForecast {
  /// Looks at the disk and, where enough rows are touched, makes trials.
  ///
  /// No byte beside the store changes: the trials run in the folder for temporary files.
  ///
  /// - Parameters:
  ///   - prepared: the migration.
  ///   - request: what it was prepared for.
  /// - Returns: nil when there is nothing to run.
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
  ///
  /// - Throws: ``MigrationError/notEnoughSpace(path:needed:free:)``.
  static func checkSpace(for prepared: PreparedMigration, _ request: MigrationRequest) throws(MigrationError) {
    guard var work = prepared.work else { return }
    if request.isRehearsal { work.strategy = .clone }
    let forecast = MigrationForecast(of: work, freeBytes: freeBytes(besideStore: request.path), calibration: nil)
    guard forecast.lacksSpace, let free = forecast.freeBytes else { return }
    throw .notEnoughSpace(path: request.path, needed: work.freeBytesNeeded, free: free)
  }
}
