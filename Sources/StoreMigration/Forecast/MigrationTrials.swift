import Foundation
import MappingModels
import ModelDescription
import PersistentStores

/// Tries a migration on small synthetic stores of the same version: the engine itself is what is timed.
struct MigrationTrials {
  private let prepared: PreparedMigration
  private let request: MigrationRequest

  /// The rows of the larger trial's store, of all entities together, and how many times fewer the smaller has.
  private static let rows = 6_000
  private static let ratio = 6
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
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let entities = max(1, prepared.source.hierarchy.model.entities.filter { !$0.isAbstract }.count)
    let each = max(10 * Self.ratio, Self.rows / entities)
    return MigrationCalibration(
      small: try trial(in: folder.appendingPathComponent("small"), rowsPerEntity: each / Self.ratio),
      large: try trial(in: folder.appendingPathComponent("large"), rowsPerEntity: each),
      bytesPerSecond: try bytesPerSecond(in: folder))
  }

  private func trial(in folder: URL, rowsPerEntity: Int) throws -> MigrationCalibration.Trial {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    var rows = SyntheticRows(seed: 1, rowsPerEntity: rowsPerEntity)
    rows.gaps = .none
    _ = try RehearsalStore.make(in: folder, of: prepared.source, rows, isInterrupted: nil)
    var request = request
    request.path = RehearsalStore.path(in: folder)
    request.policies = PolicyRegistry()
    request.options.strategy = prepared.strategy
    request.countsRows = false
    request.keepsBackup = false
    request.isRehearsal = false
    let planned = try StoreMigrator(request).plan()
    request.options.allowedLosses.formUnion(planned.obstacles.losses.map(\.loss.loss.element))
    let start = ContinuousClock.now
    _ = try StoreMigrator(request).migrate()
    return MigrationCalibration.Trial(
      units: planned.prepared.work?.units ?? 0, seconds: (ContinuousClock.now - start).inSeconds)
  }

  /// Writes to the disk, and waits until it is there.
  private func bytesPerSecond(in folder: URL) throws -> Double {
    let file = folder.appendingPathComponent("written")
    let bytes = Data((0..<Self.diskBytes).map { UInt8(truncatingIfNeeded: $0) })
    let start = ContinuousClock.now
    try bytes.write(to: file)
    try DurableFile.synchronize(file.path)
    return Double(Self.diskBytes) / max(1e-6, (ContinuousClock.now - start).inSeconds)
  }
}

extension Duration {
  /// The length in seconds.
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
