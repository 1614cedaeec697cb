import MappingModels
import ModelDescription
import Testing

/// The changes of a model since a mapping was made from it.
struct MappingDriftTests {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Order",
      attributes: [
        AttributeDescription(name: "note", type: .string, isOptional: true),
        AttributeDescription(name: "total", type: .integer32),
      ],
      relationships: [
        RelationshipDescription(name: "items", destinationEntityName: "Item", isOptional: true)
      ]),
    EntityDescription(name: "Item"),
    EntityDescription(name: "Gift", superentityName: "Item"),
  ])

  private func drift(_ change: (inout ManagedObjectModel) -> Void) throws -> [MappingDrift] {
    var changed = Self.model
    change(&changed)
    return try MappingDrift.between(EntityHierarchy(Self.model), and: EntityHierarchy(changed), side: .source)
  }

  private func sentences(_ change: (inout ManagedObjectModel) -> Void) throws -> [String] {
    try drift(change).map(\.sentence)
  }

  @Test func nothing() throws {
    #expect(try drift { _ in }.isEmpty)
  }

  @Test func whatEntersNoHashIsNoDrift() throws {
    #expect(
      try drift {
        $0.entities[0].className = "AppOrder"
        $0.entities[0].attributes[1].defaultValue = .integer(3)
      }.isEmpty)
  }

  @Test func aChangedType() throws {
    let drift = try drift { $0.entities[0].attributes[1].type = .integer64 }
    #expect(
      drift.map(\.description) == [
        "source entity Order: attribute total was Integer 32 when the mapping was made and is Integer 64 now"
      ])
    #expect(drift[0].entity == "Order")
    #expect(drift[0].property == "total")
  }

  @Test func otherSettings() throws {
    #expect(
      try sentences { $0.entities[0].attributes[0].isOptional = false } == [
        "source entity Order: attribute note was optional when the mapping was made and is not optional now"
      ])
    #expect(
      try sentences { $0.entities[0].relationships[0].destinationEntityName = "Gift" } == [
        "source entity Order: relationship items had the destination Item when the mapping was made and has Gift now"
      ])
    #expect(
      try sentences { $0.entities[0].uniquenessConstraints = [["note"]] } == [
        "source entity Order: it had the uniqueness constraints none when the mapping was made and has (note) now"
      ])
  }

  @Test func propertiesThatCameAndWent() throws {
    #expect(
      try sentences {
        $0.entities[0].attributes[0] = AttributeDescription(name: "text", type: .string, isOptional: true)
      } == [
        "source entity Order: attribute note existed when the mapping was made and is removed now",
        "source entity Order: attribute text did not exist when the mapping was made and exists now",
      ])
  }

  @Test func entitiesThatCameAndWent() throws {
    #expect(
      try sentences {
        $0.entities[2] = EntityDescription(
          name: "Box", attributes: [AttributeDescription(name: "size", type: .double)])
      } == [
        "source entity Box: it did not exist when the mapping was made and exists now",
        "source entity Gift: it existed when the mapping was made and is removed now",
      ])
  }

  @Test func subentitiesFollow() throws {
    #expect(
      try sentences { $0.entities[1].versionHashModifier = "2" } == [
        "source entity Item: it had the version hash modifier none when the mapping was made and has 2 now",
        "source entity Gift: it has a different hash because its ancestor Item changed",
      ])
  }
}
