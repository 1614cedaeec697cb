import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import Reports
import StoreMigration

/// Stores and their metadata.
enum StoreTargets {
  /// Between the bytes of a store and those of its write-ahead log.
  static let logMark = Data("\n--wal--\n".utf8)

  static func metadata(_ data: Data) throws {
    let metadata = try StoreMetadata(uuid: "00000000-0000-0000-0000-000000000000", propertyList: data, path: "store")
    let identification = StoreIdentification(of: metadata, cachedModel: .absent, among: FuzzSamples.orders)
    let report = StatusReport([StatusReport.Store(path: "store", identification)])
    _ = try report.text + JSONText.encode(report)
    let version = try FuzzSamples.order(1)
    let rewritten = metadata.rewritten(for: version.versionHashes, identifiers: ["2"])
    do {
      let again = try StoreMetadata(uuid: metadata.uuid, propertyList: rewritten.encoded(), path: "store")
      try FuzzFinding.expect(again.versionHashes == version.versionHashes, "metadata that is written has other hashes")
    } catch let error as StoreError {
      throw FuzzFinding("metadata that is written cannot be read: \(error)")
    }
  }

  /// `status`, `verify`, `plan` and `migrate` of a file: reading changes nothing, and what fails changes nothing.
  static func store(_ data: Data) throws {
    try FuzzFolder.with { folder in
      let path = folder + "/store.sqlite"
      let bytes = try write(data, to: path)
      do {
        try read(path)
        try unchanged(path, bytes, after: "reading")
        try migrate(path)
      } catch let finding as FuzzFinding {
        throw finding
      } catch {
        _ = "\(error)"
        try unchanged(path, bytes, after: "the error “\(error)”")
      }
    }
  }

  static func write(_ data: Data, to path: String) throws -> Data {
    guard let mark = data.range(of: logMark) else {
      try data.write(to: URL(fileURLWithPath: path))
      return data
    }
    let database = Data(data[..<mark.lowerBound])
    try database.write(to: URL(fileURLWithPath: path))
    try Data(data[mark.upperBound...]).write(to: URL(fileURLWithPath: path + "-wal"))
    return database
  }

  static func unchanged(_ path: String, _ bytes: Data, after what: String) throws {
    let now = try Data(contentsOf: URL(fileURLWithPath: path))
    try FuzzFinding.expect(now == bytes, "the store's bytes changed after \(what)")
  }

  private static func read(_ path: String) throws {
    let reader = try StoreReader(path: path, busyTimeout: 0)
    defer { reader.close() }
    let identification = try reader.identify(among: FuzzSamples.todo)
    let report = StatusReport([StatusReport.Store(path: path, identification)])
    _ = try report.text + JSONText.encode(report)
    guard let model = identification.model else { return }
    let problems = try reader.verify(against: EntityHierarchy(model))
    _ = VerificationReport([.init(path: path, modelVersion: "v1", problems: problems)]).text
  }

  private static func migrate(_ path: String) throws {
    guard let destination = FuzzSamples.todo.last else { return }
    let request = MigrationRequest(
      path: path, versions: FuzzSamples.todo, destination: destination, now: 0, countsRows: true, busyTimeout: 0)
    let migrator = StoreMigrator(request)
    let (prepared, blocked) = try migrator.plan()
    let report = PlanReport(path: path, prepared, blocked, nil)
    _ = try report.text + JSONText.encode(report)
    _ = try migrator.migrate()
    let reader = try StoreReader(path: path, busyTimeout: 0)
    defer { reader.close() }
    do {
      let identification = try reader.identify(among: FuzzSamples.todo)
      try FuzzFinding.expect(identification.version?.name == destination.name, "a migrated store is of another version")
    } catch let error as StoreError {
      throw FuzzFinding("a migrated store cannot be read: \(error)")
    }
  }
}
