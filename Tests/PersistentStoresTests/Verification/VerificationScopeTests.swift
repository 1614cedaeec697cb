import GRDB
import PersistentStores
import TestSupport
import Testing

@Suite("Unchanged data is not checked again")
struct VerificationScopeTests {
  /// A damaged store, the part that counts as new, and the findings.
  static let cases: [(sql: String, new: [(String, VerificationScope.Extent)], kinds: [StoreFinding.Kind])] = [
    ("UPDATE ZORDER SET ZBUYER = 9999 WHERE Z_PK = 3", [], []),
    ("UPDATE ZORDER SET ZBUYER = 9999 WHERE Z_PK = 3", [("ZORDER", .columns(["ZNUMBER"]))], []),
    ("UPDATE ZORDER SET ZBUYER = 9999 WHERE Z_PK = 3", [("ZORDER", .columns(["zbuyer"]))], [.danglingReference]),
    ("UPDATE ZORDER SET ZBUYER = 9999 WHERE Z_PK = 3", [("ZORDER", .rows)], [.danglingReference]),
    ("UPDATE ZORDER SET ZBUYER = 9999 WHERE Z_PK = 3", [("ZPARTY", .columns(["ZNAME"]))], []),
    ("UPDATE ZORDER SET ZBUYER = 9999 WHERE Z_PK = 3", [("ZPARTY", .rows)], [.danglingReference]),
    ("UPDATE ZORDER SET Z4_BUYER = 4 WHERE Z_PK = 3", [("ZPARTY", .columns(["Z_ENT"]))], [.wrongDestinationNumber]),
    ("UPDATE ZORDER SET ZNUMBER = NULL", [("ZORDER", .columns(["ZBUYER"]))], []),
    ("UPDATE ZORDER SET ZNUMBER = NULL", [("ZORDER", .columns(["ZNUMBER"]))], [.missingValue]),
    ("UPDATE ZINVOICE SET ZORDER = NULL", [("ZINVOICE", .columns(["ZORDER"]))], [.oneSided]),
    ("UPDATE ZTAG SET Z_ENT = 3", [("ZTAG", .columns(["Z_ENT"]))], [.unknownEntity]),
    (
      "DROP INDEX Z_Tag_UNIQUE_name; UPDATE ZTAG SET ZNAME = 'same'", [("ZTAG", .columns(["ZNAME"]))], [.duplicate]
    ),
    ("DROP INDEX Z_Tag_UNIQUE_name; UPDATE ZTAG SET ZNAME = 'same'", [("ZORDER", .rows)], []),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 99 WHERE Z_NAME = 'Order'", [], [.primaryKeyMaximum]),
  ]

  @Test("Problems are found only in new data", arguments: cases)
  func found(sql: String, new: [(String, VerificationScope.Extent)], kinds: [StoreFinding.Kind]) throws {
    let store = try LedgerStore()
    try store.execute(sql)
    var scope = VerificationScope()
    for (table, extent) in new { scope.add(table, extent) }
    let found = try DatabaseQueue(path: store.path).read { [scope] database in
      try StoreVerifier(hierarchy: store.hierarchy).rowQuestions(
        for: StoreSnapshot(reading: database, counting: false), within: scope
      )
      .flatMap { try $0(database) }.map(\.kind)
    }
    #expect(found == kinds)
  }

  @Test("Without a scope the complete store is checked")
  func everything() throws {
    let store = try LedgerStore()
    try store.execute("UPDATE ZORDER SET ZBUYER = 9999 WHERE Z_PK = 3; UPDATE ZORDER SET ZNUMBER = NULL WHERE Z_PK = 4")
    let found = try DatabaseQueue(path: store.path).read { database in
      try StoreVerifier(hierarchy: store.hierarchy).rowQuestions(
        for: StoreSnapshot(reading: database, counting: false), within: nil
      )
      .flatMap { try $0(database) }.map(\.kind)
    }
    #expect(Set(found) == [.danglingReference, .missingValue])
  }

  @Test("References that a statement has checked are not checked again")
  func excused() throws {
    let store = try LedgerStore()
    try store.execute("UPDATE ZNOTE SET Z6NOTES = NULL; DELETE FROM ZINVOICE; UPDATE ZORDER SET ZINVOICE = NULL")
    var scope = VerificationScope()
    scope.add("ZORDER", .rows)
    scope.excuse("ZBUYER", of: "ZORDER")
    try store.execute("UPDATE ZORDER SET ZBUYER = 9999 WHERE Z_PK = 3")
    let found = try DatabaseQueue(path: store.path).read { [scope] database in
      try StoreVerifier(hierarchy: store.hierarchy).rowQuestions(
        for: StoreSnapshot(reading: database, counting: false), within: scope
      )
      .flatMap { try $0(database) }.map(\.kind)
    }
    // The entity number beside the reference depends on the row that it leads to, which the statement did not look at.
    #expect(found == [.danglingReference])
  }
}
