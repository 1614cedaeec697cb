import Foundation
import GRDB
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing
import VersionHashing

@Suite("A store conforms to its model, or the verifier reports the differences")
struct StoreVerifierTests {
  @Test("A sound store is passed in silence, and not a byte of it changes")
  func sound() throws {
    let store = try LedgerStore()
    let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
    #expect(try store.problems() == [])
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
  }

  /// Statements that damage a valid store, and the findings.
  static let breakages: [(sql: String, problems: [String])] = [
    (
      "UPDATE ZORDER SET ZBUYER = 9999 WHERE Z_PK IN (3, 5)",
      ["error: Order.buyer: the referenced row of Party does not exist (2 rows, Z_PK 3, 5) [dangling-reference]"]
    ),
    (
      "CREATE VIEW numbers AS SELECT ZNUMBER FROM ZORDER; CREATE VIEW lost AS SELECT ZLOST FROM ZORDER",
      ["warning: view lost, which is not part of the model, cannot be read: no such column: ZLOST [schema]"]
    ),
    (
      "UPDATE ZORDER SET Z4_BUYER = 4 WHERE Z_PK <= 7",
      [
        "error: Order.buyer: the entity number next to the reference differs from that of the referenced row "
          + "(7 rows, Z_PK 1, 2, 3, 4, 5, …) [wrong-destination-number]"
      ]
    ),
    (
      "UPDATE ZORDER SET ZBUYER = NULL, Z4_BUYER = NULL WHERE Z_PK = 2",
      ["warning: Order.buyer: the mandatory value is missing (1 row, Z_PK 2) [missing-value]"]
    ),
    (
      "UPDATE ZORDER SET ZNUMBER = NULL WHERE Z_PK IN (8, 9)",
      ["warning: Order.number: the mandatory value is missing (2 rows, Z_PK 8, 9) [missing-value]"]
    ),
    (
      "UPDATE ZORDER SET ZNUMBER = 'abc' WHERE Z_PK IN (8, 9)",
      ["warning: Order.number: the value is not stored as a whole number (2 rows, Z_PK 8, 9) [storage-class]"]
    ),
    (
      "UPDATE ZTAG SET ZNAME = x'ff00' WHERE Z_PK = 1",
      ["warning: Tag.name: the value is not stored as text (1 row, Z_PK 1) [storage-class]"]
    ),
    (
      "UPDATE ZTAG SET ZNAME = CAST(x'61ff' AS TEXT) WHERE Z_PK = 1",
      ["error: Tag.name: the text is not valid UTF-8 and cannot be read (1 row, Z_PK 1) [storage-class]"]
    ),
    (
      "UPDATE ZORDER SET ZNUMBER = 7.5 WHERE Z_PK = 8",
      ["warning: Order.number: the value is not stored as a whole number (1 row, Z_PK 8) [storage-class]"]
    ),
    (
      "UPDATE ZNOTE SET Z6NOTES = 9999 WHERE Z_PK = 4",
      ["warning: Customer.notes: the referenced row of Customer does not exist (1 row, Z_PK 4) [dangling-reference]"]
    ),
    (
      "UPDATE ZNOTE SET Z6NOTES = (SELECT MIN(Z_PK) FROM ZPARTY WHERE Z_ENT = 5) WHERE Z_PK = 4",
      [
        "error: Customer.notes: the referenced row is not of Customer or one of its subentities "
          + "(1 row, Z_PK 4) [wrong-destination]"
      ]
    ),
    (
      "DELETE FROM Z_3TAGS; INSERT INTO Z_3TAGS (Z_3ORDERS, Z_7TAGS) VALUES (6, 9999), (9998, 1)",
      [
        "error: Order.tags: the referenced row of Order does not exist (1 row, Z_PK 9998) [dangling-reference]",
        "error: Order.tags: the referenced row of Tag does not exist (1 row, Z_PK 6) [dangling-reference]",
      ]
    ),
    (
      """
      UPDATE ZORDER SET ZINVOICE = NULL; UPDATE ZINVOICE SET ZORDER = NULL;
      UPDATE ZORDER SET ZINVOICE = 1 WHERE Z_PK = 1
      """,
      [
        "error: Order.invoice: the destination row of the one-to-one relationship does not refer back "
          + "(1 row, Z_PK 1) [one-sided]"
      ]
    ),
    (
      "UPDATE ZTAG SET Z_ENT = 3 WHERE Z_PK = 1",
      [
        "warning: Tag: the entity number of rows is wrong; Core Data does not read it in a table of one entity "
          + "(1 row, Z_PK 1) [unknown-entity]"
      ]
    ),
    (
      "UPDATE ZORDER SET Z4_BUYER = 4 WHERE ZBUYER = 1; UPDATE ZPARTY SET Z_ENT = 4 WHERE Z_PK = 1; "
        + "UPDATE ZNOTE SET Z6NOTES = NULL",
      ["error: Party: rows belong to an abstract entity (1 row, Z_PK 1) [abstract-entity]"]
    ),
    (
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 99 WHERE Z_NAME = 'Order'",
      ["error: Order: Z_MAX is 99, but rows up to Z_PK 100 exist (1 row, Z_PK 100) [primary-key-maximum]"]
    ),
    (
      "DROP INDEX Z_Tag_UNIQUE_name; UPDATE ZTAG SET ZNAME = 'same' WHERE Z_PK IN (10, 20, 30)",
      [
        "error: unique index Z_Tag_UNIQUE_name on ZTAG (ZNAME) is missing [schema]",
        "error: Tag.name: rows share values that the uniqueness constraint requires to be unique "
          + "(3 rows, Z_PK 10, 20, 30) [duplicate]",
      ]
    ),
    ("DROP INDEX ZORDER_ZBUYER_INDEX", ["warning: index ZORDER_ZBUYER_INDEX on ZORDER (ZBUYER) is missing [schema]"]),
    (
      "ALTER TABLE ZNOTE DROP COLUMN ZTEXT",
      ["error: column ZNOTE.ZTEXT (VARCHAR) is missing [schema]"]
    ),
    (
      """
      UPDATE ZORDER SET ZSCAN = NULL;
      UPDATE ZORDER SET ZSCAN = CAST(x'02' || '0E5F4A64-6C1D-4B3E-8B64-6F0E9A3F2C11' || x'00' AS BLOB) WHERE Z_PK = 12
      """,
      [
        "error: Order.scan: the file of external binary data is missing from FOLDER/.Ledger_SUPPORT/_EXTERNAL_DATA "
          + "(1 row, Z_PK 12) [missing-file]"
      ]
    ),
    (
      """
      UPDATE ZORDER SET ZSCAN = NULL WHERE Z_PK > 1;
      UPDATE ZORDER SET ZSCAN = (SELECT ZSCAN FROM ZORDER WHERE Z_PK = 1) WHERE Z_PK = 12
      """,
      [
        "error: Order.scan: another value uses the same file of external binary data "
          + "(2 rows, Z_PK 1, 12) [shared-file]"
      ]
    ),
    (
      "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER); INSERT INTO ACHANGE VALUES (1, 3), (2, 77)",
      [
        "warning: persistent history refers to entity numbers that are not in Z_PRIMARYKEY "
          + "(1 row, Z_PK 2) [history-entity]"
      ]
    ),
    (
      "INSERT INTO Z_MODELCACHE VALUES (x'0102')",
      [
        "warning: the cached model cannot be read: the cached model is not DEFLATE data [cached-model]"
      ]
    ),
  ]

  @Test("Damage by one statement is found, with its rows", arguments: breakages)
  func broken(sql: String, problems: [String]) throws {
    let store = try LedgerStore()
    try store.execute(sql)
    let expected = problems.map {
      $0.replacingOccurrences(of: "FOLDER", with: URL(fileURLWithPath: store.path).deletingLastPathComponent().path)
    }
    #expect(try store.problems() == expected)
  }

  @Test("A text is UTF-8 where Swift takes it for that")
  func encodings() throws {
    let pieces: [[UInt8]] = [
      [0x00], [0x7F], [0x80], [0xBF], [0xC2], [0xC1, 0xBF], [0xC2, 0x80], [0xDF, 0xBF], [0xC2, 0x41],
      [0xE2, 0x82], [0xE0, 0x9F, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xEF, 0xBF, 0xBD],
      [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xF0, 0x9F, 0x98], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80],
      [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x28, 0x98], [0xF5, 0x80, 0x80, 0x80], [0xFE],
      [0xFF],
    ]
    let texts = [0, 7, 9].flatMap { count in pieces.map { [UInt8](repeating: 0x61, count: count) + $0 } }
    let broken = texts.indices.filter { String(validating: texts[$0], as: UTF8.self) == nil }.map { Int64($0 + 1) }
    let store = try LedgerStore()
    let statements = texts.enumerated().map { position, bytes in
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return "UPDATE ZNOTE SET ZTEXT = CAST(x'\(digits)' AS TEXT) WHERE Z_PK = \(position + 1)"
    }
    try store.execute(statements.joined(separator: ";"))
    let reader = try StoreReader(path: store.path)
    let findings = try reader.verify(against: store.hierarchy)
    reader.close()
    #expect(findings.map(\.count) == [broken.count] && findings.map(\.kind) == [.storageClass])
    #expect(findings.map(\.primaryKeys) == [Array(broken.prefix(5))])
    let keys = broken.map { "\($0)" }.joined(separator: ", ")
    try store.execute("UPDATE ZNOTE SET ZTEXT = NULL WHERE Z_PK IN (\(keys))")
    #expect(try store.problems() == [])
  }

  @Test("Decimal NaN is a text in Core Data's stores, and no other text is a number")
  func decimalNaN() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Accounts.sqlite")
    let model = ManagedObjectModel { Entity("Account") { Attribute("balance", .decimal).optional() } }
    let hierarchy = try EntityHierarchy(model)
    try StoreCreator(of: hierarchy).create(at: path, filling: SyntheticRows(seed: 7, rowsPerEntity: 3))
    let writer = try StoreWriter(path: path)
    try writer.transaction {
      try $0.execute(sql: "UPDATE ZACCOUNT SET ZBALANCE = CASE Z_PK WHEN 1 THEN 'NaN' WHEN 2 THEN 'none' ELSE 3 END")
    }
    try writer.finish()
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    #expect(
      try reader.verify(against: hierarchy).map(\.description)
        == ["warning: Account.balance: the value is not stored as a number (1 row, Z_PK 2) [storage-class]"])
  }

  @Test("Metadata of another model, with a digest that fits nothing")
  func metadata() throws {
    let store = try LedgerStore()
    let metadata = try StoreReader(path: store.path).metadata()
    var entries = metadata.entries
    entries["NSStoreModelVersionHashesDigest"] = .string("wrong")
    if case .dictionary(var hashes)? = entries["NSStoreModelVersionHashes"] {
      hashes["Tag"] = hashes["Order"]
      hashes["Note"] = nil
      hashes["Memo"] = hashes["Order"]
      entries["NSStoreModelVersionHashes"] = .dictionary(hashes)
    }
    let writer = try StoreWriter(path: store.path)
    let bytes = PropertyList.dictionary(entries).binary
    try writer.transaction { try $0.execute(sql: "UPDATE Z_METADATA SET Z_PLIST = ?", arguments: [bytes]) }
    try writer.finish()
    #expect(
      try store.problems() == [
        "error: Memo: the metadata has a version hash for this entity, but the model has no such entity [version-hashes]",
        "error: Note: the metadata has no version hash for this entity [version-hashes]",
        "error: Tag: the version hash in the metadata differs from the model's [version-hashes]",
        "warning: the digest in the metadata does not match its version hashes [digest]",
        "warning: the checksum in the metadata does not match its version hashes [digest]",
      ])
  }

  @Test("SQLite finds a damaged page, and no other check runs after that")
  func damage() throws {
    let store = try LedgerStore()
    let page = try StoreReader(path: store.path).read { database in
      try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'ZORDER'")
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let start = (try #require(page) - 1) * 4096
    bytes.replaceSubrange((start + 8)..<(start + 200), with: Data(repeating: 0xEE, count: 192))
    try bytes.write(to: URL(fileURLWithPath: store.path))
    let problems = try StoreReader(path: store.path).verify(against: store.hierarchy)
    #expect(!problems.isEmpty)
    #expect(problems.allSatisfy { $0.kind == .damage && $0.severity == .error })
  }
}
