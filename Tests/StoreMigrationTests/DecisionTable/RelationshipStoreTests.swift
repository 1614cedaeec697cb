import MappingModels
import ModelDescription
import StoreMigration
import TestSupport
import Testing

@Suite("Decision table on stores: relationships (rows 27–38)")
struct RelationshipStoreTests {
  /// Three customers and four orders, linked as the statement says.
  private func store(
    _ former: (order: [RelationshipDescription], customer: [RelationshipDescription]),
    _ latter: (order: [RelationshipDescription], customer: [RelationshipDescription]), _ links: String = ""
  ) throws -> VersionedStore {
    try VersionedStore(
      [.entity("Customer", [], former.customer), .entity("Order", [], former.order)],
      [.entity("Customer", [], latter.customer), .entity("Order", [], latter.order)],
      """
      INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1);
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1), (3, 2, 1), (4, 2, 1);
      """, links)
  }

  private let customer = RelationshipDescription.toOne("customer", "Customer", inverse: "orders")
  private let orders = RelationshipDescription.toMany("orders", "Order", inverse: "customer")
  private let ordered = RelationshipDescription.toMany("orders", "Order", inverse: "customer", ordered: true)
  private let customers = RelationshipDescription.toMany("customer", "Customer", inverse: "orders")
  /// Orders 1, 2 and 4 of customer 1, order 3 of nobody.
  private let threeOfOne = "UPDATE ZORDER SET ZCUSTOMER = 1 WHERE Z_PK <> 3"
  private let held = "SELECT Z_PK, ZCUSTOMER FROM ZORDER ORDER BY 1"

  @Test("row 27: a relationship of any kind is added without links")
  func row27() throws {
    let tags = RelationshipDescription.toMany("tags", "Customer", inverse: "tagged", ordered: true)
    let tagged = RelationshipDescription.toMany("tagged", "Order", inverse: "tags")
    let store = try store(([], []), ([customer, tags], [orders, tagged]))
    for after in try store.migrated() {
      #expect(try after.rows(held) == ["1|-", "2|-", "3|-", "4|-"])
      #expect(try after.rows("SELECT * FROM Z_1TAGGED") == [])
    }
  }

  @Test("row 28: a required to-one is refused for rows without a link")
  func row28() throws {
    let required = RelationshipDescription.toOne("customer", "Customer", inverse: "orders", optional: false)
    let added = try store(([], []), ([required], [orders]))
    #expect(try added.refusals() == ["Order.customer 134110 4 [1,2,3,4] -"])
    #expect(
      try added.blocked().description.contains(
        "Validation error missing attribute values on mandatory destination relationship"))
    let tightened = try store(([customer], [orders]), ([required], [orders]), threeOfOne)
    #expect(try tightened.refusals() == ["Order.customer 134110 1 [3] -"])
    try tightened.execute("UPDATE ZORDER SET ZCUSTOMER = 2 WHERE Z_PK = 3")
    for after in try tightened.migrated() { #expect(try after.rows(held) == ["1|1", "2|1", "3|2", "4|1"]) }
  }

  @Test("row 28: a required to-one is filled from the links of its inverse")
  func row28Inverse() throws {
    let required = RelationshipDescription.toOne("customer", "Customer", inverse: "orders", optional: false)
    let alone = RelationshipDescription.toMany("orders", "Order", inverse: nil)
    let store = try store(([], [alone]), ([required], [orders]), "UPDATE ZORDER SET Z1ORDERS = 1 WHERE Z_PK <> 3")
    #expect(try store.refusals() == ["Order.customer 134110 1 [3] -"])
    try store.execute("UPDATE ZORDER SET Z1ORDERS = 2 WHERE Z_PK = 3")
    for after in try store.migrated() { #expect(try after.rows(held) == ["1|1", "2|1", "3|2", "4|1"]) }
  }

  @Test("row 29: a relationship is removed with consent")
  func row29() throws {
    let store = try store(([customer], [orders]), ([], []), threeOfOne)
    #expect(try store.unconsented() == ["Customer.orders: 3"])
    for after in try store.migrated(allowing: ["Order.customer"]) {
      #expect(try after.rows("SELECT * FROM ZORDER WHERE Z_PK = 1") == ["1|2|1"])
    }
  }

  @Test("row 30: both ends are renamed by their identifiers, to-one and many-to-many, with their order")
  func row30() throws {
    let buyer = RelationshipDescription.toOne("buyer", "Customer", inverse: "bought", was: "customer")
    let bought = RelationshipDescription.toMany("bought", "Order", inverse: "buyer", ordered: true, was: "orders")
    let one = try store(
      ([customer], [ordered]), ([buyer], [bought]), "UPDATE ZORDER SET ZCUSTOMER = 1, Z_FOK_CUSTOMER = 5000 - Z_PK")
    for after in try one.migrated() {
      #expect(
        try after.rows("SELECT ZBUYER, Z_FOK_BUYER FROM ZORDER ORDER BY Z_PK") == (1...4).map { "1|\(5000 - $0)" })
    }
    let buyers = RelationshipDescription.toMany("buyers", "Customer", inverse: "bought", was: "customer")
    let boughtBy = RelationshipDescription.toMany("bought", "Order", inverse: "buyers", ordered: true, was: "orders")
    let many = try store(
      ([customers], [ordered]), ([buyers], [boughtBy]),
      "INSERT INTO Z_1ORDERS (Z_1CUSTOMER, Z_2ORDERS, Z_FOK_2ORDERS) VALUES (1, 4, 1), (1, 2, 2), (2, 2, 1)")
    for after in try many.migrated() {
      #expect(
        try after.rows("SELECT Z_1BUYERS, Z_2BOUGHT, Z_FOK_2BOUGHT FROM Z_1BOUGHT ORDER BY 1, 3")
          == ["1|4|1", "1|2|2", "2|2|1"])
    }
  }

  @Test("row 31: to-one becomes to-many, with a to-many inverse and with a to-one inverse")
  func row31() throws {
    let many = try store(([customer], [orders]), ([customers], [orders]), threeOfOne)
    for after in try many.migrated() {
      #expect(try after.rows("SELECT Z_1CUSTOMER, Z_2ORDERS FROM Z_1ORDERS ORDER BY 2") == ["1|1", "1|2", "1|4"])
    }
    let order = RelationshipDescription.toOne("order", "Order", inverse: "customer")
    let single = RelationshipDescription.toOne("customer", "Customer", inverse: "order")
    let several = RelationshipDescription.toMany("customer", "Customer", inverse: "order")
    let one = try store(
      ([single], [order]), ([several], [order]),
      "UPDATE ZORDER SET ZCUSTOMER = 2 WHERE Z_PK = 3; UPDATE ZCUSTOMER SET ZORDER = 3 WHERE Z_PK = 2")
    for after in try one.migrated() {
      #expect(try after.rows("SELECT Z_PK, ZORDER FROM ZCUSTOMER ORDER BY 1") == ["1|-", "2|3", "3|-"])
    }
  }

  @Test("row 31: to-one to a to-many without inverse: an object is in one set only")
  func row31Owner() throws {
    let single = RelationshipDescription.toOne("customer", "Customer", inverse: nil)
    let several = RelationshipDescription.toMany("customer", "Customer", inverse: nil)
    let store = try store(([single], []), ([several], []), threeOfOne)
    #expect(try store.refusals() == ["Order.customer 134110 1 [1] --keep-first Order.customer"])
    for after in try store.migrated(allowing: [], MigrationOptions(keepsFirst: ["Order.customer"])) {
      #expect(try after.rows("SELECT Z_PK, Z2CUSTOMER FROM ZCUSTOMER ORDER BY 1") == ["1|1", "2|-", "3|-"])
    }
  }

  @Test("row 32: to-many becomes to-one: refused while an object has several, or the first is kept")
  func row32() throws {
    let store = try store(
      ([customers], [ordered]), ([customer], [ordered]),
      """
      INSERT INTO Z_1ORDERS (Z_1CUSTOMER, Z_2ORDERS, Z_FOK_2ORDERS) VALUES (3, 1, 1), (2, 1, 1), (2, 4, 3), (2, 2, 4)
      """)
    #expect(try store.refusals() == ["Order.customer 134110 1 [1] --keep-first Order.customer"])
    for after in try store.migrated(allowing: [], MigrationOptions(keepsFirst: ["Order.customer"])) {
      #expect(
        try after.rows("SELECT Z_PK, ZCUSTOMER, Z_FOK_CUSTOMER FROM ZORDER ORDER BY 1")
          == ["1|2|1", "2|2|4", "3|-|-", "4|2|3"])
    }
  }

  @Test("row 32: one-to-many becomes one-to-one: both sides keep the same first link")
  func row32OneToOne() throws {
    let order = RelationshipDescription.toOne("orders", "Order", inverse: "customer")
    let store = try store(([customer], [orders]), ([customer], [order]), threeOfOne)
    #expect(try store.refusals() == ["Customer.orders 134110 1 [1] --keep-first Customer.orders"])
    for after in try store.migrated(allowing: [], MigrationOptions(keepsFirst: ["Customer.orders"])) {
      #expect(try after.rows(held) == ["1|1", "2|-", "3|-", "4|-"])
      #expect(try after.rows("SELECT Z_PK, ZORDERS FROM ZCUSTOMER ORDER BY 1") == ["1|1", "2|-", "3|-"])
    }
  }

  @Test("row 32: many-to-many becomes one-to-one: both sides agree")
  func row32BothSides() throws {
    let order = RelationshipDescription.toOne("orders", "Order", inverse: "customer")
    let store = try store(
      ([customers], [orders]), ([customer], [order]),
      "INSERT INTO Z_1ORDERS (Z_1CUSTOMER, Z_2ORDERS) VALUES (1, 1), (1, 2), (2, 1), (2, 2), (3, 2)")
    #expect(try store.refusals().count == 2)
    let options = MigrationOptions(keepsFirst: ["Order.customer", "Customer.orders"])
    for after in try store.migrated(allowing: [], options) {
      #expect(
        try after.rows("SELECT o.Z_PK, c.Z_PK FROM ZORDER o JOIN ZCUSTOMER c ON o.ZCUSTOMER = c.Z_PK ORDER BY 1") == [
          "1|1", "2|3",
        ])
      #expect(
        try after.rows("SELECT o.Z_PK, c.Z_PK FROM ZORDER o JOIN ZCUSTOMER c ON c.ZORDERS = o.Z_PK ORDER BY 1") == [
          "1|1", "2|3",
        ])
    }
  }

  @Test("row 33: unordered becomes ordered by primary key: one-to-many, many-to-many and without inverse")
  func row33() throws {
    let one = try store(([customer], [orders]), ([customer], [ordered]), threeOfOne)
    for after in try one.migrated() {
      #expect(
        try after.rows("SELECT Z_PK, ZCUSTOMER, Z_FOK_CUSTOMER FROM ZORDER ORDER BY 1")
          == ["1|1|2048", "2|1|3072", "3|-|-", "4|1|4096"])
    }
    let many = try store(
      ([customers], [orders]), ([customers], [ordered]),
      "INSERT INTO Z_1ORDERS (Z_1CUSTOMER, Z_2ORDERS) VALUES (1, 4), (1, 2), (2, 2)")
    for after in try many.migrated() {
      #expect(
        try after.rows("SELECT Z_1CUSTOMER, Z_2ORDERS, Z_FOK_2ORDERS FROM Z_1ORDERS ORDER BY 1, 2")
          == ["1|2|2048", "1|4|3072", "2|2|2048"])
    }
    let alone = RelationshipDescription.toMany("orders", "Order", inverse: nil)
    let aloneOrdered = RelationshipDescription.toMany("orders", "Order", inverse: nil, ordered: true)
    let owner = try store(([], [alone]), ([], [aloneOrdered]), "UPDATE ZORDER SET Z1ORDERS = 1 WHERE Z_PK <> 3")
    for after in try owner.migrated() {
      let content = try after.content(at: 1).graph
      #expect(content.links["Customer.orders"]?.count == 3)
      #expect(try after.rows("SELECT * FROM ZORDER ORDER BY 1").first == "1|2|1|1|2048")
    }
  }

  @Test("row 34: ordered becomes unordered with consent, and the order column is removed")
  func row34() throws {
    let one = try store(
      ([customer], [ordered]), ([customer], [orders]), "UPDATE ZORDER SET ZCUSTOMER = 1, Z_FOK_CUSTOMER = 9 - Z_PK")
    #expect(try one.unconsented() == ["Customer.orders: 1"])
    for after in try one.migrated(allowing: ["Customer.orders"]) {
      #expect(try after.rows(held) == ["1|1", "2|1", "3|1", "4|1"])
    }
    let many = try store(
      ([customers], [ordered]), ([customers], [orders]),
      "INSERT INTO Z_1ORDERS (Z_1CUSTOMER, Z_2ORDERS, Z_FOK_2ORDERS) VALUES (1, 4, 1), (1, 2, 2)")
    #expect(try many.unconsented() == ["Customer.orders: 1"])
    for after in try many.migrated(allowing: ["Customer.orders"]) {
      #expect(try after.rows("SELECT * FROM Z_1ORDERS ORDER BY 2") == ["1|2", "1|4"])
    }
  }

  @Test("row 35: the counts of a to-many are not enforced")
  func row35() throws {
    var counted = orders
    counted.minCount = 2
    counted.maxCount = 2
    let store = try store(([customer], [orders]), ([customer], [counted]), threeOfOne)
    for after in try store.migrated() { #expect(try after.rows(held) == ["1|1", "2|1", "3|-", "4|1"]) }
  }

  @Test("row 36: the destination becomes another entity: links are kept if it continues the old entity")
  func row36() throws {
    func versions(_ holder: String) -> [EntityDescription] {
      [
        .entity("Box"), .entity("Crate", under: "Box"), .entity("Bag"),
        .entity("Item", [], [.toOne("holder", holder, inverse: nil)]),
      ]
    }
    let widened = try VersionedStore(
      versions("Crate"), versions("Box"),
      """
      INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 3, 1);
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZHOLDER) VALUES (1, 4, 1, 2), (2, 4, 1, NULL);
      """)
    for after in try widened.migrated() {
      #expect(try after.rows("SELECT ZHOLDER, Z2_HOLDER FROM ZITEM ORDER BY Z_PK") == ["2|3", "-|-"])
    }
    let rows = """
      INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 3, 1);
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZHOLDER, Z2_HOLDER) VALUES (1, 4, 1, 2, 3), (2, 4, 1, 1, 2);
      """
    let narrowed = try VersionedStore(versions("Box"), versions("Crate"), rows)
    #expect(try narrowed.unconsented() == ["Item.holder: 1"])
    for after in try narrowed.migrated(allowing: ["Item.holder"]) {
      #expect(try after.rows("SELECT ZHOLDER FROM ZITEM ORDER BY Z_PK") == ["2", "-"])
    }
    let elsewhere = try VersionedStore(versions("Box"), versions("Bag"), rows)
    #expect(try elsewhere.unconsented() == ["Item.holder: 2"])
    for after in try elsewhere.migrated(allowing: ["Item.holder"]) {
      #expect(try after.rows("SELECT ZHOLDER FROM ZITEM ORDER BY Z_PK") == ["-", "-"])
    }
  }

  @Test("row 37: the inverse is added or removed: links are kept, unless an object would need two owners")
  func row37() throws {
    let alone = RelationshipDescription.toOne("customer", "Customer", inverse: nil)
    let added = try store(([alone], []), ([customer], [orders]), threeOfOne)
    for after in try added.migrated() { #expect(try after.rows(held) == ["1|1", "2|1", "3|-", "4|1"]) }
    let removed = try store(([customer], [orders]), ([alone], []), threeOfOne)
    for after in try removed.migrated() { #expect(try after.rows(held) == ["1|1", "2|1", "3|-", "4|1"]) }
    let manyAlone = RelationshipDescription.toMany("orders", "Order", inverse: nil)
    let links = "INSERT INTO Z_1ORDERS (Z_1CUSTOMER, Z_2ORDERS) VALUES (1, 4), (1, 2), (2, 2)"
    let narrowed = try store(([customers], [orders]), ([], [manyAlone]), links)
    #expect(try narrowed.refusals() == ["Customer.orders 134110 1 [2] --keep-first Customer.orders"])
    for after in try narrowed.migrated(allowing: [], MigrationOptions(keepsFirst: ["Customer.orders"])) {
      #expect(try after.rows("SELECT Z_PK, Z1ORDERS FROM ZORDER ORDER BY 1") == ["1|-", "2|1", "3|-", "4|1"])
    }
    let widened = try store(
      ([], [manyAlone]), ([customers], [orders]), "UPDATE ZORDER SET Z1ORDERS = 2 WHERE Z_PK > 2")
    for after in try widened.migrated() {
      #expect(try after.rows("SELECT Z_1CUSTOMER, Z_2ORDERS FROM Z_1ORDERS ORDER BY 2") == ["2|3", "2|4"])
    }
  }

  @Test("row 38: an attribute and a relationship of one name: one is removed with consent, the other is added empty")
  func row38() throws {
    let attribute: [EntityDescription] = [.entity("Customer"), .entity("Order", [.optional("customer", .integer32)])]
    let relationship: [EntityDescription] = [
      .entity("Customer"), .entity("Order", [], [.toOne("customer", "Customer", inverse: nil)]),
    ]
    let rows = """
      INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZCUSTOMER) VALUES (1, 2, 1, 1);
      """
    for (former, latter) in [(attribute, relationship), (relationship, attribute)] {
      let store = try VersionedStore(former, latter, rows)
      #expect(try store.unconsented() == ["Order.customer: 1"])
      for after in try store.migrated(allowing: ["Order.customer"]) { #expect(try after.rows(held) == ["1|-"]) }
    }
  }

  @Test(
    "row 37: a relationship that becomes its own inverse has every link in both directions, whichever named the table",
    arguments: ["follows", "followers"])
  func row37Reflexive(name: String) throws {
    let store = try VersionedStore(
      [
        .entity(
          "User", [],
          [.toMany("follows", "User", inverse: "followers"), .toMany("followers", "User", inverse: "follows")])
      ], [.entity("User", [], [.toMany(name, "User", inverse: name)])],
      "INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1)")
    let table = try #require(
      try store.rows("SELECT name FROM sqlite_master WHERE name LIKE 'Z_1%' AND type = 'table'").first)
    try store.execute("INSERT INTO \(table) (Z_1FOLLOWERS, Z_1FOLLOWS) VALUES (1, 2), (3, 1)")
    for after in try store.migrated(allowing: [name == "follows" ? "User.followers" : "User.follows"]) {
      let column = "Z_1\(name.uppercased())"
      #expect(
        try after.rows("SELECT \(column), REFLEXIVE FROM \(column) ORDER BY 1, 2") == ["1|2", "1|3", "2|1", "3|1"])
    }
  }

  @Test("row 40: links of an entity that leaves the hierarchy are not copied into a join table")
  func row40Links() throws {
    let place = EntityDescription.entity("Place", [], [.toMany("animals", "Animal", inverse: "home")])
    let store = try VersionedStore(
      [
        .entity("Animal", [], [.toOne("home", "Place", inverse: "animals")]), .entity("Cat", under: "Animal"), place,
      ], [.entity("Animal", [], [.toMany("home", "Place", inverse: "animals")]), .entity("Cat"), place],
      """
      INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1);
      INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZHOME) VALUES (1, 1, 1, 1), (2, 2, 1, 1);
      """)
    for after in try store.migrated(allowing: ["Cat.home", "Place.animals"]) {
      #expect(try after.content(at: 1).graph.links["Place.animals"]?.map(\.far) == [1])
    }
  }

  @Test("a many-to-many of one entity with itself keeps its links, ordered, renamed and as its own inverse")
  func selfReferencing() throws {
    func user(_ parents: RelationshipDescription, _ children: RelationshipDescription) -> [EntityDescription] {
      [.entity("Ally"), .entity("User", [], [parents, children])]
    }
    let parents = RelationshipDescription.toMany("parents", "User", inverse: "children")
    let children = RelationshipDescription.toMany("children", "User", inverse: "parents")
    let store = try VersionedStore(
      [
        ManagedObjectModel(entities: user(parents, children)),
        ManagedObjectModel(entities: [
          .entity(
            "User", [],
            [
              .toMany("elders", "User", inverse: "children", was: "parents"),
              .toMany("children", "User", inverse: "elders", ordered: true),
            ])
        ]),
      ], rows: 9)
    let before = try store.content(at: 0).graph
    for after in try store.migrated(allowing: ["Ally"]) {
      let graph = try after.content(at: 1).graph
      #expect(graph.links["User.elders"] == before.links["User.parents"])
      #expect(graph.orders["User.children"]?.values.allSatisfy { $0 == $0.sorted() } == true)
    }
    let friends = RelationshipDescription.toMany("friends", "User", inverse: "friends")
    let reflexive = try VersionedStore(
      [
        ManagedObjectModel(entities: [.entity("User", [], [friends])]),
        ManagedObjectModel(entities: [.entity("Ally"), .entity("User", [], [friends])]),
      ], rows: 9)
    let links = try reflexive.content(at: 0).graph.links
    for after in try reflexive.migrated() { #expect(try after.content(at: 1).graph.links == links) }
  }
}
