import ModelDescription
import PersistentStores
import StoreMigration
import Testing

@Suite("Links to rows that are removed as duplicates")
struct DeduplicationTests {
  private static let unique = [["note"]]

  /// The blockers under a policy, as `element count [keys]: reason`.
  private func blocked(_ store: VersionedStore, _ policies: [String: MigrationOptions.DuplicatePolicy]) throws
    -> [String]
  {
    try store.blocked(MigrationOptions(duplicatePolicies: policies)).blockers.map { blocker in
      let keys = blocker.firstKeys.map(String.init).joined(separator: ",")
      return "\(blocker.blocker.element) \(blocker.count) [\(keys)]: \(blocker.blocker.reason)"
    }
  }

  private func oneToOne(required: Bool) throws -> VersionedStore {
    func model(_ constraints: [[String]]) -> [EntityDescription] {
      [
        .entity(
          "Card", [], [.toOne("order", "Order", inverse: "card", optional: !required)]),
        .entity("Order", [.optional("note")], [.toOne("card", "Card", inverse: "order")], unique: constraints),
      ]
    }
    return try VersionedStore(
      model([]), model(Self.unique),
      """
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE, ZCARD) VALUES (1, 2, 1, 'a', 1), (2, 2, 1, 'a', 2), (3, 2, 1, 'a', 3);
      INSERT INTO ZCARD (Z_PK, Z_ENT, Z_OPT, ZORDER) VALUES (1, 1, 1, 1), (2, 1, 1, 2), (3, 1, 1, 3);
      """)
  }

  @Test(
    "rows whose required partner is removed block the migration",
    arguments: [(MigrationOptions.DuplicatePolicy.keepOldest, "2,3"), (.keepNewest, "1,2")])
  func requiredPartner(policy: MigrationOptions.DuplicatePolicy, keys: String) throws {
    let store = try oneToOne(required: true)
    #expect(
      try blocked(store, ["Order": policy]) == [
        "Card.order 2 [\(keys)]: a required relationship would lose its object"
      ])
  }

  @Test("a row that is itself removed under the other constraint loses no partner")
  func bothGo() throws {
    func model(_ constraints: [[String]]) -> [EntityDescription] {
      [
        .entity(
          "Card", [.optional("note")], [.toOne("order", "Order", inverse: "card", optional: false)], unique: constraints
        ),
        .entity("Order", [.optional("note")], [.toOne("card", "Card", inverse: "order")], unique: constraints),
      ]
    }
    let store = try VersionedStore(
      model([]), model(Self.unique),
      """
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE, ZCARD) VALUES (1, 2, 1, 'a', 1), (2, 2, 1, 'a', 2);
      INSERT INTO ZCARD (Z_PK, Z_ENT, Z_OPT, ZNOTE, ZORDER) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'a', 2);
      """)
    let policies: [String: MigrationOptions.DuplicatePolicy] = ["Order": .keepOldest, "Card": .keepOldest]
    for after in try store.migrated(allowing: [], MigrationOptions(duplicatePolicies: policies)) {
      #expect(try after.rows("SELECT Z_PK, ZORDER FROM ZCARD") == ["1|1"])
    }
    #expect(
      try blocked(store, ["Order": .keepOldest, "Card": .keepNewest]) == [
        "Card.order 1 [2]: a required relationship would lose its object"
      ])
  }

  @Test("a row that is itself removed does not protect a row that only it links to")
  func linkedAmongThemselves() throws {
    func model(_ constraints: [[String]]) -> [EntityDescription] {
      [
        .entity("Order", [.optional("note")], [.toOne("peer", "Special", inverse: nil)], unique: constraints),
        .entity("Special", under: "Order"),
      ]
    }
    let store = try VersionedStore(
      model([]), model(Self.unique),
      """
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE, ZPEER) VALUES (1, 1, 1, 'a', NULL), (2, 2, 1, 'a', NULL),
      (3, 2, 1, 'a', 2);
      """)
    for after in try store.migrated(allowing: [], MigrationOptions(duplicatePolicies: ["Order": .keepOldest])) {
      #expect(try after.rows("SELECT Z_PK, ZPEER FROM ZORDER") == ["1|-"])
    }
  }

  @Test("links to a removed partner are emptied, and counted in a note")
  func optionalPartner() throws {
    let store = try oneToOne(required: false)
    let options = MigrationOptions(duplicatePolicies: ["Order": .keepOldest])
    for after in try store.migrated(allowing: [], options) {
      #expect(try after.rows("SELECT Z_PK, ZORDER FROM ZCARD ORDER BY 1") == ["1|1", "2|-", "3|-"])
    }
    #expect(
      try store.migrator(to: 1, options).migrate().notes.map(\.description) == [
        "2 links are lost: links of Card.order to duplicate rows of Order are lost, because a one-to-one link does not "
          + "move to the row that is kept; the choice to remove duplicates allows this loss"
      ])
  }

  private func subentity(_ relationships: [RelationshipDescription], _ statements: String) throws -> VersionedStore {
    func model(_ constraints: [[String]]) -> [EntityDescription] {
      [
        .entity("Order", [.optional("note")], unique: constraints),
        .entity("Special", under: "Order", [], relationships.filter { $0.destinationEntityName == "Tag" }),
        .entity("Tag", [], relationships.filter { $0.destinationEntityName == "Special" }),
      ]
    }
    return try VersionedStore(
      model([]), model(Self.unique),
      """
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE) VALUES (1, 1, 1, 'a'), (2, 2, 1, 'a'), (3, 2, 1, 'b'), (4, 1, 1, 'b'),
      (5, 2, 1, 'c'), (6, 1, 1, 'c');
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 3, 1);
      """ + statements)
  }

  /// Links that only rows of the sub-entity have, and what is then said of those whose survivor is none.
  static let ofSubentity: [(relationships: [RelationshipDescription], statements: String, reason: String)] = [
    (
      [.toOne("special", "Special", inverse: nil)], "UPDATE ZTAG SET ZSPECIAL = Z_PK + 1",
      "links of Tag.special would have to move to rows that do not belong to Special"
    ),
    (
      [.toMany("tags", "Tag", inverse: nil)], "UPDATE ZTAG SET Z2TAGS = Z_PK + 1",
      "links of Special.tags would have to move to rows that do not belong to Special"
    ),
    (
      [.toMany("tags", "Tag", inverse: "specials"), .toMany("specials", "Special", inverse: "tags")],
      "INSERT INTO Z_2TAGS (Z_2SPECIALS, Z_3TAGS) VALUES (2, 1), (3, 1), (3, 2)",
      "links of Special.tags would have to move to rows that do not belong to Special"
    ),
  ]

  @Test("links do not move to a row of an entity that they cannot lead to", arguments: ofSubentity)
  func subentity(
    _ links: (relationships: [RelationshipDescription], statements: String, reason: String)
  ) throws {
    let store = try subentity(links.relationships, links.statements)
    #expect(try blocked(store, ["Order": .keepOldest]) == ["Order 1 [2]: \(links.reason)"])
    #expect(try blocked(store, ["Order": .keepNewest]) == ["Order 1 [3]: \(links.reason)"])
    try store.execute("UPDATE ZORDER SET ZNOTE = Z_PK WHERE Z_PK < 3")
    for after in try store.migrated(allowing: [], MigrationOptions(duplicatePolicies: ["Order": .keepOldest])) {
      #expect(try after.rows("SELECT Z_PK FROM ZORDER ORDER BY 1") == ["1", "2", "3", "5"])
    }
  }

  private func ordered(_ inverse: [RelationshipDescription], to: RelationshipDescription, _ statements: String) throws
    -> VersionedStore
  {
    func model(_ constraints: [[String]]) -> [EntityDescription] {
      [.entity("Line", [], inverse), .entity("Order", [.optional("note")], [to], unique: constraints)]
    }
    return try VersionedStore(
      model([]), model(Self.unique),
      """
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE) VALUES (1, 2, 1, 'a'), (2, 2, 1, 'a'), (3, 2, 1, 'a'), (4, 2, 1, 'b');
      INSERT INTO ZLINE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1), (5, 1, 1);
      """ + statements)
  }

  @Test("links that move to an ordered list follow its own links, in their order")
  func orderedList() throws {
    let store = try ordered(
      [.toOne("order", "Order", inverse: "lines")], to: .toMany("lines", "Line", inverse: "order", ordered: true),
      """
      UPDATE ZLINE SET ZORDER = 1, Z_FOK_ORDER = 1024 WHERE Z_PK = 5;
      UPDATE ZLINE SET ZORDER = 2, Z_FOK_ORDER = 3072 - Z_PK * 1024 WHERE Z_PK < 3;
      UPDATE ZLINE SET ZORDER = 3, Z_FOK_ORDER = 1024 WHERE Z_PK = 3;
      UPDATE ZLINE SET ZORDER = 4, Z_FOK_ORDER = 512 WHERE Z_PK = 4;
      """)
    for after in try store.migrated(allowing: [], MigrationOptions(duplicatePolicies: ["Order": .keepOldest])) {
      #expect(
        try after.rows("SELECT Z_PK, ZORDER, Z_FOK_ORDER FROM ZLINE ORDER BY ZORDER, Z_FOK_ORDER")
          == ["5|1|1024", "2|1|2048", "1|1|3072", "3|1|4096", "4|4|512"])
    }
    for after in try store.migrated(allowing: [], MigrationOptions(duplicatePolicies: ["Order": .keepNewest])) {
      #expect(
        try after.rows("SELECT Z_PK, Z_FOK_ORDER FROM ZLINE WHERE ZORDER = 3 ORDER BY Z_FOK_ORDER")
          == ["3|1024", "5|2048", "2|3072", "1|4096"])
    }
  }

  @Test("so it is with a list without inverse")
  func orderedOwner() throws {
    let store = try ordered(
      [], to: .toMany("lines", "Line", inverse: nil, ordered: true),
      "UPDATE ZLINE SET Z2LINES = MIN(Z_PK, 3), Z_FOK_2LINES = 1024 * MAX(Z_PK - 2, 1)")
    for after in try store.migrated(allowing: [], MigrationOptions(duplicatePolicies: ["Order": .keepOldest])) {
      #expect(
        try after.rows("SELECT Z_PK, Z2LINES, Z_FOK_2LINES FROM ZLINE ORDER BY 3")
          == ["1|1|1024", "2|1|2048", "3|1|3072", "4|1|4096", "5|1|5120"])
    }
  }

  @Test("a link in a join table is kept once, at its position in the list of the kept row")
  func orderedJoin() throws {
    let store = try ordered(
      [.toMany("orders", "Order", inverse: "lines")], to: .toMany("lines", "Line", inverse: "orders", ordered: true),
      """
      INSERT INTO Z_1ORDERS (Z_1LINES, Z_2ORDERS, Z_FOK_1LINES) VALUES (1, 1, 1024), (1, 2, 2048), (2, 2, 1024), (3, 3, 1024),
      (4, 4, 1024)
      """)
    for after in try store.migrated(allowing: [], MigrationOptions(duplicatePolicies: ["Order": .keepOldest])) {
      #expect(
        try after.rows("SELECT Z_2ORDERS, Z_1LINES, Z_FOK_1LINES FROM Z_1ORDERS ORDER BY 1, 3")
          == ["1|1|1024", "1|2|2048", "1|3|4096", "4|4|1024"])
    }
  }
}
