import ModelDescription
import Testing

@Suite("Entities and relationships in code")
struct EntityBuildingTests {
  @Test("Settings that are left out are Xcode's defaults for a new entity")
  func defaults() {
    #expect(
      Entity("Order").entityDescription
        == EntityDescription(name: "Order", className: "Order", codeGeneration: "class", isSyncable: true))
  }

  @Test("Everything about an entity itself")
  func words() {
    let entity = Entity(
      "Order", parent: "Document", isAbstract: true, objectClass: "ShopOrder", codeGeneration: .category,
      renamingIdentifier: "Purchase", versionHashModifier: "2", userInfo: ["k": "v"], syncable: .none)
    #expect(
      entity.entityDescription
        == EntityDescription(
          name: "Order", className: "ShopOrder", superentityName: "Document", isAbstract: true,
          renamingIdentifier: "Purchase", versionHashModifier: "2", userInfo: ["k": "v"], codeGeneration: "category"))
    let plain = Entity("Order", objectClass: .managedObject, codeGeneration: nil).entityDescription
    #expect(plain.className == nil && plain.codeGeneration == nil)
  }

  @Test("Scalars and the sync flag of all properties are said once, and otherwise for one")
  func flags() {
    let entity = Entity("Order", scalarValues: .nowhere, syncable: .withProperties) {
      Attribute("a", .integer16)
      Attribute("b", .integer16).usesScalarValueType(true).syncable(false)
      Relationship("c", toOne: "Order")
      FetchedProperty("d", of: "Order")
    }.entityDescription
    #expect(entity.attributes.map(\.usesScalarValueType) == [false, true])
    #expect(entity.attributes.map(\.isSyncable) == [true, false])
    #expect(entity.relationships.map(\.isSyncable) == [true])
    #expect(entity.fetchedProperties.map(\.isSyncable) == [true])
    let unsaid = Entity("Order", scalarValues: .unsaid) { Attribute("a", .date) }.entityDescription
    #expect(unsaid.attributes.map(\.usesScalarValueType) == [nil])
  }

  @Test("Relationships, word by word")
  func relationships() {
    let relationships = Entity("Order") {
      Relationship("a", toOne: "Customer", inverse: "orders")
      Relationship("a", toOne: "Customer").optional()
      Relationship("a", toOne: "Customer", deleteRule: .deny).minCount(1).optional()
      Relationship("a", toMany: "Row", inverse: "order", deleteRule: .cascade).ordered()
      Relationship("a", toMany: "Row").required().minCount(2).maxCount(5)
      Relationship("a", toMany: "Row", inverse: "order").inverseEntity("Line").transient().indexed()
      Relationship("a", toMany: "Row").renamingIdentifier("b").versionHashModifier("2").userInfo(["k": "v"]).syncable()
    }.entityDescription.relationships
    #expect(
      relationships == [
        RelationshipDescription(
          name: "a", destinationEntityName: "Customer", inverseName: "orders", inverseEntityName: "Customer",
          maxCount: 1),
        RelationshipDescription(name: "a", destinationEntityName: "Customer", isOptional: true, maxCount: 1),
        RelationshipDescription(
          name: "a", destinationEntityName: "Customer", isOptional: true, minCount: 1, maxCount: 1, deleteRule: .deny),
        RelationshipDescription(
          name: "a", destinationEntityName: "Row", inverseName: "order", inverseEntityName: "Row", isOptional: true,
          isOrdered: true, deleteRule: .cascade),
        RelationshipDescription(name: "a", destinationEntityName: "Row", minCount: 2, maxCount: 5),
        RelationshipDescription(
          name: "a", destinationEntityName: "Row", inverseName: "order", inverseEntityName: "Line", isOptional: true,
          isTransient: true, isIndexed: true),
        RelationshipDescription(
          name: "a", destinationEntityName: "Row", isOptional: true, renamingIdentifier: "b", versionHashModifier: "2",
          userInfo: ["k": "v"], isSyncable: true),
      ])
  }

  @Test("Indexes, constraints and fetched properties")
  func indexes() {
    let entity = Entity("Order") {
      FetchIndex("byDate", .descending("date"), .ascending("number"), partialIndexPredicate: "isPaid == YES")
      FetchIndex("byPlace", .rTree("latitude"), .rTree("longitude"))
      FetchIndex("byName", .init(subject: .expression("lowercase:(name)"), isAscending: false))
      CompoundIndex("date", "number")
      UniquenessConstraint("number")
      UniquenessConstraint("date", "customer")
      FetchedProperty("open", of: "Order", predicate: "isPaid == NO", settings: ["fetchLimit": "9"]).optional()
    }.entityDescription
    #expect(
      entity.fetchIndexes == [
        FetchIndexDescription(
          name: "byDate",
          elements: [
            .init(subject: .property("date"), isAscending: false), .init(subject: .property("number")),
          ],
          partialIndexPredicate: "isPaid == YES"),
        FetchIndexDescription(
          name: "byPlace",
          elements: [
            .init(subject: .property("latitude"), kind: .rTree), .init(subject: .property("longitude"), kind: .rTree),
          ]),
        FetchIndexDescription(
          name: "byName", elements: [.init(subject: .expression("lowercase:(name)"), isAscending: false)]),
      ])
    #expect(entity.compoundIndexes == [["date", "number"]])
    #expect(entity.uniquenessConstraints == [["number"], ["date", "customer"]])
    #expect(
      entity.fetchedProperties == [
        FetchedPropertyDescription(
          name: "open", isOptional: true,
          fetchRequest: FetchRequestDescription(
            name: "fetchedPropertyFetchRequest", entityName: "Order", predicate: "isPaid == NO",
            settings: ["fetchLimit": "9"]))
      ])
  }

  @Test("Conditions, loops and optional parts; the values themselves are parts too")
  func control() {
    func entity(isNew: Bool, extra: AttributeDescription?) -> [String] {
      Entity("E") {
        Attribute("first", .string)
        if isNew { Attribute("new", .string) } else { Attribute("old", .string) }
        for number in 1...3 { Attribute("line\(number)", .string) }
        if let extra { extra }
        switch isNew {
        case true: Attribute("yes", .string)
        case false: Attribute("no", .string)
        }
      }.entityDescription.attributes.map(\.name)
    }
    #expect(entity(isNew: true, extra: nil) == ["first", "new", "line1", "line2", "line3", "yes"])
    let extra = AttributeDescription(name: "extra", type: .string)
    #expect(entity(isNew: false, extra: extra) == ["first", "old", "line1", "line2", "line3", "extra", "no"])
  }
}
