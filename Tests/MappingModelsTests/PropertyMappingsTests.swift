import MappingModels
import Testing

@Suite("Property mappings")
struct PropertyMappingsTests {
  @Test("lookup by source relationship follows every change of the mappings")
  func continuing() {
    var entity = EntityMapping(
      source: "Order", destination: "Order",
      relationshipMappings: PropertyMappings(relationships: [
        "items": RelationshipMapping(source: "items"), "lines": RelationshipMapping(source: "items"),
        "payer": RelationshipMapping(source: nil),
      ]))
    #expect(entity.relationships(continuing: "items").map(\.name) == ["items", "lines"])
    #expect(entity.relationships(continuing: "payer").isEmpty)
    entity.relationshipMappings[0].value = .relationship(RelationshipMapping(source: "customer"))
    entity.relationshipMappings[2].value = .relationship(RelationshipMapping(source: "customer"))
    #expect(entity.relationships(continuing: "items").map(\.name) == ["lines"])
    #expect(entity.relationships(continuing: "customer").map(\.name) == ["items", "payer"])
    entity.relationshipMappings.removeFirst()
    entity.relationshipMappings[0].value = .unset
    #expect(entity.relationships(continuing: "items").isEmpty)
    #expect(entity.relationships(continuing: "customer").map(\.name) == ["payer"])
  }
}
