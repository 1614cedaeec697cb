import MappingModels
import ModelDescription
import Testing
import VersionHashing

/// Every problem of a mapping, found in the smallest mapping that has it.
struct MappingFindingTests {
  static let source = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Order",
      attributes: [
        AttributeDescription(name: "note", type: .string, isOptional: true),
        AttributeDescription(name: "total", type: .integer32),
      ],
      relationships: [
        RelationshipDescription(
          name: "customer", destinationEntityName: "Customer", inverseName: "orders", isOptional: true, maxCount: 1)
      ]),
    EntityDescription(
      name: "Customer", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "orders", destinationEntityName: "Order", inverseName: "customer", isOptional: true)
      ]),
  ])
  static let destination: ManagedObjectModel = {
    var model = source
    model.entities[0].attributes += [
      AttributeDescription(name: "state", type: .string),
      AttributeDescription(name: "rank", type: .integer16, defaultValue: .integer(3)),
      AttributeDescription(name: "cached", type: .string, isOptional: true, isTransient: true),
    ]
    model.entities.append(EntityDescription(name: "Thing", isAbstract: true))
    return model
  }()

  private static func from(_ keys: String...) -> PropertyMapping.Value {
    .expression(.keyPath(keys, of: .variable("source")))
  }

  private static func made(by mapping: String, _ key: String) -> PropertyMapping.Value {
    .expression(
      .invocation(
        of: .variable("manager"), selector: "destinationInstancesForEntityMappingNamed:sourceInstances:",
        arguments: [.constant(.string(mapping)), .keyPath([key], of: .variable("source"))]))
  }

  private static func made(byMappingsOf key: String) -> PropertyMapping.Value {
    .expression(
      .invocation(
        of: .variable("manager"), selector: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
        arguments: [.constant(.string(key)), .keyPath([key], of: .variable("source"))]))
  }

  private static func property(_ name: String, _ value: PropertyMapping.Value) -> PropertyMapping {
    PropertyMapping(name: name, value: value)
  }

  /// A mapping without any problem; tests change it.
  private static let sound: MappingModel = MappingModel(entityMappings: [
    EntityMapping(
      name: "Orders", kind: .copy, source: "Order", destination: "Order",
      attributeMappings: [
        property("note", from("note")), property("rank", .expression(.constant(.integer(1)))),
        property("state", .expression(.constant(.string("new")))), property("total", from("total")),
      ],
      relationshipMappings: [property("customer", made(by: "Customers", "customer"))]),
    EntityMapping(
      name: "Customers", kind: .copy, source: "Customer", destination: "Customer",
      attributeMappings: [property("name", from("name"))],
      relationshipMappings: [property("orders", made(byMappingsOf: "orders"))]),
  ])

  private func findings(
    source: ManagedObjectModel = Self.source, destination: ManagedObjectModel = Self.destination,
    policies: Set<String> = [], _ change: (inout MappingModel) -> Void = { _ in }
  ) throws -> [MappingFinding] {
    var mapping = Self.sound
    change(&mapping)
    return mapping.findings(from: try EntityHierarchy(source), to: try EntityHierarchy(destination)) {
      policies.contains($0)
    }
  }

  private func texts(
    policies: Set<String> = [], _ change: (inout MappingModel) -> Void
  ) throws -> [String] {
    try findings(policies: policies, change).map(\.description)
  }

  @Test func aSoundMappingHasNone() throws {
    #expect(try findings().isEmpty)
  }

  @Test func aMappingMadeForAnotherVersion() throws {
    let hashes = try VersionHashes(of: Self.source).entities
    #expect(
      try texts {
        $0.entityMappings[0].sourceVersionHash = hashes["Order"]
        $0.entityMappings[0].destinationVersionHash = hashes["Order"]
      } == [
        "error: Orders: it was made for a different version of the destination entity Order; check the changes"
          + " in the entity, adapt the mapping, then refresh it: in Xcode by Editor > Refresh Data Models"
      ])
  }

  @Test func unknownEntities() throws {
    #expect(
      try texts {
        $0.entityMappings[0].source = "Ordr"
        $0.entityMappings[0].destination = "Oder"
      } == [
        "error: Orders: the source model has no entity “Ordr”; nearest: Order; correct the name, or remove"
          + " this part of the mapping model",
        "error: Orders: the destination model has no entity “Oder”; nearest: Order; correct the name, or"
          + " remove this part of the mapping model",
        "warning: Customers.orders: no entity mapping reads Order, so orders gets no objects; add an entity mapping that"
          + " reads these objects, or delete the property mapping",
        "warning: no entity mapping reads Order: all its objects are lost, although the destination also has this entity; add"
          + " an entity mapping with the source Order, or an entity mapping without a destination to delete its objects",
        "note: no entity mapping creates objects of Order, so it starts empty; add an entity mapping if the entity"
          + " needs objects",
      ])
  }

  @Test func unknownAndMisplacedProperties() throws {
    let found = try findings {
      $0.entityMappings[0].attributeMappings += [
        Self.property("nots", Self.from("note")), Self.property("customer", .unset), Self.property("cached", .unset),
      ]
      $0.entityMappings[0].relationshipMappings.append(Self.property("total", .unset))
    }
    #expect(
      found.filter { $0.severity == .error && !$0.sentence.hasSuffix("twice") } == [
        MappingFinding(
          .error, mapping: "Orders", property: "nots",
          .unknownProperty("nots", of: "Order", near: ["note"])),
        MappingFinding(
          .error, mapping: "Orders", property: "customer",
          .wrongPropertyKind("customer", of: "Order", isAttribute: false)),
        MappingFinding(
          .error, mapping: "Orders", property: "total", .wrongPropertyKind("total", of: "Order", isAttribute: true)),
      ])
    #expect(
      found.filter { $0.severity == .note } == [
        MappingFinding(.note, mapping: "Orders", property: "cached", .notStored("cached", of: "Order"))
      ])
  }

  @Test func twoOfOneName() throws {
    #expect(
      try texts {
        $0.entityMappings[1].name = "Orders"
        $0.entityMappings[0].relationshipMappings = [Self.property("customer", .unset)]
        $0.entityMappings[0].attributeMappings.append(Self.property("note", .unset))
      } == [
        "error: Orders.note: note is mapped twice; remove one of the two mappings",
        "error: Orders: another entity mapping has the same name, and expressions refer to mappings by name; give"
          + " one of them another name",
      ])
  }

  @Test func aMappingOfNothing() throws {
    #expect(
      try findings {
        $0.entityMappings.append(EntityMapping(name: "Empty", kind: .undefined, source: nil, destination: nil))
      } == [MappingFinding(.error, mapping: "Empty", .noEntities)])
  }

  @Test func objectsOfAnAbstractEntity() throws {
    let thing = EntityMapping(name: "Things", kind: .copy, source: "Customer", destination: "Thing")
    #expect(
      try findings { $0.entityMappings.append(thing) }.contains(
        MappingFinding(.error, mapping: "Things", .abstractDestination("Thing"))))
    let seeds = EntityMapping(name: "Seeds", kind: .add, source: nil, destination: "Thing")
    #expect(try findings { $0.entityMappings.append(seeds) }.isEmpty)
  }

  @Test func sourceEntitiesThatNobodyReads() throws {
    let gone = MappingFinding(.warning, .uncoveredSource("Customer", isInDestination: true))
    #expect(try findings { $0.entityMappings.removeLast() }.contains(gone))
    #expect(
      try !findings {
        $0.entityMappings.removeLast()
        $0.droppedData = ["Customer"]
      }.contains(gone))
    #expect(
      try !findings {
        $0.entityMappings[1] = EntityMapping(name: "Gone", kind: .remove, source: "Customer", destination: nil)
      }.contains(gone))
  }

  @Test func whatNothingFills() throws {
    #expect(
      try texts { $0.entityMappings[0].attributeMappings.removeAll { $0.name != "total" } } == [
        "note: Orders.note: nothing fills Order.note, so it has no value; give it an expression if it needs another"
          + " value",
        "note: Orders.rank: nothing fills Order.rank, so it gets the default value 3; give it an expression"
          + " if it needs another value",
        "error: Orders.state: nothing fills Order.state, and it is required; give it an expression, or a default"
          + " value in the model",
      ])
    let unset = try findings { $0.entityMappings[0].attributeMappings[2].value = .unset }
    #expect(
      unset == [
        MappingFinding(.error, mapping: "Orders", property: "state", .unfilledRequired("state", of: "Order"))
      ])
    let policy = try findings(policies: ["App.Policy"]) {
      $0.entityMappings[0].attributeMappings[2].value = .unset
      $0.entityMappings[0].policyClassName = "App.Policy"
    }
    #expect(policy.map(\.severity) == [.warning])
    let replacement = try findings {
      $0.entityMappings[0].attributeMappings[2].value = .unset
      $0.entityMappings[0].policyClassName = "App.Policy"
      $0.policyReplacements["App.Policy"] = PolicyReplacement(attributes: ["state": "'new'"])
    }
    #expect(replacement.isEmpty)
  }

  /// Either end of a relationship makes the links.
  @Test func aRelationshipIsFilledFromEitherEnd() throws {
    var destination = Self.destination
    destination.entities[0].relationships[0].isOptional = false
    let required = MappingFinding(
      .error, mapping: "Orders", property: "customer", .unfilledRequired("customer", of: "Order"))
    #expect(
      try findings(destination: destination) { $0.entityMappings[0].relationshipMappings[0].value = .unset }.isEmpty)
    #expect(
      try findings(destination: destination) {
        $0.entityMappings[0].relationshipMappings = []
        $0.entityMappings[1].relationshipMappings = []
      } == [
        required,
        MappingFinding(
          .note, mapping: "Customers", property: "orders", .unfilled("orders", of: "Customer", gets: .noObjects)),
      ])
  }

  @Test func expressionsWithoutMeaning() throws {
    let wrongType = try findings { $0.entityMappings[0].attributeMappings[3].value = Self.from("note") }
    #expect(
      wrongType.map(\.description) == [
        "error: Orders.total: $source.note: a value of type String cannot be assigned to total, an attribute of"
          + " type Integer 32; write CAST(…, \"NSNumber\"); correct the expression"
      ])
    let unknownKey = try findings { $0.entityMappings[0].attributeMappings[3].value = Self.from("totl") }
    #expect(unknownKey[0].sentence.hasPrefix("$source.totl: Order has no property “totl”; nearest:"))
    let several = try findings { $0.entityMappings[1].attributeMappings[0].value = Self.from("orders", "note") }
    #expect(several[0].sentence.contains("several values of type String"))
    let filter = try findings { $0.entityMappings[0].filter = .keyPath(["note"], of: .selfObject) }
    #expect(filter.map(\.severity) == [.error])
    #expect(filter[0].sentence.hasPrefix("the filter: note: a condition is needed"))
    let link = try findings { $0.entityMappings[1].relationshipMappings[0].value = Self.made(byMappingsOf: "orderz") }
    #expect(link[0].sentence.contains("has no property “orderz”"))
    let mapping = try findings {
      $0.entityMappings[0].relationshipMappings[0].value = Self.made(by: "Customer", "customer")
    }
    #expect(mapping[0].sentence.contains("the mapping model has no entity mapping “Customer”; nearest: Customers"))
  }

  /// A policy in code may replace what the generated expression cannot give.
  @Test func aValueThatAPolicyReplacesIsAWarning() throws {
    let found = try findings(policies: ["App.Policy"]) {
      $0.entityMappings[0].attributeMappings[3].value = Self.from("note")
      $0.entityMappings[0].policyClassName = "App.Policy"
    }
    #expect(found.map(\.severity) == [.warning])
  }

  @Test func objectsThatARelationshipDoesNotLeadTo() throws {
    let direct = try findings {
      $0.entityMappings[0].relationshipMappings[0].value = Self.made(by: "Customers", "customer")
      $0.entityMappings[1].destination = "Order"
      $0.entityMappings[1].attributeMappings = []
      $0.entityMappings[1].relationshipMappings = []
    }
    #expect(
      direct.contains(
        MappingFinding(
          .error, mapping: "Orders", property: "customer",
          .otherObjects(mapping: nil, makes: "Order", relationship: "customer", wants: "Customer"))))
    let all = try findings {
      $0.entityMappings.append(
        EntityMapping(name: "Copies", kind: .copy, source: "Order", destination: "Customer"))
    }
    #expect(
      all.contains(
        MappingFinding(
          .warning, mapping: "Customers", property: "orders",
          .otherObjects(mapping: "Copies", makes: "Customer", relationship: "orders", wants: "Order"))))
  }

  @Test func policiesThatOnlyAnAppHas() throws {
    let call = ValueExpression.invocation(
      of: .variable("entityPolicy"), selector: "stateOf:", arguments: [.variable("source")])
    let missing = MappingFinding(.error, mapping: "Orders", .missingPolicy("App.Policy"))
    func change(_ mapping: inout MappingModel) {
      mapping.entityMappings[0].policyClassName = "App.Policy"
      mapping.entityMappings[0].attributeMappings[2].value = .expression(.function("uppercase:", [call]))
    }
    #expect(try findings(change) == [missing])
    #expect(missing.sentence == "the policy class App.Policy exists only in an app, and it has no replacement here")
    #expect(try findings(policies: ["App.Policy"], change).isEmpty)
    let asDefault = try findings {
      change(&$0)
      $0.policyReplacements["App.Policy"] = PolicyReplacement()
    }
    #expect(
      asDefault == [
        MappingFinding(
          .error, mapping: "Orders", property: "state",
          .missingFunction(selector: "stateOf:", policy: "App.Policy"))
      ])
    #expect(
      try findings {
        change(&$0)
        $0.policyReplacements["App.Policy"] = PolicyReplacement(functions: ["stateOf:": "$1"])
      }.isEmpty)
    #expect(
      try findings {
        change(&$0)
        $0.entityMappings[0].policyClassName = nil
      } == [
        MappingFinding(.error, mapping: "Orders", property: "state", .functionWithoutPolicy(selector: "stateOf:"))
      ])
  }

  @Test func entitiesThatChangePlaces() throws {
    let mapping = MappingModel(entityMappings: [
      EntityMapping(name: "A", kind: .copy, source: "Order", destination: "Customer"),
      EntityMapping(name: "B", kind: .copy, source: "Customer", destination: "Order"),
    ])
    let found = mapping.findings(from: try EntityHierarchy(Self.source), to: try EntityHierarchy(Self.source))
    #expect(found.last == MappingFinding(.warning, .entityCycle(["Order", "Customer"])))
    #expect(found.last?.sentence == "objects change entities in a circle: Order → Customer → Order")
  }
}
