import MappingModels
import ModelDescription
import StoreMigration
import TestSupport
import Testing

@Suite("Data that an intermediate version cannot hold")
struct OnTheWayTests {
  private static let customers = RelationshipDescription.toMany("customer", "Customer", inverse: "orders")
  private static let orders = RelationshipDescription.toMany("orders", "Order", inverse: "customer")

  private static func model(
    _ order: [RelationshipDescription], _ customer: [RelationshipDescription], _ more: AttributeDescription...
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [.entity("Customer", [], customer), .entity("Order", more, order)])
  }

  /// Many-to-many at both ends, and this in between.
  private static func store(_ between: ManagedObjectModel, _ last: ManagedObjectModel) throws -> VersionedStore {
    let store = try VersionedStore([model([customers], [orders]), between, last])
    try store.execute(
      """
      INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1);
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1), (3, 2, 1);
      INSERT INTO Z_1ORDERS (Z_1CUSTOMER, Z_2ORDERS) VALUES (3, 1), (2, 1), (2, 2), (1, 3);
      """)
    try store.settlePrimaryKeys()
    return store
  }

  private func expectFirstKept(in store: VersionedStore, of relationship: String, keys: String) throws {
    let refusal = "\(relationship) 134110 1 [\(keys)] --keep-first \(relationship)"
    #expect(try store.refusals().contains(refusal))
    let options = MigrationOptions(keepsFirst: [relationship])
    let stepped = try store.copy()
    _ = try stepped.migrator(to: 1, options).migrate()
    _ = try stepped.migrator(to: 2, options).migrate()
    let expected = try stepped.content(at: 2).graph
    for strategy in MigrationStrategy.allCases {
      let direct = try store.copy()
      _ = try direct.migrator(to: 2, MigrationOptions(strategy: strategy, keepsFirst: [relationship])).migrate()
      let found = try direct.content(at: 2).graph
      #expect(found == expected)
      #expect(found.links["Customer.orders"]?.count == 3)
      #expect(try direct.problems(at: 2) == [])
    }
  }

  @Test("several objects, where a version on the way holds one")
  func heldOne() throws {
    let one = RelationshipDescription.toOne("customer", "Customer", inverse: "orders")
    let store = try Self.store(
      Self.model([one], [Self.orders]), Self.model([Self.customers], [Self.orders], .optional("more")))
    try expectFirstKept(in: store, of: "Order.customer", keys: "1")
  }

  @Test("several objects without inverse, where a version on the way holds one")
  func heldOneWithoutInverse() throws {
    let several = RelationshipDescription.toMany("orders", "Order", inverse: nil)
    let store = try VersionedStore([
      Self.model([], [several]), Self.model([], [.toOne("orders", "Order", inverse: nil)]),
      Self.model([], [several], .optional("more")),
    ])
    try store.execute(
      """
      INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1);
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, Z1ORDERS) VALUES (1, 2, 1, 1), (2, 2, 1, 1), (3, 2, 1, 2), (4, 2, 1, 3);
      """)
    try store.settlePrimaryKeys()
    try expectFirstKept(in: store, of: "Customer.orders", keys: "1")
  }

  @Test("several owners, where a version on the way has a to-many without inverse")
  func oneOwner() throws {
    let alone = RelationshipDescription.toMany("orders", "Order", inverse: nil)
    let again = RelationshipDescription.toMany("orders", "Order", inverse: "buyers")
    let buyers = RelationshipDescription.toMany("buyers", "Customer", inverse: "orders")
    let store = try Self.store(Self.model([], [alone]), Self.model([buyers], [again]))
    try expectFirstKept(in: store, of: "Customer.orders", keys: "1")
  }
}
