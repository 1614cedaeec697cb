import Foundation
import MappingModels
import ModelDescription
import StoreMigration
import Testing

@Suite("Decision table on stores: attributes that are added, removed and changed (rows 5–19)")
struct AttributeStoreTests {
  /// A store of one entity `Order` with rows 1, 2, … of these literals in one attribute.
  private func store(
    _ former: AttributeDescription, _ latter: [AttributeDescription], _ literals: String...
  ) throws -> VersionedStore {
    let rows = literals.enumerated().map { "(\($0.offset + 1), 1, 3, \($0.element))" }.joined(separator: ", ")
    return try VersionedStore(
      [.entity("Order", [former])], [.entity("Order", latter)],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, Z\(former.name.uppercased())) VALUES \(rows)")
  }

  private func fill(_ name: String, _ value: AttributeValue) -> InferenceOptions {
    InferenceOptions(fills: ["Order.\(name)": value])
  }

  @Test("row 5: an optional attribute is added: empty, or its default")
  func row05() throws {
    let store = try store(
      .optional("note"), [.optional("note"), .optional("extra"), .optional("state", default: .string("new"))], "'a'",
      "NULL")
    for after in try store.migrated() {
      #expect(
        try after.rows("SELECT Z_PK, Z_OPT, ZNOTE, ZEXTRA, ZSTATE FROM ZORDER") == ["1|3|a|-|new", "2|3|-|-|new"])
    }
  }

  @Test("row 6: a required attribute is added with a default of every type")
  func row06() throws {
    let uuid = try #require(UUID(uuidString: "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"))
    let store = try store(
      .optional("note"),
      [
        .optional("note"), .required("count", .integer16, default: .integer(1)),
        .required("price", .decimal, default: .decimal(Decimal(string: "0.25") ?? 0)),
        .required("flag", .boolean, default: .boolean(true)), .required("day", .date, default: .date(86_400.5)),
        .required("key", .uuid, default: .uuid(uuid)), .required("text", default: .string("it's")),
        .required("site", .uri, default: .uri("https://example.org")),
      ], "'a'")
    for after in try store.migrated() {
      #expect(
        try after.rows("SELECT ZCOUNT, ZPRICE, ZFLAG, ZDAY, ZKEY, ZTEXT, ZSITE FROM ZORDER")
          == ["1|0.25|1|86400.5|x0f1e2d3c4b5a69788796a5b4c3d2e1f0|it's|https://example.org"])
    }
  }

  @Test("row 6: a sub-entity's default reaches the rows of that entity only")
  func row06SubEntity() throws {
    let former: [EntityDescription] = [
      .entity("Order"), .entity("Rush", under: "Order"), .entity("Slow", under: "Order"),
    ]
    var latter = former
    latter[1].attributes = [.required("hours", .integer16, default: .integer(4))]
    let store = try VersionedStore(
      former, latter, "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 2, 1), (3, 3, 1)")
    for after in try store.migrated() {
      #expect(try after.rows("SELECT ZHOURS FROM ZORDER ORDER BY Z_PK") == ["-", "4", "-"])
    }
    latter[2].attributes = [.required("days", .integer16, default: .integer(9))]
    let both = try VersionedStore(
      former, latter, "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 2, 1), (3, 3, 1)")
    for after in try both.migrated() {
      #expect(try after.rows("SELECT ZHOURS, ZDAYS FROM ZORDER ORDER BY Z_PK") == ["-|-", "4|-", "-|9"])
    }
  }

  @Test("row 7: a required attribute is added without a default: refused for rows, filled on demand")
  func row07() throws {
    let latter: [AttributeDescription] = [.optional("note"), .required("count", .integer16)]
    let store = try store(.optional("note"), latter, "'a'", "'b'")
    #expect(try store.refusals() == ["Order.count 134110 2 [1,2] --fill Order.count=VALUE"])
    #expect(
      try store.blocked().description.contains(
        "Validation error missing attribute values on mandatory destination attribute"))
    for after in try store.migrated(allowing: [], MigrationOptions(), fill("count", .integer(9))) {
      #expect(try after.rows("SELECT ZNOTE, ZCOUNT FROM ZORDER") == ["a|9", "b|9"])
    }
    let empty = try VersionedStore([.entity("Order", [.optional("note")])], [.entity("Order", latter)])
    _ = try empty.migrated()
  }

  @Test("row 8: an attribute is removed, with consent")
  func row08() throws {
    let store = try store(.optional("note"), [.optional("other")], "'a'", "NULL", "'c'")
    #expect(try store.unconsented() == ["Order.note: 2"])
    for after in try store.migrated(allowing: ["Order.note"]) {
      #expect(try after.rows("SELECT * FROM ZORDER") == ["1|1|3|-", "2|1|3|-", "3|1|3|-"])
    }
  }

  @Test("row 9: an attribute is renamed by its identifier, also two that exchange their names")
  func row09() throws {
    let store = try store(.optional("note"), [.optional("remark", was: "note")], "'a'")
    for after in try store.migrated() { #expect(try after.rows("SELECT ZREMARK FROM ZORDER") == ["a"]) }
    let former: [EntityDescription] = [.entity("Order", [.optional("a"), .optional("b", .uri)])]
    let swapped: [EntityDescription] = [.entity("Order", [.optional("a", .uri, was: "b"), .optional("b", was: "a")])]
    let two = try VersionedStore(
      former, swapped, "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZA, ZB) VALUES (1, 1, 1, 'was a', 'was b')")
    for after in try two.migrated() { #expect(try after.rows("SELECT ZA, ZB FROM ZORDER") == ["was b|was a"]) }
    // With one hash for both versions the entity is copied, although another entity makes a new version.
    let copied = try VersionedStore(
      [.entity("Order", [.optional("a"), .optional("b")])],
      [.entity("Order", [.optional("a", was: "b"), .optional("b", was: "a")]), .entity("Else")],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZA, ZB) VALUES (1, 1, 1, 'was a', 'was b')")
    for after in try copied.migrated() {
      #expect(try after.rows("SELECT Z_ENT, ZA, ZB FROM ZORDER") == ["2|was a|was b"])
    }
  }

  @Test("row 10: an attribute is renamed without an identifier: lost with consent")
  func row10() throws {
    let store = try store(.optional("note"), [.optional("remark")], "'a'")
    #expect(try store.unconsented() == ["Order.note: 1"])
    for after in try store.migrated(allowing: ["Order.note"]) {
      #expect(try after.rows("SELECT ZREMARK FROM ZORDER") == ["-"])
    }
  }

  @Test("row 11: required becomes optional")
  func row11() throws {
    let store = try store(.required("note"), [.optional("note")], "'a'")
    for after in try store.migrated() { #expect(try after.rows("SELECT ZNOTE FROM ZORDER") == ["a"]) }
  }

  @Test("row 12: optional becomes required with a default, for the empty values only")
  func row12() throws {
    let store = try store(.optional("note"), [.required("note", default: .string("none"))], "'a'", "NULL", "''")
    for after in try store.migrated() { #expect(try after.rows("SELECT ZNOTE FROM ZORDER") == ["a", "none", ""]) }
  }

  @Test("row 13: optional becomes required without a default: refused while a value is missing")
  func row13() throws {
    let store = try store(.optional("note"), [.required("note")], "'a'", "NULL", "NULL")
    #expect(try store.refusals() == ["Order.note 134110 2 [2,3] --fill Order.note=VALUE"])
    for after in try store.migrated(allowing: [], MigrationOptions(), fill("note", .string("-"))) {
      #expect(try after.rows("SELECT ZNOTE FROM ZORDER") == ["a", "-", "-"])
    }
    let full = try self.store(.optional("note"), [.required("note")], "'a'")
    for after in try full.migrated() { #expect(try after.rows("SELECT ZNOTE FROM ZORDER") == ["a"]) }
  }

  @Test(
    "row 14: numbers are converted",
    arguments: [
      (AttributeType.integer16, AttributeType.integer64, "7", "integer 7"),
      (.integer32, .double, "7", "real 7.0"), (.integer64, .decimal, "7", "integer 7"),
      (.float, .double, "0.5", "real 0.5"), (.double, .integer32, "7.0", "integer 7"),
      (.decimal, .double, "0.25", "real 0.25"), (.integer32, .integer16, "-32768", "integer -32768"),
      (.integer64, .boolean, "1", "integer 1"), (.boolean, .integer16, "1", "integer 1"),
    ])
  func row14(former: AttributeType, latter: AttributeType, value: String, expected: String) throws {
    let store = try store(.optional("size", former), [.optional("size", latter)], value, "NULL")
    for after in try store.migrated() {
      let found = try after.rows("SELECT typeof(ZSIZE) || ' ' || ZSIZE FROM ZORDER")
      #expect(found == [expected, "-"])
    }
  }

  @Test(
    "row 14: a number that does not fit is refused, and changed only with consent",
    arguments: [
      (AttributeType.integer32, AttributeType.integer16, "40000", "32767"), (.double, .integer32, "7.5", "7"),
      (.double, .integer64, "1e300", "\(Int64.max)"), (.integer64, .double, "9007199254740993", "9007199254740992.0"),
    ])
  func row14Narrow(former: AttributeType, latter: AttributeType, value: String, expected: String) throws {
    let store = try store(.optional("size", former), [.optional("size", latter)], "1", value)
    #expect(try store.refusals() == ["Order.size 134110 1 [2] --allow-data-loss Order.size"])
    for after in try store.migrated(allowing: ["Order.size"]) {
      #expect(try after.rows("SELECT ZSIZE FROM ZORDER WHERE Z_PK = 2") == [expected])
    }
  }

  @Test("row 15: 0 and 1 are kept, other integers become true only with consent")
  func row15() throws {
    let store = try store(.optional("flag", .integer32), [.optional("flag", .boolean)], "0", "1", "5", "NULL")
    #expect(try store.refusals() == ["Order.flag 134110 1 [3] --allow-data-loss Order.flag"])
    for after in try store.migrated(allowing: ["Order.flag"]) {
      #expect(try after.rows("SELECT ZFLAG FROM ZORDER") == ["0", "1", "1", "-"])
    }
  }

  @Test("row 14: a value that a single-precision float cannot hold blocks; fractions are rounded when read")
  func row14Float() throws {
    let whole = try VersionedStore(
      [.entity("Order", [.optional("size", .integer64)])], [.entity("Order", [.optional("size", .float)])],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 16777216), (2, 1, 1, 16777217)")
    #expect(try whole.blocked().blockers.map(\.firstKeys) == [[2]])
    let double = try VersionedStore(
      [.entity("Order", [.optional("size", .double)])], [.entity("Order", [.optional("size", .float)])],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 0.1), (2, 1, 1, 1e300)")
    #expect(try double.blocked().blockers.map(\.firstKeys) == [[2]])
  }

  @Test("row 16: a number becomes the shortest text that gives it back")
  func row16Text() throws {
    let store = try VersionedStore(
      [.entity("Order", [.optional("size", .double)])], [.entity("Order", [.optional("size")])],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 0.1 + 0.2), (2, 1, 1, 0.1), (3, 1, 1, NULL)")
    for after in try store.migrated(MigrationOptions(), InferenceOptions(casts: ["Order.size"])) {
      #expect(try after.rows("SELECT ZSIZE FROM ZORDER ORDER BY Z_PK") == ["0.30000000000000004", "0.1", "-"])
    }
  }

  @Test("row 16: any other change of type is refused with code 134190")
  func row16() throws {
    let store = try store(.optional("value"), [.optional("value", .date)], "'2024-01-02'")
    let before = try store.files()
    let failure = #expect(throws: InferenceRefusal.self) { try store.migrator().migrate() }
    #expect(failure?.code?.rawValue == 134190)
    #expect(failure?.reason == "Source and destination attribute types are incompatible")
    #expect(try store.files() == before)
  }

  @Test(
    "row 16: --cast converts every value that the new type can hold",
    arguments: [
      (AttributeType.string, AttributeType.integer32, "' 42 '", "42"), (.string, .double, "'1e3'", "1000.0"),
      (.string, .decimal, "'0.10'", "0.1"), (.string, .boolean, "'1'", "1"),
      (.string, .date, "'2001-01-02T00:00:00Z'", "86400"), (.string, .date, "'2001-01-01T02:00:00+01:00'", "3600"),
      (.string, .uuid, "'0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'", "x0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
      (.uuid, .string, "x'0f1e2d3c4b5a69788796a5b4c3d2e1f0'", "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"),
      (.date, .string, "0.5", "2001-01-01T00:00:00.500Z"), (.integer64, .string, "42", "42"),
      (.string, .binary, "'a'", "x61"), (.string, .uri, "'https://example.org'", "https://example.org"),
    ])
  func row16Cast(former: AttributeType, latter: AttributeType, value: String, expected: String) throws {
    let store = try store(.optional("value", former), [.optional("value", latter)], value, "NULL")
    for after in try store.migrated(allowing: [], MigrationOptions(), InferenceOptions(casts: ["Order.value"])) {
      #expect(try after.rows("SELECT ZVALUE FROM ZORDER") == [expected, "-"])
    }
  }

  @Test(
    "row 16: --cast refuses values that the new type cannot hold",
    arguments: [
      (AttributeType.integer32, "'1-2'"), (.integer32, "'12 apples'"), (.integer32, "''"), (.integer32, "'0x10'"),
      (.integer16, "'70000'"), (.integer64, "'1.5'"), (.double, "'.'"), (.boolean, "'yes'"), (.date, "'now'"),
      (.date, "'12'"), (.date, "'12:30'"), (.date, "'2023-02-29'"), (.date, "'soon'"), (.uuid, "'0f1e'"),
      (.uuid, "'+f+e+d+c+b+a+9+8+7+6+5+4+3+2+1+0'"),
    ])
  func row16Unfit(latter: AttributeType, value: String) throws {
    let store = try store(.optional("value"), [.optional("value", latter)], "NULL", value)
    let cast = InferenceOptions(casts: ["Order.value"])
    #expect(try store.refusals(MigrationOptions(), cast) == ["Order.value 134110 1 [2] --allow-data-loss Order.value"])
  }

  @Test("row 17: binary data and transformable values are the same bytes")
  func row17() throws {
    let store = try store(.optional("image", .binary), [.optional("image", .transformable)], "x'00ff'", "NULL")
    for after in try store.migrated() { #expect(try after.rows("SELECT ZIMAGE FROM ZORDER") == ["x00ff", "-"]) }
  }

  @Test("row 18: a transient attribute does not make a new version, so nothing is written")
  func row18() throws {
    var transient = AttributeDescription.optional("cache")
    transient.isTransient = true
    let store = try store(.optional("note"), [.optional("note"), transient], "'a'")
    let before = try store.files()
    #expect(try store.migrator().migrate().result == .alreadyCurrent)
    #expect(try store.files() == before)
  }

  @Test("row 19: transient to stored adds a column, stored to transient takes it away")
  func row19() throws {
    var transient = AttributeDescription.optional("cache")
    transient.isTransient = true
    let stored = try store(
      .optional("note"), [.optional("note"), .optional("cache", default: .string("-"))], "'a'")
    for after in try stored.migrated() { #expect(try after.rows("SELECT ZCACHE FROM ZORDER") == ["-"]) }
    let removed = try store(.optional("cache"), [transient, .optional("note")], "'a'")
    #expect(try removed.unconsented() == ["Order.cache: 1"])
    for after in try removed.migrated(allowing: ["Order.cache"]) {
      #expect(try after.rows("SELECT * FROM ZORDER") == ["1|1|3|-"])
    }
  }

  @Test(
    "an attribute may be named like an SQL keyword, with quotes, or beyond ASCII",
    arguments: ["select", "größe", "a\"b"])
  func names(name: String) throws {
    let column = "Z" + name.uppercased().replacing("\"", with: "\"\"")
    let store = try VersionedStore(
      [.entity("Order", [.optional(name, .integer16), .optional("gone")])],
      [.entity("Order", [.optional(name, .integer64), .optional("from", was: nil)])],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, \"\(column)\") VALUES (1, 1, 1, 5)")
    for after in try store.migrated() { #expect(try after.rows("SELECT \"\(column)\" FROM ZORDER") == ["5"]) }
  }
}
