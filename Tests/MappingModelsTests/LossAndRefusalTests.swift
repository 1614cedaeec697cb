import MappingModels
import ModelDescription
import Testing

@Suite("Losses and refusals in words")
struct LossAndRefusalTests {
  @Test("a removed inherited attribute is one loss at its declaring entity")
  func inheritedLoss() throws {
    func versions(_ attributes: [AttributeDescription]) -> [EntityDescription] {
      [
        EntityDescription(name: "Base", isAbstract: true, attributes: attributes),
        EntityDescription(name: "Left", superentityName: "Base"),
        EntityDescription(name: "Right", superentityName: "Base"),
      ]
    }
    let pair = try ModelPair(versions([.text("note")]), versions([]))
    let losses = try pair.mapping().losses(source: pair.source, destination: pair.destination)
    #expect(losses.map(\.sentence) == ["the attribute Base.note and all its values are deleted"])
  }

  @Test("an attribute that moves to one sub-entity is lost in the other, by its name there")
  func movedDownLoss() throws {
    let base = EntityDescription(name: "Base", isAbstract: true, attributes: [.text("note")])
    let left = EntityDescription(name: "Left", superentityName: "Base")
    let right = EntityDescription(name: "Right", superentityName: "Base")
    var (emptied, keeping) = (base, left)
    emptied.attributes = []
    keeping.attributes = [.text("note")]
    #expect(
      try ModelPair([base, left, right], [emptied, keeping, right]).losses() == ["Right.note: attributeRemoved"])
  }

  @Test("links to a removed entity are part of its loss")
  func linksOfRemovedEntity() throws {
    let pair = try ModelPair(
      [
        EntityDescription(name: "Customer", relationships: [.toMany("orders", "Order", inverse: "customer")]),
        EntityDescription(name: "Order", relationships: [.toOne("customer", "Customer", inverse: "orders")]),
      ],
      [EntityDescription(name: "Customer")]
    )
    #expect(try pair.losses() == ["Order: entityRemoved"])
  }

  @Test("a required link to a removed entity is missing afterwards")
  func requiredLinkToRemovedEntity() throws {
    let former = [
      EntityDescription(name: "Item"), EntityDescription(name: "Special", superentityName: "Item"),
      EntityDescription(name: "Line", relationships: [.toOne("item", "Item", inverse: nil, optional: false)]),
    ]
    let pair = try ModelPair(former, [former[0], former[2]])
    #expect(try pair.requirements() == [.mandatoryRelationship(entity: "Line", relationship: "item")])
  }

  @Test(
    "a name spelled with other characters that look the same is refused: its column has another name",
    arguments: [
      ([AttributeDescription.text("cafe\u{301}")], [AttributeDescription.text("caf\u{E9}")]),
      ([.text("cafe\u{301}"), .text("a")], [.text("caf\u{E9}"), .text("b") { $0.renamingIdentifier = "a" }]),
    ])
  func respelled(former: [AttributeDescription], latter: [AttributeDescription]) throws {
    #expect(
      try ModelPair(former, to: latter).failure()?.description == """
        Order.caf\u{E9}: The name looks the same and is spelled with other Unicode characters: the characters were \
        63 61 66 65 301 and are 63 61 66 E9, so the names differ for Core Data; copy the name from the previous \
        version, or choose a name that looks different and make the previous name its renaming identifier
        """)
  }

  @Test("a respelled entity or relationship is refused; a new name with the former one as identifier is not")
  func respelledElsewhere() throws {
    let (former, latter) = (EntityDescription(name: "Cafe\u{301}"), EntityDescription(name: "Caf\u{E9}"))
    #expect(try ModelPair([former], [latter]).failure()?.element == .entity("Caf\u{E9}"))
    func links(_ name: String) -> [EntityDescription] {
      [EntityDescription(name: "A", relationships: [.toMany(name, "A", inverse: nil)])]
    }
    #expect(
      try ModelPair(links("cafe\u{301}s"), links("caf\u{E9}s")).failure()?.element
        == .property(entity: "A", name: "caf\u{E9}s"))
    let named = EntityDescription(name: "Coffee", renamingIdentifier: "Cafe\u{301}")
    #expect(try ModelPair([former], [named]).failure() == nil)
  }

  @Test("an ambiguous identifier is refused with the names that claim each other")
  func ambiguous() throws {
    let pair = try ModelPair([.text("a")], to: [.text("a"), .text("b") { $0.renamingIdentifier = "a" }])
    #expect(
      pair.failure()?.description == """
        Order.a: Ambiguous renaming identifier (NSCocoaErrorDomain 134190): a and b and the source's a claim each other \
        by the name “a”; give each its own renaming identifier, so that each has at most one source
        """
    )
  }

  @Test("a refused type has Core Data's message and a remedy, whose option is a part")
  func refusedType() throws {
    let pair = try ModelPair([.text("when")], to: [.number("when", .date)])
    #expect(
      pair.failure()?.words.sentence == """
        Order.when: Source and destination attribute types are incompatible (NSCocoaErrorDomain 134190): the type \
        changes from String to Date, and inference converts only between numbers; convert the values: --cast \
        Order.when; or write a mapping model: modelctl mapping new --help
        """
    )
    #expect(
      pair.failure()?.description.hasSuffix("between numbers; convert the values; or write a mapping model") == true)
  }

  @Test("a requirement has Core Data's message and a remedy without an option")
  func requirement() {
    #expect(
      MappingRequirement.mandatoryAttribute(entity: "Order", attribute: "state").description == """
        Order.state: Validation error missing attribute values on mandatory destination attribute (NSCocoaErrorDomain \
        134110): Order.state is required and has no default value, so every object needs a value before it can \
        migrate; give every row without a value the same value
        """
    )
  }
}
