import MappingModels
import ModelComparison
import ModelDescription
import Testing

@Suite("Decision table: settings of attributes and entities (rows 20–26, 45–48)")
struct SettingRowsTests {
  /// A change that does not make a new version, as the difference reports it.
  private func expectNoVersion(_ pair: ModelPair, _ aspect: Aspect) throws {
    #expect(try pair.entitiesWithNewHash() == [])
    #expect(pair.difference.isSameVersion)
    let change = try #require(pair.difference.changes.first)
    guard case .changed(let found, _, _) = change.kind else {
      Issue.record("no changed aspect but \(change.kind)")
      return
    }
    #expect(found == aspect)
    #expect(!change.changesHash)
    #expect(pair.step.meaning(of: change).verdict == .noMigration)
    #expect(try pair.requirements() == [])
    #expect(try pair.losses() == [])
  }

  @Test("row 20: a default value changes: existing rows keep theirs")
  func row20() throws {
    let pair = try ModelPair([.text("note")], to: [.text("note") { $0.defaultValue = .string("-") }])
    try expectNoVersion(pair, .defaultValue)
    #expect(pair.effects == [.existingValuesStay])
    #expect(
      pair.difference.hints == [
        .doesNotReachExistingRows(element: .property(entity: "Order", name: "note"), aspect: .defaultValue)
      ]
    )
  }

  @Test(
    "row 21: validation changes: existing rows are not checked",
    arguments: [Aspect.minimum, .maximum, .regularExpression])
  func row21(aspect: Aspect) throws {
    let latter = AttributeDescription.text("note") {
      switch aspect {
      case .minimum: $0.validation.minimum = .integer(1)
      case .maximum: $0.validation.maximum = .integer(80)
      default: $0.validation.regularExpression = "[a-z]+"
      }
    }
    try expectNoVersion(ModelPair([.text("note")], to: [latter]), aspect)
  }

  @Test("row 22: external storage is switched on and off")
  func row22() throws {
    let inside = AttributeDescription.number("image", .binary)
    let outside = AttributeDescription.number("image", .binary) { $0.allowsExternalBinaryDataStorage = true }
    let switchedOn = try ModelPair([inside], to: [outside])
    #expect(try switchedOn.entitiesWithNewHash() == ["Order"])
    #expect(switchedOn.difference.entitiesWithNewHash == ["Order"])
    #expect(switchedOn.inferability(of: "Order.image") == ["inferable"])
    #expect(try switchedOn.attribute("image")?.steps == [.externalStorage(allowed: true)])
    #expect(try ModelPair([outside], to: [inside]).attribute("image")?.steps == [.externalStorage(allowed: false)])
  }

  @Test("row 23: the value is preserved in history")
  func row23() throws {
    let preserved = AttributeDescription.text("note") { $0.preservesValueInHistoryOnDeletion = true }
    let pair = try ModelPair([.text("note")], to: [preserved])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
    #expect(try pair.attribute("note") == AttributeMapping(origin: .source("note")))
  }

  @Test("row 24: only a version hash modifier changes, of an attribute or an entity")
  func row24() throws {
    let attribute = try ModelPair([.text("note")], to: [.text("note") { $0.versionHashModifier = "2" }])
    let entity = try ModelPair(
      [EntityDescription(name: "Order")],
      [EntityDescription(name: "Order", versionHashModifier: "2")]
    )
    for pair in [attribute, entity] {
      #expect(try pair.entitiesWithNewHash() == ["Order"])
      #expect(pair.difference.entitiesWithNewHash == ["Order"])
      #expect(pair.step.changes.map { pair.step.meaning(of: $0).verdict } == [.inferable])
      #expect(pair.effects == [.none])
    }
    let empty = try ModelPair([.text("note")], to: [.text("note") { $0.versionHashModifier = "" }])
    #expect(empty.difference.isSameVersion)
  }

  @Test("row 25: an index never reaches a shipped store")
  func row25() throws {
    let index = FetchIndexDescription(name: "byNote", elements: [.init(subject: .property("note"))])
    let pair = try ModelPair(
      [EntityDescription(name: "Order", attributes: [.text("note")])],
      [EntityDescription(name: "Order", attributes: [.text("note")], fetchIndexes: [index])]
    )
    #expect(pair.difference.isSameVersion)
    #expect(try pair.entitiesWithNewHash() == [])
    #expect(pair.difference.changes.map(\.element) == [.fetchIndex(entity: "Order", name: "byNote")])
    #expect(
      pair.difference.hints.first?.description == """
        the index change of Order index byNote does not make a new version, so existing stores never get it; change a \
        version hash modifier too
        """
    )
    try expectNoVersion(ModelPair([.text("note")], to: [.text("note") { $0.isIndexed = true }]), .indexed)
    try expectNoVersion(
      ModelPair([.text("note")], to: [.text("note") { $0.isIndexedBySpotlight = true }]),
      .indexedBySpotlight
    )
  }

  @Test("row 26: user info, classes, generated code and transformer enter no hash")
  func row26() throws {
    let note = AttributeDescription.text("note")
    let attributes: [(Aspect, AttributeDescription)] = [
      (.userInfo, .text("note") { $0.userInfo = ["a": "b"] }),
      (.valueTransformer, .text("note") { $0.valueTransformerName = "T" }),
      (.scalar, .text("note") { $0.usesScalarValueType = true }),
      (.cloudEncryption, .text("note") { $0.allowsCloudEncryption = true }),
    ]
    for (aspect, latter) in attributes { try expectNoVersion(ModelPair([note], to: [latter]), aspect) }
    let entities: [(Aspect, EntityDescription)] = [
      (.userInfo, EntityDescription(name: "Order", userInfo: ["a": "b"])),
      (.className, EntityDescription(name: "Order", className: "Order")),
      (.codeGeneration, EntityDescription(name: "Order", codeGeneration: "class")),
      (.syncable, EntityDescription(name: "Order", isSyncable: true)),
    ]
    for (aspect, latter) in entities {
      try expectNoVersion(ModelPair([EntityDescription(name: "Order")], [latter]), aspect)
    }
    let linked = RelationshipDescription.toOne("parent", "Order", inverse: nil)
    var cascading = linked
    cascading.deleteRule = .cascade
    try expectNoVersion(
      ModelPair(
        [EntityDescription(name: "Order", relationships: [linked])],
        [EntityDescription(name: "Order", relationships: [cascading])]
      ),
      .deleteRule
    )
  }

  @Test("row 26: fetch requests, fetched properties, configurations and identifiers of the model enter no hash")
  func row26Model() throws {
    let former = ManagedObjectModel(entities: [EntityDescription(name: "Order")])
    let request = FetchRequestDescription(name: "all", entityName: "Order")
    let latter = ManagedObjectModel(
      entities: [
        EntityDescription(name: "Order", fetchedProperties: [FetchedPropertyDescription(name: "recent")])
      ],
      configurations: [ModelConfiguration(name: "Local", entityNames: ["Order"])],
      fetchRequests: [request],
      versionIdentifiers: ["2"]
    )
    let difference = try ModelDifference(from: former, to: latter)
    #expect(difference.isSameVersion)
    #expect(
      difference.changes.map(\.element) == [
        .property(entity: "Order", name: "recent"), .fetchRequest("all"), .configuration("Local"), .model,
      ]
    )
    #expect(difference.changes.allSatisfy { !$0.changesHash })
  }

  @Test("row 45: a derived attribute is added and computed for existing rows")
  func row45() throws {
    let derivation = Derivation(expression: "uppercase:(note)")
    let derived = AttributeDescription.text("shout") { $0.derivation = derivation }
    let pair = try ModelPair([.text("note")], to: [.text("note"), derived])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
    #expect(try pair.attribute("shout") == AttributeMapping(origin: .derived(derivation)))
    #expect(try pair.losses() == [])
  }

  @Test("row 46: if a derivation or its input changes, it is computed again; if not, its values are kept")
  func row46() throws {
    let derivation = Derivation(expression: "uppercase:(note)")
    let former = AttributeDescription.text("shout") { $0.derivation = derivation }
    let latter = AttributeDescription.text("shout") { $0.derivation = Derivation(expression: "lowercase:(note)") }
    let pair = try ModelPair([.text("note"), former], to: [.text("note"), latter])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
    #expect(try pair.attribute("shout")?.origin == .derived(Derivation(expression: "lowercase:(note)")))
    let kept = try ModelPair([.text("note"), former], to: [.text("note"), .text("other"), former])
    #expect(try kept.attribute("shout") == AttributeMapping(origin: .source("shout")))
    let read = try ModelPair(
      [.text("note"), former],
      to: [AttributeDescription(name: "note", type: .string, defaultValue: .string("-")), former]
    )
    #expect(try read.attribute("shout")?.origin == .derived(derivation))
  }

  @Test("row 47: a composite attribute is added, and its elements change like attributes")
  func row47() throws {
    func address(_ elements: [AttributeDescription]) -> AttributeDescription {
      AttributeDescription(
        name: "address",
        type: .composite,
        isOptional: true,
        compositeName: "Address",
        elements: elements
      )
    }
    let added = try ModelPair([], to: [address([.text("city"), .number("zip")])])
    #expect(try added.entitiesWithNewHash() == ["Order"])
    #expect(added.difference.entitiesWithNewHash == ["Order"])
    #expect(
      try added.mapping().entityMappings[0].attributeMappings
        == PropertyMappings(attributes: [
          "address.city": AttributeMapping(origin: .constant(nil)),
          "address.zip": AttributeMapping(origin: .constant(nil)),
        ])
    )
    let changed = try ModelPair(
      [address([.text("city"), .number("zip", .integer16)])],
      to: [address([.text("town") { $0.renamingIdentifier = "city" }, .number("zip", .integer32)])]
    )
    #expect(try changed.entitiesWithNewHash() == ["Order"])
    #expect(changed.difference.entitiesWithNewHash == ["Order"])
    #expect(
      try changed.mapping().entityMappings[0].attributeMappings
        == PropertyMappings(attributes: [
          "address.town": AttributeMapping(origin: .source("address.city")),
          "address.zip": AttributeMapping(
            origin: .source("address.zip"),
            steps: [.convert(from: .integer16, to: .integer32)]
          ),
        ])
    )
  }

  @Test("row 48: SwiftData's originalName is a renaming identifier")
  func row48() throws {
    let pair = try ModelPair([.text("title")], to: [.text("name") { $0.renamingIdentifier = "title" }])
    #expect(try pair.attribute("name") == AttributeMapping(origin: .source("title")))
  }
}
