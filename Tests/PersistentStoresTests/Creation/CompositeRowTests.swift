import GRDB
import ModelDescription
import PersistentStores
import TestSupport
import Testing

@Suite("Composite values of synthetic rows are complete or nil, level by level")
struct CompositeRowTests {
  private static let model = ManagedObjectModel {
    Composite("Geo") {
      Attribute("note", .string).optional()
      Attribute("lat", .double)
      Attribute("lon", .double)
    }
    Composite("Address") {
      Attribute("geo", .composite("Geo")).optional()
      Attribute("street", .string)
      Attribute("floor", .integer16).optional()
    }
    Composite("Names") {
      Attribute("first", .string).optional()
      Attribute("second", .string).optional()
    }
    Composite("Badge") {
      Attribute("level", .integer16).optional()
      Attribute("names", .composite("Names"))
    }
    Composite("Scan") {
      Attribute("image", .binary).allowsExternalBinaryDataStorage()
      Attribute("page", .integer16)
    }
    Entity("Place") {
      Attribute("geo", .composite("Geo")).optional()
      Attribute("spot", .composite("Geo"))
      Attribute("home", .composite("Address")).optional()
      Attribute("names", .composite("Names"))
      Attribute("hints", .composite("Names")).optional()
      Attribute("badge", .composite("Badge")).optional()
      Attribute("scan", .composite("Scan")).optional()
    }
  }

  private let folder: TemporaryFolder
  private let hierarchy: EntityHierarchy
  private let creator: StoreCreator

  init() throws {
    folder = try TemporaryFolder()
    hierarchy = try EntityHierarchy(Self.model)
    creator = try StoreCreator(of: hierarchy)
  }

  private func column(_ path: String) throws -> String {
    try #require(creator.layout.column(ofAttribute: PropertyAddress(entity: "Place", property: path))).name
  }

  /// How many places lack the values of some paths and have those of others.
  private func count(lacking: [String], having: [String], in path: String) throws -> Int? {
    let conditions =
      try lacking.map { "\(try column($0)) IS NULL" } + having.map { "\(try column($0)) IS NOT NULL" }
    return try DatabaseQueue(path: path).read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM ZPLACE WHERE \(conditions.joined(separator: " AND "))")
    }
  }

  @Test(
    "No required value is missing, for any missing optional values",
    arguments: [SyntheticRows.Gaps.random, .certain, .none])
  func sound(gaps: SyntheticRows.Gaps) throws {
    for seed: UInt64 in 1...3 {
      var rows = SyntheticRows(seed: seed, rowsPerEntity: 100)
      rows.gaps = gaps
      let path = folder.path("\(seed).sqlite")
      try creator.create(at: path, filling: rows)
      let reader = try StoreReader(path: path)
      defer { reader.close() }
      #expect(try reader.verify(against: hierarchy) == [])
    }
  }

  @Test("No value is there in part, and each is there or not where it may be")
  func states() throws {
    let path = folder.path("places.sqlite")
    try creator.create(at: path, filling: SyntheticRows(seed: 1, rowsPerEntity: 400))
    let never: [(lacking: [String], having: [String])] = [
      (["geo.lat"], ["geo.lon"]), (["geo.lon"], ["geo.lat"]), (["geo.lat"], ["geo.note"]), (["spot.lat"], []),
      (["spot.lon"], []), (["home.street"], ["home.floor"]), (["home.street"], ["home.geo.lat"]),
      (["home.geo.lon"], ["home.geo.lat"]), (["home.geo.lat"], ["home.geo.note"]), (["names.first"], []),
      (["badge.names.first"], ["badge.level"]), (["badge.names.first"], ["badge.names.second"]),
      (["scan.image"], ["scan.page"]), (["scan.page"], ["scan.image"]),
    ]
    for (lacking, having) in never {
      #expect(try count(lacking: lacking, having: having, in: path) == 0, "\(having) without \(lacking)")
    }
    let somewhere: [(lacking: [String], having: [String])] = [
      (["geo.lat", "geo.lon", "geo.note"], []), ([], ["geo.lat", "geo.lon", "geo.note"]),
      (["geo.note"], ["geo.lat"]), (["spot.note"], []), (["home.street"], []), (["home.floor"], ["home.street"]),
      (["home.geo.lat"], ["home.street"]), ([], ["home.street", "home.geo.lat"]), (["names.second"], []),
      (["hints.first"], ["hints.second"]), (["hints.second"], ["hints.first"]), (["badge.names.first"], []),
      (["badge.level"], ["badge.names.first"]), (["badge.names.second"], ["badge.names.first"]),
      (["scan.image"], []), ([], ["scan.image", "scan.page"]),
    ]
    for (lacking, having) in somewhere {
      #expect(try count(lacking: lacking, having: having, in: path) != 0, "\(having) without \(lacking)")
    }
  }
}
