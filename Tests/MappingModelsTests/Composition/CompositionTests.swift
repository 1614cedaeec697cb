import MappingModels
import ModelDescription
import Testing

@Suite("Composition of mappings")
struct CompositionTests {
  /// The mapping composed over versions of a model.
  private func composed(_ versions: [[EntityDescription]]) throws -> MappingModel {
    let hierarchies = try versions.map { try EntityHierarchy(ManagedObjectModel(entities: $0)) }
    var mapping = try MappingModel.inferred(from: hierarchies[0], to: hierarchies[1])
    for position in hierarchies.indices.dropFirst(2) {
      mapping = try mapping.composed(
        with: MappingModel.inferred(from: hierarchies[position - 1], to: hierarchies[position]),
        from: hierarchies[0],
        through: hierarchies[position - 1],
        to: hierarchies[position]
      )
    }
    return mapping
  }

  private func order(_ attributes: AttributeDescription...) -> [EntityDescription] {
    [EntityDescription(name: "Order", attributes: attributes)]
  }

  @Test("an attribute that went and came back is new")
  func removedAndAdded() throws {
    let mapping = try composed([order(.text("note")), order(), order(.text("note"))])
    #expect(
      mapping.entityMappings[0].attributeMappings
        == PropertyMappings(attributes: ["note": AttributeMapping(origin: .constant(nil))]))
  }

  @Test("an entity that was removed and added again is new, and the old entity is removed")
  func entityRemovedAndAdded() throws {
    let mapping = try composed([order(.text("note")), [], order(.text("note"))])
    #expect(
      mapping.entityMappings == [
        EntityMapping(source: nil, destination: "Order"), EntityMapping(source: "Order", destination: nil),
      ]
    )
  }

  @Test("renames, conversions and defaults follow each other")
  func steps() throws {
    let mapping = try composed([
      order(.number("size", .integer16)),
      order(.number("length", .integer32) { $0.renamingIdentifier = "size" }),
      order(
        AttributeDescription(name: "width", type: .double, defaultValue: .double(1), renamingIdentifier: "size")
      ),
    ])
    #expect(
      mapping.entityMappings[0].attribute("width")
        == AttributeMapping(
          origin: .source("size"),
          steps: [
            .convert(from: .integer16, to: .integer32), .convert(from: .integer32, to: .double),
            .replaceNil(.double(1)),
          ]
        )
    )
  }

  @Test("a value that an added attribute got is converted like any other")
  func addedThenConverted() throws {
    let mapping = try composed([
      order(), order(.number("size", .integer16) { $0.defaultValue = .integer(4) }), order(.number("size", .integer64)),
    ])
    #expect(
      mapping.entityMappings[0].attribute("size")
        == AttributeMapping(origin: .constant(.integer(4)), steps: [.convert(from: .integer16, to: .integer64)])
    )
  }

  private func list(_ relationship: RelationshipDescription) -> [EntityDescription] {
    [
      EntityDescription(name: "Item"), EntityDescription(name: "List", relationships: [relationship]),
      EntityDescription(name: "Special", superentityName: "Item"),
    ]
  }

  private let ordered = RelationshipDescription.toMany("items", "Item", inverse: nil, ordered: true)
  private let unordered = RelationshipDescription.toMany("items", "Item", inverse: nil)

  @Test("an order whose relationship went is lost, though another one has the same links and is ordered")
  func orderOfAnotherRelationship() throws {
    let link = RelationshipDescription(name: "home", destinationEntityName: "Place", isOptional: true, maxCount: 1)
    func version(_ name: String?) -> [EntityDescription] {
      var home = link
      (home.inverseName, home.inverseEntityName) = (name, name.map { _ in "Place" })
      let list = name.map {
        RelationshipDescription(
          name: $0, destinationEntityName: "Animal", inverseName: "home", inverseEntityName: "Animal", isOptional: true,
          isOrdered: true)
      }
      return [
        EntityDescription(name: "Animal", relationships: [home]),
        EntityDescription(name: "Place", relationships: [list].compactMap { $0 }),
      ]
    }
    let lost = RelationshipMapping(source: nil, losesOrder: true)
    for versions in [["animals", nil, "guests"], ["animals", nil, "guests", "guests"]] {
      let mapping = try composed(versions.map(version))
      #expect(mapping.entityMappings.first { $0.destination == "Place" }?.relationship("guests") == lost)
    }
    let straight = try composed([version("animals"), version("guests"), version("guests")])
    #expect(straight.entityMappings.first { $0.destination == "Place" }?.relationship("guests")?.losesOrder == false)
  }

  @Test("an order that was lost on the way is lost, though both ends have one")
  func orderLost() throws {
    let versions = [list(ordered), list(unordered), list(ordered)]
    let mapping = try composed(versions)
    #expect(
      mapping.mapping(toDestination: "List")?.relationship("items")
        == RelationshipMapping(source: "items", losesOrder: true)
    )
    let ends = (versions[0], versions[2])
    let losses = mapping.losses(
      source: try EntityHierarchy(ManagedObjectModel(entities: ends.0)),
      destination: try EntityHierarchy(ManagedObjectModel(entities: ends.1))
    )
    #expect(losses.map(\.kind) == [.orderLost])
  }

  @Test("a relationship that held one object on the way may have at most one")
  func heldOne() throws {
    let one = RelationshipDescription.toOne("items", "Item", inverse: nil)
    let versions = [list(unordered), list(one), list(unordered)]
    let mapping = try composed(versions)
    #expect(mapping.mapping(toDestination: "List")?.relationship("items")?.holdsOneOnTheWay == true)
    let ends = try versions.map { try EntityHierarchy(ManagedObjectModel(entities: $0)) }
    #expect(
      mapping.requirements(source: ends[0], destination: ends[2])
        == [.atMostOne(entity: "List", relationship: "items")]
    )
  }

  @Test("links that a version on the way could not hold are dropped")
  func dropped() throws {
    let special = RelationshipDescription.toMany("items", "Special", inverse: nil)
    let mapping = try composed([list(unordered), list(special), list(unordered)])
    #expect(
      mapping.mapping(toDestination: "List")?.relationship("items")
        == RelationshipMapping(source: "items", droppedDestinations: ["Item"])
    )
  }

  @Test("links from an inverse of only an intermediate version cannot be composed")
  func intermediateInverse() throws {
    func versions(_ toys: [RelationshipDescription], _ cat: [RelationshipDescription]) -> [EntityDescription] {
      [EntityDescription(name: "Cat", relationships: toys), EntityDescription(name: "Toy", relationships: cat)]
    }
    #expect(throws: CompositionRefusal.linksOfIntermediateInverse(entity: "Toy", relationship: "cat")) {
      try composed([
        versions([.toMany("toys", "Toy", inverse: nil)], []),
        versions([.toMany("toys", "Toy", inverse: "cat")], [.toOne("cat", "Cat", inverse: "toys")]),
        versions([], [.toOne("cat", "Cat", inverse: nil)]),
      ])
    }
  }

  @Test("an object that had one owner on the way may have at most one")
  func oneOwner() throws {
    func versions(_ toys: [RelationshipDescription], _ cats: [RelationshipDescription]) -> [EntityDescription] {
      [EntityDescription(name: "Cat", relationships: toys), EntityDescription(name: "Toy", relationships: cats)]
    }
    let many = versions([.toMany("toys", "Toy", inverse: "cats")], [.toMany("cats", "Cat", inverse: "toys")])
    let alone = versions([.toMany("toys", "Toy", inverse: nil)], [])
    let mapping = try composed([many, alone, many])
    #expect(mapping.mapping(toDestination: "Cat")?.relationship("toys")?.hasOneOwnerOnTheWay == true)
  }

  @Test("values that only a version on the way derives cannot be composed")
  func derivedOnTheWay() throws {
    let derived = AttributeDescription.text("shout") { $0.derivation = Derivation(expression: "uppercase:(note)") }
    #expect(throws: CompositionRefusal.derivedValueKept(entity: "Order", attribute: "shout")) {
      try composed([order(.text("note")), order(.text("note"), derived), order(.text("note"), .text("shout"))])
    }
    let kept = try composed([
      order(.text("note")), order(.text("note"), derived), order(.text("note"), .text("extra"), derived),
    ])
    #expect(
      kept.entityMappings[0].attribute("shout")?.origin == .derived(Derivation(expression: "uppercase:(note)"))
    )
  }
}
