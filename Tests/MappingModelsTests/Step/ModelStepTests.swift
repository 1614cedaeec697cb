import MappingModels
import ModelComparison
import ModelDescription
import Testing

@Suite("The meaning of a change in a step")
struct ModelStepTests {
  private static func step(_ former: [EntityDescription], _ latter: [EntityDescription]) throws -> ModelStep {
    ModelStep(
      from: try EntityHierarchy(ManagedObjectModel(entities: former)),
      to: try EntityHierarchy(ManagedObjectModel(entities: latter)))
  }

  private static func step(_ former: [AttributeDescription], to latter: [AttributeDescription]) throws -> ModelStep {
    try step(
      [EntityDescription(name: "Order", attributes: former)], [EntityDescription(name: "Order", attributes: latter)])
  }

  private static func copies(of names: [String]) -> [PropertyMapping.Value] {
    names.map { .attribute(AttributeMapping(origin: .source($0))) }
  }

  /// A line for each change: the element, the verdict's name and the effect.
  private static func lines(_ step: ModelStep) -> [String] {
    step.changes.map { change in
      let meaning = step.meaning(of: change)
      let verdict =
        switch meaning.verdict {
        case .noMigration: "no migration"
        case .inferable: "inferable"
        case .dependsOnRows(let requirements): "if \(requirements.map(\.reason).joined(separator: ", "))"
        case .refused(let refusal): "refused: \(refusal.reason)"
        case .withheld(let refusal): "withheld by \(refusal.element)"
        case .custom: "custom"
        }
      return "\(change.element): \(verdict): \(meaning.effect)"
    }
  }

  @Test("two attributes with one renaming identifier: nothing is inferred, and no line promises anything")
  func ambiguous() throws {
    let memo = AttributeDescription.text("memo") { $0.renamingIdentifier = "note" }
    let remark = AttributeDescription.text("remark") { $0.renamingIdentifier = "note" }
    let step = try Self.step(
      [.text("note"), .text("same")], to: [memo, remark, .text("same") { $0.isOptional = false }])
    #expect(
      Self.lines(step) == [
        "Order.memo: refused: Ambiguous renaming identifier: a mapping model must decide about the data",
        "Order.note: refused: Ambiguous renaming identifier: a mapping model must decide about the data",
        "Order.remark: refused: Ambiguous renaming identifier: a mapping model must decide about the data",
        "Order.same: withheld by Order.memo: a mapping model must decide about the data",
      ])
    #expect(step.losses == [])
    #expect(!step.difference.hints.contains { if case .looksLikeRename = $0 { true } else { false } })
  }

  @Test("every reason of a refused step is known at once, each at its own change")
  func severalRefusals() throws {
    let step = try Self.step(
      [.text("day"), .text("size"), .text("note")],
      to: [.number("day", .date), .number("size", .composite) { $0.elements = [.text("x")] }, .text("remark")])
    #expect(step.refusals.count == 2)
    let refused = step.changes.filter { if case .refused = step.meaning(of: $0).verdict { true } else { false } }
    #expect(refused.map(\.element.description) == ["Order.day", "Order.size"])
  }

  @Test("an attribute that moves up is demanded of the sub-entities whose rows lack it")
  func movedUp() throws {
    let required = AttributeDescription(name: "note", type: .string)
    let step = try Self.step(
      [
        EntityDescription(name: "Base", isAbstract: true),
        EntityDescription(name: "Cat", superentityName: "Base", attributes: [required]),
        EntityDescription(name: "Dog", superentityName: "Base"),
      ],
      [
        EntityDescription(name: "Base", isAbstract: true, attributes: [required]),
        EntityDescription(name: "Cat", superentityName: "Base"),
        EntityDescription(name: "Dog", superentityName: "Base"),
      ])
    let moved = try #require(step.changes.first { $0.element == .property(entity: "Base", name: "note") })
    #expect(
      step.meaning(of: moved).verdict == .dependsOnRows([.mandatoryAttribute(entity: "Dog", attribute: "note")]))
  }

  @Test("a required attribute of an entity without rows of its own makes no requirement")
  func abstractEntity() throws {
    let step = try Self.step(
      [EntityDescription(name: "Base", isAbstract: true)],
      [EntityDescription(name: "Base", isAbstract: true, attributes: [AttributeDescription(name: "a", type: .string)])])
    #expect(step.changes.map { step.meaning(of: $0).verdict } == [.inferable])
  }

  @Test("no change of a custom step counts as inferred")
  func custom() throws {
    let inferred = try Self.step([.text("note")], to: [.text("remark")])
    guard case .inferred(let mapping) = inferred.outcome else {
      Issue.record("not inferred")
      return
    }
    let step = ModelStep(from: inferred.source, to: inferred.destination, by: mapping, .file)
    #expect(Set(step.changes.map { step.meaning(of: $0).verdict }) == [.custom])
    #expect(step.refusals == [] && !step.isInferred)
  }

  // What an index and a default value reach
  @Test("an index is created if another change of the entity makes a new version; if not, a hint reports it")
  func indexes() throws {
    let index = FetchIndexDescription(name: "byNote", elements: [.init(subject: .property("note"))])
    let plain = EntityDescription(name: "Order", attributes: [.text("note")])
    var indexed = plain
    indexed.fetchIndexes = [index]
    let alone = try Self.step([plain], [indexed])
    #expect(alone.difference.hints.count == 1)
    #expect(Self.lines(alone) == ["Order index byNote: no migration: existing stores keep their indexes"])
    indexed.versionHashModifier = "2"
    var bare = indexed
    bare.versionHashModifier = "3"
    bare.fetchIndexes = []
    for step in [try Self.step([plain], [indexed]), try Self.step([indexed], [bare])] {
      #expect(step.difference.hints == [])
      #expect(
        Self.lines(step).last == "Order index byNote: no migration: existing stores get the indexes with the migration")
    }
    let other = try Self.step(
      [plain, EntityDescription(name: "Other")],
      [
        EntityDescription(name: "Order", attributes: [.text("note") { $0.isIndexed = true }]),
        EntityDescription(name: "Other", versionHashModifier: "2"),
      ])
    #expect(other.difference.hints.count == 1)
  }

  @Test("a default value reaches rows where one is required now, or where an entity gets the attribute")
  func defaults() throws {
    func required(_ value: String) -> AttributeDescription {
      AttributeDescription(name: "note", type: .string, defaultValue: .string(value))
    }
    let step = try Self.step([.text("note")], to: [required("unknown")])
    #expect(step.difference.hints == [])
    #expect(Self.lines(step).allSatisfy { $0.hasSuffix("rows without a value get the default value “unknown”") })
    #expect(Self.lines(step).count == 2)
    let bounded = try Self.step(
      [.text("note")],
      to: [
        .text("note") {
          $0.isOptional = false
          $0.defaultValue = .string("-")
          $0.validation.maximum = .integer(3)
        }
      ])
    #expect(
      bounded.difference.hints.map(\.description) == [
        "the change of Order.note (maximum) does not reach existing rows"
      ])
    let moved = try Self.step(
      [
        EntityDescription(name: "Base"),
        EntityDescription(name: "Cat", superentityName: "Base", attributes: [.text("note")]),
      ],
      [
        EntityDescription(name: "Base", attributes: [.text("note") { $0.defaultValue = .string("new") }]),
        EntityDescription(name: "Cat", superentityName: "Base"),
      ])
    #expect(moved.difference.hints == [])
  }

  @Test("no hint is about values that no store holds")
  func transient() throws {
    func cache(_ change: (inout AttributeDescription) -> Void) -> AttributeDescription {
      .text("cache") {
        $0.isTransient = true
        change(&$0)
      }
    }
    let step = try Self.step([cache { _ in }], to: [cache { $0.defaultValue = .string("x") }])
    #expect(step.difference.hints == [])
    let stored = try Self.step([cache { _ in }], to: [.text("cache") { $0.defaultValue = .string("x") }])
    #expect(stored.difference.hints == [])
  }

  @Test("A removed constraint makes no requirement if another follows from it; a new or renamed constraint does")
  func constraints() throws {
    func order(_ name: String, was identifier: String?, _ constraints: [[String]]) -> EntityDescription {
      EntityDescription(
        name: "Order", attributes: [.text(name) { $0.renamingIdentifier = identifier }, .text("email")],
        uniquenessConstraints: constraints)
    }
    func meaning(_ former: EntityDescription, _ latter: EntityDescription) throws -> ChangeMeaning? {
      let step = try Self.step([former], [latter])
      return step.changes.first { $0.element == .entity("Order") }.map { step.meaning(of: $0) }
    }
    let followed = try meaning(
      order("number", was: nil, [["number", "email"]]), order("code", was: "number", [["code", "email"]]))
    #expect(followed == ChangeMeaning(verdict: .inferable, effect: .noneOnExistingRows))
    let fewer = try meaning(
      order("number", was: nil, [["number"], ["email"]]), order("code", was: "number", [["code"]]))
    #expect(fewer?.verdict == .inferable)
    let other = try meaning(
      order("number", was: nil, [["number"]]), order("code", was: "number", [["code"], ["email"]]))
    #expect(other?.verdict == .dependsOnRows([.unique(entity: "Order", properties: ["email"])]))
    let another = try meaning(order("number", was: nil, [["number"]]), order("code", was: nil, [["code"]]))
    #expect(another?.verdict == .dependsOnRows([.unique(entity: "Order", properties: ["code"])]))
  }

  @Test("names that are swapped leave the hash: alone no store migrates; beside another change the entity is copied")
  func swap() throws {
    func versions(_ one: String?, _ other: String?, beside name: String) -> [EntityDescription] {
      [
        EntityDescription(
          name: "A",
          attributes: [.text("x") { $0.renamingIdentifier = one }, .text("y") { $0.renamingIdentifier = other }]),
        EntityDescription(name: name),
      ]
    }
    for (name, effect) in [("B", DataEffect.columnKeepsItsName), ("C", .columnIsCopied)] {
      let step = try Self.step(versions(nil, nil, beside: "B"), versions("y", "x", beside: name))
      let renames = step.changes.filter { if case .renamed = $0.kind { true } else { false } }
      #expect(renames.count == 2)
      #expect(Set(renames.map { step.meaning(of: $0) }) == [ChangeMeaning(verdict: .noMigration, effect: effect)])
      let copied = step.mapping?.entityMappings.first { $0.destination == "A" }
      #expect(copied?.attributeMappings.map(\.value) == Self.copies(of: ["x", "y"]))
    }
    // With a change of its own the entity is no copy.
    let changed = try Self.step(
      versions(nil, nil, beside: "B"),
      [
        EntityDescription(
          name: "A",
          attributes: [
            .text("x") { $0.renamingIdentifier = "y" }, .text("y") { $0.renamingIdentifier = "x" }, .text("z"),
          ])
      ])
    let swapped = changed.mapping?.entityMappings.first { $0.destination == "A" }?.attributeMappings ?? []
    #expect(swapped.prefix(2).map(\.value) == Self.copies(of: ["y", "x"]))
  }

  @Test("a removed relationship with a kept inverse loses no link; a property that moves down loses some values")
  func partialLosses() throws {
    func versions(_ customers: [RelationshipDescription], _ orders: [RelationshipDescription]) -> [EntityDescription] {
      [
        EntityDescription(name: "Customer", relationships: customers),
        EntityDescription(name: "Order", relationships: orders),
      ]
    }
    let step = try Self.step(
      versions([.toMany("orders", "Order", inverse: "customer")], [.toOne("customer", "Customer", inverse: "orders")]),
      versions([], [.toOne("customer", "Customer", inverse: nil)]))
    #expect(step.losses == [])
    #expect(
      Self.lines(step) == [
        "Customer.orders: inferable: the links are kept", "Order.customer: inferable: the links are kept",
        "Order.customer: no migration: no effect on the data",
      ])
    let gone = try Self.step(
      versions([.toMany("orders", "Order", inverse: "customer")], [.toOne("customer", "Customer", inverse: "orders")]),
      [EntityDescription(name: "Customer")])
    #expect(Self.lines(gone).contains("Customer.orders: inferable: the links are lost"))
    let moved = try Self.step(
      [
        EntityDescription(name: "Base", isAbstract: true, attributes: [.text("note")]),
        EntityDescription(name: "Cat", superentityName: "Base"),
        EntityDescription(name: "Dog", superentityName: "Base"),
      ],
      [
        EntityDescription(name: "Base", isAbstract: true),
        EntityDescription(name: "Cat", superentityName: "Base", attributes: [.text("note")]),
        EntityDescription(name: "Dog", superentityName: "Base"),
      ])
    #expect(Self.lines(moved).contains { $0.hasSuffix("the attribute Dog.note and all its values are deleted") })
  }

  @Test(
    "an entity with the name and hash of a removed entity makes no new version; with another change, its rows are lost")
  func takenName() throws {
    let former = ["A", "B"].map { EntityDescription(name: $0) }
    func latter(_ modifier: String?) -> [EntityDescription] {
      [
        EntityDescription(name: "A", renamingIdentifier: "B"),
        EntityDescription(name: "C", versionHashModifier: modifier),
      ]
    }
    let alone = try Self.step(
      former,
      [EntityDescription(name: "A", renamingIdentifier: "B"), EntityDescription(name: "B", renamingIdentifier: "D")])
    #expect(alone.difference.isSameVersion && alone.changes.allSatisfy { !$0.changesHash })
    let step = try Self.step(former, latter(nil))
    #expect(step.losses.map(\.element) == ["A"])
    #expect(Self.lines(step).contains("A: no migration: its rows and the links to them are lost"))
  }
}
