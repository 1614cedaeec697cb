import ModelComparison
import ModelDescription
import Testing

@Suite("A renaming identifier that equals the element's own name has no effect")
struct IdleIdentifierTests {
  private func model(
    _ name: String, _ identifier: String?, entity: String? = nil, relationship: String? = nil
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Order",
        attributes: [AttributeDescription(name: name, type: .string, renamingIdentifier: identifier)],
        relationships: [
          RelationshipDescription(
            name: "next", destinationEntityName: "Order", isOptional: true, maxCount: 1,
            renamingIdentifier: relationship)
        ],
        renamingIdentifier: entity)
    ])
  }

  @Test("Adding or removing it is not a change")
  func noChange() throws {
    let (plain, full) = (model("note", nil), model("note", "note", entity: "Order", relationship: "next"))
    #expect(try ModelDifference(from: plain, to: full).changes.isEmpty)
    #expect(try ModelDifference(from: full, to: plain).changes.isEmpty)
    #expect(try ModelDifference(from: plain, to: model("note", "memo")).changes.count == 1)
  }

  @Test("With a rename, the identifier is reported as added", arguments: [nil, "note"])
  func rename(_ former: String?) throws {
    let changes = try ModelDifference(from: model("note", former), to: model("remark", "note")).changes
    #expect(changes.count == 2)
    #expect(changes.contains { $0.kind == .changed(.renamingIdentifier, from: .none, to: .text("note")) })
  }

  @Test("An element continues the element of the previous version with its identifier")
  func origin() throws {
    func origin(_ name: String, _ former: ManagedObjectModel, _ model: ManagedObjectModel) throws -> ElementOrigin? {
      EntityPairing(from: try EntityHierarchy(former), to: try EntityHierarchy(model))
        .origin(of: .property(entity: "Order", name: name))
    }
    #expect(try origin("note", model("note", nil), model("note", nil)) == .continues(canonicalName: "note"))
    #expect(try origin("note", model("note", "memo"), model("note", nil)) == .continues(canonicalName: "memo"))
    #expect(try origin("remark", model("note", "memo"), model("remark", "note")) == .continues(canonicalName: "memo"))
    #expect(try origin("remark", model("note", nil), model("remark", nil)) == .added)
    #expect(try origin("next", model("note", nil), model("note", nil)) == .continues(canonicalName: "next"))
    #expect(try origin("gone", model("note", nil), model("note", nil)) == nil)
  }
}
