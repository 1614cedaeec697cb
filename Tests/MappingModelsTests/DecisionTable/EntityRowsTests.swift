import MappingModels
import ModelComparison
import ModelDescription
import Testing

@Suite("Decision table: entities (rows 1–4, 39–44)")
struct EntityRowsTests {
  private let order = EntityDescription(name: "Order", attributes: [.text("note")])
  private let customer = EntityDescription(name: "Customer", attributes: [.text("name")])

  @Test("row 1: an entity is added")
  func row01() throws {
    let pair = try ModelPair([order], [customer, order])
    #expect(pair.difference.entitiesWithNewHash == ["Customer"])
    #expect(try pair.entitiesWithNewHash() == ["Customer"])
    #expect(pair.inferability(of: "Customer") == ["inferable"])
    #expect(
      try pair.mapping().entityMappings == [
        EntityMapping(source: nil, destination: "Customer"),
        EntityMapping(
          source: "Order",
          destination: "Order",
          attributeMappings: PropertyMappings(attributes: ["note": AttributeMapping(origin: .source("note"))])
        ),
      ]
    )
    #expect(try pair.losses() == [])
  }

  @Test("row 2: an entity is removed, and its rows are lost")
  func row02() throws {
    let pair = try ModelPair([customer, order], [order])
    #expect(pair.difference.entitiesWithNewHash == [])
    #expect(pair.difference.entitiesWithoutHash == ["Customer"])
    #expect(pair.inferability(of: "Customer") == ["inferable"])
    #expect(try pair.mapping().entityMappings.last == EntityMapping(source: "Customer", destination: nil))
    #expect(try pair.losses() == ["Customer: entityRemoved"])
  }

  @Test("row 3: an entity is renamed by its identifier; relationships to it have a new hash too")
  func row03() throws {
    var linked = order
    linked.relationships = [.toOne("customer", "Customer", inverse: nil)]
    var client = customer
    client.name = "Client"
    client.renamingIdentifier = "Customer"
    var relinked = order
    relinked.relationships = [.toOne("customer", "Client", inverse: nil)]
    let pair = try ModelPair([customer, linked], [client, relinked])
    #expect(pair.difference.entitiesWithNewHash == ["Client", "Order"])
    #expect(try pair.entitiesWithNewHash() == ["Client", "Order"])
    #expect(try pair.mapping().mapping(toDestination: "Client")?.source == "Customer")
    #expect(try pair.relationship("customer", of: "Order") == RelationshipMapping(source: "customer"))
    #expect(
      pair.difference.changes(ofEntity: "Order").map(\.kind) == [
        .followsRename(.destination, from: "Customer", to: "Client")
      ]
    )
    #expect(try pair.losses() == [])
  }

  @Test("row 4: an entity is renamed without an identifier: its rows are lost, and the difference shows it")
  func row04() throws {
    var client = customer
    client.name = "Client"
    let pair = try ModelPair([customer], [client])
    #expect(try pair.mapping().mapping(toDestination: "Client")?.source == nil)
    #expect(try pair.losses() == ["Customer: entityRemoved"])
    #expect(
      pair.difference.hints == [
        .looksLikeRename(source: .entity("Customer"), destination: .entity("Client"), identifier: "Customer")
      ]
    )
  }

  @Test("row 39: a new abstract parent over one former root, and properties that move up to it")
  func row39() throws {
    let employee = EntityDescription(name: "Employee", attributes: [.text("badge"), .text("name")])
    let person = EntityDescription(name: "Person", isAbstract: true, attributes: [.text("name")])
    var child = EntityDescription(name: "Employee", superentityName: "Person", attributes: [.text("badge")])
    let pair = try ModelPair([employee], [child, person])
    #expect(pair.difference.entitiesWithNewHash == ["Employee", "Person"])
    #expect(try pair.entitiesWithNewHash() == ["Employee", "Person"])
    #expect(try pair.attribute("name", of: "Employee") == AttributeMapping(origin: .source("name")))
    #expect(
      pair.difference.changes(ofEntity: "Person").map(\.kind) == [.added, .moved(from: "Employee", to: "Person")])
    #expect(try pair.losses() == [])

    child.attributes.append(.text("name"))
    let down = try ModelPair(
      [EntityDescription(name: "Employee", superentityName: "Person", attributes: [.text("badge")]), person],
      [child, EntityDescription(name: "Person", isAbstract: true)]
    )
    #expect(try down.attribute("name", of: "Employee") == AttributeMapping(origin: .source("name")))
    #expect(try down.losses() == [])
  }

  @Test("row 40: an entity moves out of a hierarchy")
  func row40() throws {
    let person = EntityDescription(name: "Person", attributes: [.text("name")])
    let employee = EntityDescription(name: "Employee", superentityName: "Person")
    let alone = EntityDescription(name: "Employee", attributes: [.text("name")])
    let pair = try ModelPair([person, employee], [person, alone])
    #expect(pair.difference.entitiesWithNewHash == ["Employee"])
    #expect(try pair.entitiesWithNewHash() == ["Employee"])
    #expect(try pair.attribute("name", of: "Employee") == AttributeMapping(origin: .source("name")))
    #expect(try pair.losses() == [])
  }

  @Test("row 41: two former roots under one parent are refused, whether the parent is new or one of them")
  func row41() throws {
    let dog = EntityDescription(name: "Dog")
    let cat = EntityDescription(name: "Cat")
    let animal = EntityDescription(name: "Animal", isAbstract: true)
    let children = ["Dog", "Cat"].map { EntityDescription(name: $0, superentityName: "Animal") }
    let pair = try ModelPair([dog, cat], [animal] + children)
    let failure = try #require(pair.failure())
    #expect(failure.code?.rawValue == 134110)
    #expect(
      failure.reason == "Cannot merge multiple root entity source tables into one destination entity root table"
    )
    #expect(failure.element == .entity("Animal"))
    #expect(pair.refused.count == 2)
    #expect(try ModelPair([dog, animal], [animal, children[0]]).failure()?.code?.rawValue == 134110)
    #expect(try ModelPair([dog], [animal, children[0]]).failure() == nil)
  }

  @Test("row 42: an entity becomes abstract: no row may be of it; becoming concrete needs nothing")
  func row42() throws {
    var abstract = order
    abstract.isAbstract = true
    let pair = try ModelPair([order], [abstract])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
    #expect(pair.inferability(of: "Order") == ["no row is of exactly this entity"])
    #expect(try pair.requirements() == [.noRowsOfAbstract(entity: "Order")])
    #expect(try ModelPair([abstract], [order]).requirements() == [])
  }

  @Test("row 43: a uniqueness constraint is added")
  func row43() throws {
    var unique = order
    unique.uniquenessConstraints = [["note"]]
    let pair = try ModelPair([order], [unique])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
    #expect(pair.inferability(of: "Order") == ["no two rows have the same values"])
    let requirement = try #require(try pair.requirements().first)
    #expect(requirement == .unique(entity: "Order", properties: ["note"]))
    #expect(requirement.code.rawValue == 134111)
    #expect(
      requirement.remedy?.advice.text
        == "keep the newest of equal rows: --dedupe Order=keep-newest; or keep the oldest: --dedupe Order=keep-oldest")
  }

  @Test("row 43: a constraint that was there is checked again only when its values change")
  func row43Kept() throws {
    var former = EntityDescription(name: "Order", attributes: [.number("size")], uniquenessConstraints: [["size"]])
    var latter = former
    former.attributes.append(.text("note"))
    #expect(try ModelPair([former], [latter]).requirements() == [])
    latter.attributes = [.number("size", .integer16)]
    #expect(
      try ModelPair([former], [latter]).requirements().contains(.unique(entity: "Order", properties: ["size"]))
    )
  }

  @Test("row 44: a uniqueness constraint is removed")
  func row44() throws {
    var unique = order
    unique.uniquenessConstraints = [["note"]]
    let pair = try ModelPair([unique], [order])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
    #expect(pair.inferability(of: "Order") == ["inferable"])
    #expect(try pair.requirements() == [])
  }
}
