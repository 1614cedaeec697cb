import ModelDescription
import PersistentStores
import Testing

@Suite("A composite value that lacks an element which it must have is found")
struct CompositeVerificationTests {
  private static func missing(_ property: String, _ rows: String) -> String {
    "warning: Place.\(property): the mandatory value is missing (\(rows)) [missing-value]"
  }

  /// The emptied elements and rows, and the findings.
  static let emptied: [(columns: [String], rows: String, findings: [String])] = [
    (["ZLON"], "1, 2", [missing("geo.lon", "2 rows, Z_PK 1, 2")]),
    (["ZLAT", "ZLON"], "1", [missing("geo.lat", "1 row, Z_PK 1"), missing("geo.lon", "1 row, Z_PK 1")]),
    (["ZLAT", "ZLON", "ZNOTE"], "1, 2", []),
    (["ZLAT", "ZLON", "ZNOTE"], "2, 3", [missing("geo", "1 row, Z_PK 3")]),
    (["ZLON"], "2, 3, 4", [missing("geo.lon", "1 row, Z_PK 2"), missing("geo.lon", "2 rows, Z_PK 3, 4")]),
    (["ZNOTE", "ZNOTE1"], "1, 2, 3, 4", []),
    (["ZLAT1"], "2", [missing("home.geo.lat", "1 row, Z_PK 2")]),
    (["ZLAT1", "ZLON1", "ZNOTE1"], "1, 2", []),
    (["ZSTREET"], "1", [missing("home.street", "1 row, Z_PK 1")]),
    (["ZSTREET", "ZLAT1", "ZLON1", "ZNOTE1"], "1", [missing("home", "1 row, Z_PK 1")]),
  ]

  @Test("Each element that is missing beside another is named, level by level", arguments: emptied)
  func found(columns: [String], rows: String, findings: [String]) throws {
    let store = try CompositeStore()
    #expect(try store.problems() == [])
    let assignments = columns.map { "\($0) = NULL" }.joined(separator: ", ")
    try store.execute("UPDATE ZPLACE SET \(assignments) WHERE Z_PK IN (\(rows))")
    #expect(try store.problems() == findings)
  }

  @Test("More elements than SQLite's limit of nested conditions are checked like few elements")
  func many() throws {
    let elements = (1...1100).map { AttributeDescription(name: "e\($0)", type: .integer16) }
    let place = AttributeDescription(name: "place", type: .composite, isOptional: true, elements: elements)
    let store = try CompositeStore(
      of: ManagedObjectModel(entities: [EntityDescription(name: "Place", attributes: [place])]))
    #expect(try store.problems() == [])
    try store.execute("UPDATE ZPLACE SET ZE1 = NULL, ZE1100 = NULL WHERE Z_PK = 2")
    #expect(
      try store.problems() == ["place.e1", "place.e1100"].map { Self.missing($0, "1 row, Z_PK 2") })
  }
}
