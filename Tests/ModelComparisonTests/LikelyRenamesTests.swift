import ModelComparison
import ModelDescription
import Testing

@Suite("Likely renames between two models")
struct LikelyRenamesTests {
  private func entity(
    _ name: String, _ attributes: [(name: String, type: AttributeType)], identifier: String? = nil
  ) -> EntityDescription {
    EntityDescription(
      name: name, attributes: attributes.map { AttributeDescription(name: $0.name, type: $0.type) },
      renamingIdentifier: identifier)
  }

  private func renames(_ former: EntityDescription, _ latter: EntityDescription) throws -> [String: String] {
    let found = try ModelDifference.likelyRenames(
      from: ManagedObjectModel(entities: [former]), to: ManagedObjectModel(entities: [latter]))
    return Dictionary(uniqueKeysWithValues: found.map { ("\($0.key)", $0.value) })
  }

  @Test("A property of a renamed entity is found after the entity")
  func inRounds() throws {
    let former = entity("Order", [("date", .date), ("note", .string), ("total", .double)])
    let latter = entity("Purchase", [("date", .date), ("note", .string), ("sum", .double)])
    #expect(try renames(former, latter) == ["Purchase": "Order", "Purchase.sum": "total"])
  }

  @Test("The first name counts, not the previous one")
  func canonicalName() throws {
    let former = entity("Order", [("date", .date)], identifier: "Purchase")
    #expect(try renames(former, entity("Sale", [("date", .date)])) == ["Sale": "Purchase"])
  }

  @Test("No hint if the change may be something else, or if the model defines it")
  func nothing() throws {
    let former = entity("Order", [("a", .date), ("b", .date)])
    #expect(try renames(former, entity("Order", [("c", .date), ("d", .date)])) == [:])
    #expect(try renames(former, entity("Order", [("a", .date), ("c", .string)])) == [:])
    #expect(try renames(former, entity("Sale", [("a", .date), ("b", .date)], identifier: "Order")) == [:])
    #expect(try renames(former, former) == [:])
    var derived = entity("Order", [("a", .date), ("c", .date)])
    derived.attributes[1].derivation = Derivation(expression: "now()")
    #expect(try renames(former, derived) == [:])
  }

  @Test("The position is not enough if the names and the settings differ")
  func positionOnly() throws {
    let former = entity("Mood", [("creatorID", .string), ("date", .date)])
    var latter = entity("Mood", [("caption", .string), ("date", .date)])
    #expect(try renames(former, latter) == ["Mood.caption": "creatorID"])
    latter.attributes[0].isOptional = false
    latter.attributes[0].defaultValue = .string("")
    #expect(try renames(former, latter) == [:])
    latter.attributes[0].name = "creator"
    #expect(try renames(former, latter) == ["Mood.creator": "creatorID"])
  }
}
