import MappingModels
import ModelDescription
import ModelFiles
import Testing

/// A mapping model held against the models as they are now.
struct XcodeMappingDriftTests {
  @Test func bothSidesAreCompared() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Item", attributes: [AttributeDescription(name: "title", type: .string)])
    ])
    var changed = model
    changed.entities[0].attributes[0].type = .date
    let file = try XcodeMappingFixture(source: model, destination: model, mappings: [.init("Item", "Item")]).read()
    let (then, now) = (try EntityHierarchy(model), try EntityHierarchy(changed))
    #expect(try file.drift(source: then, destination: then).isEmpty)
    #expect(try file.drift(source: nil, destination: nil).isEmpty)
    #expect(
      try file.drift(source: now, destination: now).map(\.sentence) == [
        "source entity Item: attribute title was String when the mapping was made and is Date now",
        "destination entity Item: attribute title was String when the mapping was made and is Date now",
      ])
    let problems = try file.compiled().findings(from: then, to: now)
    #expect(
      problems.first == MappingFinding(.error, mapping: "ItemToItem", .otherVersion(.destination, entity: "Item")))
  }
}
