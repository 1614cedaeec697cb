import MappingModels
import ModelDescription
import StoreMigration
import Testing

/// The effect of `--cast Order.value` on values that the new type does not hold.
@Suite("Decision table on stores: a cast keeps a value or needs consent (row 16)")
struct CastTests {
  private static let cast = InferenceOptions(casts: ["Order.value"])

  /// A store of one entity `Order` with an attribute `value` and rows 1, 2, … of these literals.
  private func store(
    _ former: AttributeDescription, _ latter: AttributeDescription, _ literals: [String]
  ) throws -> VersionedStore {
    let rows = literals.enumerated().map { "(\($0.offset + 1), 1, 3, \($0.element))" }.joined(separator: ", ")
    return try VersionedStore(
      [.entity("Order", [former])], [.entity("Order", [latter])],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZVALUE) VALUES \(rows)")
  }

  private func store(
    _ former: AttributeType, _ latter: AttributeType, _ literals: String...
  ) throws -> VersionedStore {
    try store(.optional("value", former), .optional("value", latter), literals)
  }

  private static let query = "SELECT CASE typeof(ZVALUE) WHEN 'blob' THEN 'blob' ELSE 'plain' END, ZVALUE FROM ZORDER"

  @Test(
    "a value that does not survive is refused, and with consent becomes the nearest one",
    arguments: [
      // Bytes that are no UTF-8.
      (AttributeType.binary, AttributeType.string, "x'fffe'", "plain|\u{FFFD}\u{FFFD}"),
      (.binary, .string, "x'61ff62'", "plain|a\u{FFFD}b"),
      (.binary, .string, "x'eda080'", "plain|\u{FFFD}\u{FFFD}\u{FFFD}"),
      // A UUID is 16 bytes.
      (.uuid, .string, "x'0102'", "plain|0102"), (.binary, .uuid, "x'0102'", "plain|-"),
      (.binary, .uuid, "x'0102030405060708090a0b0c0d0e0f1011'", "plain|-"),
      // A year of four digits.
      (.date, .string, "1e20", "plain|1e+20 seconds after 2001-01-01"),
      (.date, .string, "252423993600", "plain|252423993600.0 seconds after 2001-01-01"),
      (.date, .string, "-63145526401", "plain|-63145526401.0 seconds after 2001-01-01"),
      // The digits of a text.
      (.string, .decimal, "'12345678901234567890.123456789'", "plain|1.2345678901234567e+19"),
      (.string, .decimal, "'0.1234567890123456789'", "plain|0.12345678901234568"),
      (.string, .decimal, "'1e300'", "plain|1e+165"),
      (.string, .double, "'1e400'", "plain|\(Double.greatestFiniteMagnitude)"),
      (.string, .double, "'-1e400'", "plain|\(-Double.greatestFiniteMagnitude)"),
      (.string, .double, "'1e-400'", "plain|0.0"), (.string, .double, "'9007199254740993'", "plain|9007199254740992.0"),
      (.string, .float, "'16777217'", "plain|16777216.0"),
      (.string, .float, "'1e39'", "plain|\(Double(Float.greatestFiniteMagnitude))"),
      (.string, .integer32, "'4.00000000000000000000001'", "plain|4"), (.string, .integer32, "'12 apples'", "plain|12"),
      (.string, .integer64, "'1' || char(0) || '2'", "plain|1"), (.string, .boolean, "'yes'", "plain|0"),
      // A moment.
      (.string, .date, "'2020-01-01T00:00:00.12345678901234Z'", "plain|599529600.1234568"),
      (.string, .date, "'2023-02-29'", "plain|-"), (.string, .uuid, "'0f1e'", "plain|-"),
      // What --fill refuses too; the text stays.
      (.string, .uri, "'not a uri'", "plain|not a uri"), (.string, .uri, "''", "plain|"),
    ])
  func lost(former: AttributeType, latter: AttributeType, literal: String, consented: String) throws {
    let store = try store(former, latter, "NULL", literal)
    #expect(
      try store.refusals(MigrationOptions(), Self.cast) == ["Order.value 134110 1 [2] --allow-data-loss Order.value"])
    for after in try store.migrated(allowing: ["Order.value"], MigrationOptions(), Self.cast) {
      #expect(try after.rows("\(Self.query) ORDER BY Z_PK") == ["plain|-", consented])
    }
  }

  @Test(
    "a value that survives needs no consent",
    arguments: [
      (AttributeType.binary, AttributeType.string, "x'c3a4'", "plain|ä"), (.binary, .string, "x''", "plain|"),
      (.binary, .uuid, "x'0f1e2d3c4b5a69788796a5b4c3d2e1f0'", "blob|x0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
      (.date, .string, "600255070.123456", "plain|2020-01-09T09:31:10.123456Z"),
      (.date, .string, "-0.25", "plain|2000-12-31T23:59:59.750Z"),
      (.date, .string, "1e-5", "plain|2001-01-01T00:00:00.00001Z"),
      (.date, .string, "-63114076800", "plain|0000-12-30T00:00:00.000Z"),
      (.date, .string, "-63145526400", "plain|0000-01-01T00:00:00.000Z"),
      (.date, .string, "252423993599.5", "plain|9999-12-31T23:59:59.500Z"),
      (.string, .decimal, "'-0012.3400'", "plain|-12.34"),
      (.string, .date, "'2020-01-09  09:31'", "plain|600255060"),
      (.string, .decimal, "'1234567890123456789'", "plain|1234567890123456789"),
      (.string, .double, "'1.7976931348623157e308'", "plain|1.7976931348623157e+308"),
      (.string, .double, "' +.5 '", "plain|0.5"), (.string, .float, "'0.1'", "plain|0.1"),
      (.string, .integer32, "'1e3'", "plain|1000"),
      (.string, .integer64, "'-9223372036854775808'", "plain|\(Int64.min)"),
      (.string, .date, "'2020-01-09 09:31:10.123456 +00:00'", "plain|600255070.123456"),
      (.string, .uri, "'urn:a'", "plain|urn:a"),
    ])
  func kept(former: AttributeType, latter: AttributeType, literal: String, expected: String) throws {
    let store = try store(former, latter, literal)
    for after in try store.migrated(allowing: [], MigrationOptions(), Self.cast) {
      #expect(try after.rows(Self.query) == [expected])
    }
  }

  @Test(
    "a date converted to text and back is the same number",
    arguments: [
      "600255070.123456", "-600255070.123456", "0.1", "-0.1", "1e-5", "-1e-300", "1e-300", "-0.30000000000000004",
      "86399.99999999999",
      "-63145526399.99999", "252423993599.99997", "599529600.1234567",
    ])
  func dateAndBack(literal: String) throws {
    let there = try store(.date, .string, literal)
    let number = try #require(Double(literal))
    for after in try there.migrated(allowing: [], MigrationOptions(), Self.cast) {
      let text = try #require(try after.rows("SELECT ZVALUE FROM ZORDER").first)
      let back = try store(.string, .date, "'\(text)'")
      for again in try back.migrated(allowing: [], MigrationOptions(), Self.cast) {
        #expect(try again.rows("SELECT ZVALUE FROM ZORDER") == ["\(number)"])
      }
    }
  }

  @Test(
    "a value that a single-precision float cannot hold becomes, with consent, the value that Core Data would read",
    arguments: [
      (AttributeType.integer64, "16777217", "16777216.0"),
      (.double, "1e300", "\(Double(Float.greatestFiniteMagnitude))"),
      (.double, "-1e300", "\(-Double(Float.greatestFiniteMagnitude))"),
    ])
  func single(former: AttributeType, literal: String, consented: String) throws {
    let store = try store(former, .float, "NULL", literal, "0")
    let options = InferenceOptions()
    #expect(
      try store.refusals(MigrationOptions(), options) == ["Order.value 134110 1 [2] --allow-data-loss Order.value"])
    for after in try store.migrated(allowing: ["Order.value"]) {
      #expect(try after.rows("SELECT ZVALUE FROM ZORDER ORDER BY Z_PK") == ["-", consented, "0.0"])
    }
  }

  @Test("a value in a number column that is not a number is not rounded away")
  func textAmongNumbers() throws {
    let store = try store(.double, .float, "'1.5abc'", "9e99")
    #expect(try store.refusals(MigrationOptions(), InferenceOptions()).map { $0.contains("1 [2]") } == [true])
    for after in try store.migrated(allowing: ["Order.value"]) {
      #expect(
        try after.rows("SELECT ZVALUE FROM ZORDER ORDER BY Z_PK") == [
          "1.5abc", "\(Double(Float.greatestFiniteMagnitude))",
        ])
    }
  }

  @Test("a value that a required attribute would lose needs a value to fill")
  func required() throws {
    let store = try store(.required("value", .binary), .required("value", .uuid), ["x'0102'"])
    #expect(
      try store.refusals(MigrationOptions(), Self.cast) == [
        "Order.value 134110 1 [1] --fill Order.value=VALUE", "Order.value 134110 1 [1] --allow-data-loss Order.value",
      ])
    var consent = MigrationOptions()
    consent.allowedLosses = ["Order.value"]
    #expect(try store.refusals(consent, Self.cast) == ["Order.value 134110 1 [1] --fill Order.value=VALUE"])
  }
}
