import MappingModels
import ModelComparison
import ModelDescription
import Testing

@Suite("Decision table: relationships (rows 27–38)")
struct RelationshipRowsTests {
  private func entities(
    _ orders: [RelationshipDescription],
    _ customers: [RelationshipDescription]
  ) -> [EntityDescription] {
    [
      EntityDescription(name: "Customer", relationships: customers),
      EntityDescription(name: "Order", relationships: orders),
    ]
  }

  private let customer = RelationshipDescription.toOne("customer", "Customer", inverse: "orders")
  private let orders = RelationshipDescription.toMany("orders", "Order", inverse: "customer")

  private func expectNewHashes(_ pair: ModelPair, _ names: [String]) throws {
    #expect(try pair.entitiesWithNewHash() == names)
    #expect(pair.difference.entitiesWithNewHash == names)
  }

  @Test("row 27: an optional relationship is added: both ends have a new hash and no links")
  func row27() throws {
    let pair = try ModelPair(entities([], []), entities([customer], [orders]))
    try expectNewHashes(pair, ["Customer", "Order"])
    #expect(pair.inferability(of: "Order.customer") == ["inferable"])
    #expect(try pair.relationship("customer", of: "Order") == RelationshipMapping(source: nil))
    #expect(try pair.requirements() == [])
  }

  @Test("row 28: a required to-one is added: refused for existing rows")
  func row28() throws {
    let required = RelationshipDescription.toOne("customer", "Customer", inverse: "orders", optional: false)
    let pair = try ModelPair(entities([], []), entities([required], [orders]))
    #expect(pair.inferability(of: "Order.customer") == ["the entity has no rows"])
    let requirement = try #require(try pair.requirements().first)
    #expect(requirement == .mandatoryRelationship(entity: "Order", relationship: "customer"))
    #expect(requirement.code.rawValue == 134110)
    #expect(requirement.reason == "Validation error missing attribute values on mandatory destination relationship")
    let tightened = try ModelPair(entities([customer], [orders]), entities([required], [orders]))
    #expect(try tightened.requirements() == [.mandatoryRelationship(entity: "Order", relationship: "customer")])
    #expect(try ModelPair(entities([required], [orders]), entities([required], [orders])).requirements() == [])
  }

  @Test("row 29: a relationship is removed: one loss, named by either end")
  func row29() throws {
    let pair = try ModelPair(entities([customer], [orders]), entities([], []))
    try expectNewHashes(pair, ["Customer", "Order"])
    let losses = try pair.mapping().losses(source: pair.source, destination: pair.destination)
    #expect(losses.map(\.element) == ["Customer.orders"])
    #expect(losses.map(\.otherElement) == ["Order.customer"])
    #expect(losses.map(\.kind) == [.relationshipRemoved])
  }

  @Test("row 30: a relationship is renamed by its identifier: the other end has a new hash too")
  func row30() throws {
    var renamed = customer
    renamed.name = "buyer"
    renamed.renamingIdentifier = "customer"
    var inverse = orders
    inverse.inverseName = "buyer"
    let pair = try ModelPair(entities([customer], [orders]), entities([renamed], [inverse]))
    try expectNewHashes(pair, ["Customer", "Order"])
    #expect(try pair.relationship("buyer", of: "Order") == RelationshipMapping(source: "customer"))
    #expect(
      pair.difference.changes(ofEntity: "Customer").map(\.kind) == [
        .followsRename(.inverse, from: "customer", to: "buyer")
      ]
    )
    #expect(try pair.losses() == [])
  }

  @Test("row 31: to-one becomes to-many")
  func row31() throws {
    let many = RelationshipDescription.toMany("customer", "Customer", inverse: "orders")
    let pair = try ModelPair(entities([customer], [orders]), entities([many], [orders]))
    try expectNewHashes(pair, ["Order"])
    #expect(pair.inferability(of: "Order.customer") == ["inferable"])
    #expect(try pair.relationship("customer", of: "Order") == RelationshipMapping(source: "customer"))
    #expect(try pair.requirements() == [])
    #expect(try pair.losses() == [])
  }

  @Test("row 32: to-many becomes to-one: no object may have more than one")
  func row32() throws {
    let many = RelationshipDescription.toMany("customer", "Customer", inverse: "orders")
    let pair = try ModelPair(entities([many], [orders]), entities([customer], [orders]))
    try expectNewHashes(pair, ["Order"])
    #expect(
      pair.inferability(of: "Order.customer") == ["no object has several links"]
    )
    let requirement = try #require(try pair.requirements().first)
    #expect(try pair.requirements() == [.atMostOne(entity: "Order", relationship: "customer")])
    #expect(requirement.remedy?.advice.text == "keep only the first link: --keep-first Order.customer")
  }

  @Test("row 32: links that move into a new to-one inverse may hold one object as well")
  func row32Inverse() throws {
    let alone = RelationshipDescription.toMany("orders", "Order", inverse: nil)
    let pair = try ModelPair(entities([], [alone]), entities([customer], [orders]))
    #expect(try pair.requirements() == [.atMostOne(entity: "Order", relationship: "customer")])
  }

  @Test("row 33: unordered becomes ordered")
  func row33() throws {
    let ordered = RelationshipDescription.toMany("orders", "Order", inverse: "customer", ordered: true)
    let pair = try ModelPair(entities([customer], [orders]), entities([customer], [ordered]))
    try expectNewHashes(pair, ["Customer"])
    #expect(pair.inferability(of: "Customer.orders") == ["inferable"])
    #expect(try pair.relationship("orders", of: "Customer") == RelationshipMapping(source: "orders"))
    #expect(try pair.losses() == [])
  }

  @Test("row 34: ordered becomes unordered: the order is lost")
  func row34() throws {
    let ordered = RelationshipDescription.toMany("orders", "Order", inverse: "customer", ordered: true)
    let pair = try ModelPair(entities([customer], [ordered]), entities([customer], [orders]))
    try expectNewHashes(pair, ["Customer"])
    #expect(try pair.losses() == ["Customer.orders: orderLost"])
  }

  @Test("row 35: the counts of a to-many change")
  func row35() throws {
    var counted = orders
    counted.minCount = 1
    counted.maxCount = 5
    let pair = try ModelPair(entities([customer], [orders]), entities([customer], [counted]))
    try expectNewHashes(pair, ["Customer"])
    #expect(pair.inferability(of: "Customer.orders") == ["inferable", "inferable"])
    #expect(try pair.requirements() == [])
  }

  @Test("row 36: the destination changes to an unrelated entity: the links are dropped")
  func row36() throws {
    let former = [
      EntityDescription(name: "Box"), EntityDescription(name: "Crate"),
      EntityDescription(name: "Item", relationships: [.toOne("holder", "Box", inverse: nil)]),
    ]
    var latter = former
    latter[2].relationships = [.toOne("holder", "Crate", inverse: nil)]
    let pair = try ModelPair(former, latter)
    try expectNewHashes(pair, ["Item"])
    #expect(try pair.relationship("holder", of: "Item") == RelationshipMapping(source: nil))
    #expect(try pair.losses() == ["Item.holder: linksDropped"])
  }

  @Test("row 36: within one hierarchy, links are kept if the relationship can still hold them")
  func row36Hierarchy() throws {
    let former = [
      EntityDescription(name: "Box"), EntityDescription(name: "Crate", superentityName: "Box"),
      EntityDescription(name: "Item", relationships: [.toOne("holder", "Crate", inverse: nil)]),
    ]
    var latter = former
    latter[2].relationships = [.toOne("holder", "Box", inverse: nil)]
    let widened = try ModelPair(former, latter)
    #expect(try widened.relationship("holder", of: "Item") == RelationshipMapping(source: "holder"))
    #expect(try widened.losses() == [])
    #expect(try ModelPair(latter, former).losses() == ["Item.holder: linksDropped"])
  }

  @Test("row 36: links are also kept if the two entities shared a hierarchy only before")
  func row36FormerHierarchy() throws {
    func versions(crate parent: String?, small: String, holder: String) -> [EntityDescription] {
      [
        EntityDescription(name: "Box"), EntityDescription(name: "Crate", superentityName: parent),
        EntityDescription(name: "Item", relationships: [.toOne("holder", holder, inverse: nil)]),
        EntityDescription(name: "Small", superentityName: small),
      ]
    }
    let former = versions(crate: "Box", small: "Crate", holder: "Crate")
    let pair = try ModelPair(former, versions(crate: nil, small: "Box", holder: "Box"))
    #expect(try pair.relationship("holder", of: "Item") == RelationshipMapping(source: "holder"))
    #expect(try pair.losses() == ["Item.holder: linksDropped"])
  }

  @Test("row 37: the inverse is added, changed or removed")
  func row37() throws {
    let alone = RelationshipDescription.toOne("customer", "Customer", inverse: nil)
    let added = try ModelPair(entities([alone], []), entities([customer], [orders]))
    try expectNewHashes(added, ["Customer", "Order"])
    #expect(added.inferability(of: "Order.customer").first == "inferable")
    #expect(try added.relationship("customer", of: "Order") == RelationshipMapping(source: "customer"))
    let removed = try ModelPair(entities([customer], [orders]), entities([alone], []))
    try expectNewHashes(removed, ["Customer", "Order"])
    #expect(try removed.losses() == [])
  }

  @Test("rows 31 and 37: in a to-many without inverse an object has one owner")
  func row37OneOwner() throws {
    let many = RelationshipDescription.toMany("customer", "Customer", inverse: "orders")
    let alone = RelationshipDescription.toMany("orders", "Order", inverse: nil)
    let removed = try ModelPair(entities([many], [orders]), entities([], [alone]))
    #expect(try removed.requirements() == [.oneOwner(entity: "Customer", relationship: "orders")])
    #expect(
      try removed.requirements().first?.remedy?.advice.text
        == "keep only the first link: --keep-first Customer.orders"
    )
    #expect(try removed.requirements().first?.code.rawValue == 134110)
    #expect(try ModelPair(entities([customer], [orders]), entities([], [alone])).requirements() == [])
    let single = RelationshipDescription.toOne("customer", "Customer", inverse: nil)
    let several = RelationshipDescription.toMany("customer", "Customer", inverse: nil)
    let widened = try ModelPair(entities([single], []), entities([several], []))
    #expect(try widened.requirements() == [.oneOwner(entity: "Order", relationship: "customer")])
  }

  @Test("row 38: an attribute and a relationship of one name: one is removed, the other is added")
  func row38() throws {
    let former = [
      EntityDescription(name: "Customer"), EntityDescription(name: "Order", attributes: [.text("customer")]),
    ]
    let latter = entities([.toOne("customer", "Customer", inverse: nil)], [])
    let pair = try ModelPair(former, latter)
    try expectNewHashes(pair, ["Order"])
    #expect(pair.difference.changes.map(\.kind) == [.attributeBecameRelationship])
    #expect(pair.step.changes.map { pair.step.meaning(of: $0).verdict } == [.inferable])
    #expect(try pair.relationship("customer", of: "Order") == RelationshipMapping(source: nil))
    #expect(try pair.losses() == ["Order.customer: attributeBecameRelationship"])
    let back = try ModelPair(latter, former)
    try expectNewHashes(back, ["Order"])
    #expect(back.difference.changes.map(\.kind) == [.relationshipBecameAttribute])
    #expect(try back.losses() == ["Order.customer: relationshipBecameAttribute"])
  }
}
