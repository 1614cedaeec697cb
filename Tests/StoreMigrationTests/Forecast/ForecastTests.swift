import Foundation
import ModelDescription
import PersistentStores
import StoreMigration
import Testing

@Suite("The data, writes, space and time of a migration")
struct ForecastTests {
  /// A hundredth of a second to begin with, ten microseconds a unit, and a disk of 100 MB/s.
  private static let calibration = MigrationCalibration(
    small: .init(units: 1_000, seconds: 0.02), large: .init(units: 11_000, seconds: 0.12), bytesPerSecond: 1e8)

  private static func forecast(
    _ strategy: MigrationStrategy, rows: Int, touching touched: Int, bytes: Int64
  ) -> MigrationForecast {
    MigrationForecast(
      of: MigrationWork(strategy: strategy, rows: rows, touchedRows: touched, bytes: bytes), freeBytes: 150_000_000,
      calibration: calibration)
  }

  @Test(
    "Bytes: a copy is the content and its rewritten part; in place, that part is in a journal and the file",
    arguments: [
      (MigrationStrategy.clone, 1_000, 1_000, 200_000, 200_000),
      (.clone, 1_000, 250, 125_000, 200_000),
      (.clone, 1_000, 5_000, 200_000, 200_000),
      (.clone, 0, 0, 100_000, 200_000),
      (.inPlace, 1_000, 1_000, 200_000, 100_000),
      (.inPlace, 1_000, 10, 2_000, 1_000),
      (.inPlace, 1_000, 0, 0, 0),
    ])
  func bytes(strategy: MigrationStrategy, rows: Int, touched: Int, written: Int64, needed: Int64) {
    let work = MigrationWork(strategy: strategy, rows: rows, touchedRows: touched, bytes: 100_000)
    #expect(work.bytesToWrite == written)
    #expect(work.freeBytesNeeded == needed)
  }

  @Test(
    "Seconds: the beginning, each unit, and the disk",
    arguments: [
      // 0.01 + 10 µs × 11,000 units + 0.1 MB
      (MigrationStrategy.inPlace, 10_000, 1_000, Int64(500_000), 0.121),
      // 0.01 + 10 µs × 2,000,000 units + 200 MB
      (.clone, 1_000_000, 1_000_000, 100_000_000, 22.01),
      // Never less than the small trial.
      (.inPlace, 10, 1, 4_096, 0.02),
    ])
  func seconds(strategy: MigrationStrategy, rows: Int, touched: Int, bytes: Int64, seconds: Double) throws {
    let forecast = Self.forecast(strategy, rows: rows, touching: touched, bytes: bytes)
    #expect(abs(try #require(forecast.seconds) - seconds) < 0.001)
    #expect(forecast.exceedsLaunchWatchdog == (seconds > 20))
  }

  @Test("A trial without results, or with impossible numbers, gives a reasonable forecast")
  func nonsense() throws {
    let none = MigrationCalibration(
      small: .init(units: 0, seconds: 0.1), large: .init(units: 0, seconds: 0.05), bytesPerSecond: 0)
    let work = MigrationWork(strategy: .clone, rows: .max, touchedRows: .max, bytes: .max)
    #expect(none.seconds(for: work) == 0.1)
    #expect(MigrationForecast(of: work, freeBytes: nil, calibration: none).lacksSpace == false)
  }

  @Test("Too little space is reported")
  func space() {
    #expect(Self.forecast(.clone, rows: 10, touching: 10, bytes: 80_000_000).lacksSpace)
    #expect(!Self.forecast(.clone, rows: 10, touching: 10, bytes: 70_000_000).lacksSpace)
    #expect(!Self.forecast(.inPlace, rows: 10, touching: 10, bytes: 80_000_000).lacksSpace)
  }

  @Test("The engine is tried on small stores where many rows are touched, beside the store and its bytes")
  func trials() throws {
    func forecast(to latter: [AttributeDescription]) throws -> MigrationForecast {
      let former = EntityDescription.entity("Order", [.optional("note"), .optional("size", .integer32)])
      let store = try VersionedStore([former], [.entity("Order", latter)], rows: 6_000)
      let before = try store.files()
      let migrator = store.migrator()
      let forecast = MigrationForecast.measured(try migrator.plan().prepared, for: migrator.request)
      #expect(try store.files() == before)
      return try #require(forecast)
    }
    let rewriting = try forecast(to: [.optional("note"), .required("size", .integer32, default: .integer(1))])
    #expect(rewriting.work.touchedRows >= 6_000)
    #expect(try #require(rewriting.seconds) > 0)
    #expect(try #require(rewriting.freeBytes) > 0)
    let renaming = try forecast(to: [.optional("text", was: "note"), .optional("size", .integer32)])
    #expect(renaming.work.touchedRows == 0)
    #expect(renaming.seconds == nil)
  }
}
