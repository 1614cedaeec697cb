import ModelDescription
import Testing
import VersionHashing

/// The union of several models.
@Suite("Merged models")
struct MergedModelTests {
  private static let order = EntityDescription(
    name: "Order", attributes: [AttributeDescription(name: "total", type: .double, isOptional: true)])
  private static let note = EntityDescription(
    name: "Note", attributes: [AttributeDescription(name: "text", type: .string, isOptional: true)])

  private static func merged(_ models: ManagedObjectModel...) throws -> MergedModel {
    try MergedModel(try models.map { ($0, try VersionHashes(of: $0)) })
  }

  @Test("It has the entities of all, with their own hashes; one that is equal in two is one")
  func union() throws {
    let one = ManagedObjectModel(
      entities: [Self.order, Self.note], configurations: [ModelConfiguration(name: "Local", entityNames: ["Order"])])
    let other = ManagedObjectModel(
      entities: [Self.note, EntityDescription(name: "Tag")],
      configurations: [ModelConfiguration(name: "Local", entityNames: ["Tag"])])
    let union = try Self.merged(one, other)
    #expect(union.model.entities.map(\.name) == ["Order", "Note", "Tag"])
    #expect(union.model.configurations == [ModelConfiguration(name: "Local", entityNames: ["Order", "Tag"])])
    #expect(union.hashes == (try VersionHashes(of: union.model)))
  }

  @Test("Entities of one name that differ are refused")
  func clash() throws {
    var other = Self.order
    other.attributes[0].type = .integer64
    #expect(throws: ModelMergeError(.differentEntities("Order"), first: 0, second: 2)) {
      try Self.merged(
        ManagedObjectModel(entities: [Self.order]), ManagedObjectModel(entities: [Self.note]),
        ManagedObjectModel(entities: [other]))
    }
  }

  @Test("Composite types of one name that differ are refused")
  func composites() throws {
    let model = { (name: String, type: AttributeType) in
      ManagedObjectModel(
        entities: [EntityDescription(name: name)],
        composites: [
          CompositeDescription(name: "Place", elements: [AttributeDescription(name: "x", type: type)])
        ])
    }
    #expect(try Self.merged(model("A", .double), model("B", .double)).model.composites.count == 1)
    #expect(throws: ModelMergeError(.differentComposites("Place"), first: 0, second: 1)) {
      try Self.merged(model("A", .double), model("B", .float))
    }
  }

  @Test("A relationship that leads into another bundle is refused, one that leads nowhere is not")
  func destinations() throws {
    var order = Self.order
    order.relationships = [RelationshipDescription(name: "note", destinationEntityName: "Note")]
    let lonely = ManagedObjectModel(entities: [order])
    #expect(throws: Never.self) { try Self.merged(lonely, ManagedObjectModel(entities: [])) }
    let error = ModelMergeError(
      .foreignDestination(entity: "Order", relationship: "note", destination: "Note"), first: 0, second: 1)
    #expect(throws: error) { try Self.merged(lonely, ManagedObjectModel(entities: [Self.note])) }
    #expect(
      error.description(of: "A", and: "B").hasPrefix("A: Order.note points to Note, which is only in B, but"))
  }
}
