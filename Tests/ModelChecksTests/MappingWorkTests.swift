import MappingModels
import ModelDescription
import Testing

@testable import ModelChecks

@Suite("What a mapping model does that inference does not do")
struct MappingWorkTests {
  private func clauses(fillingNoteBy text: String) throws -> [String] {
    let order = EntityDescription(name: "Order", attributes: [AttributeDescription(name: "note", type: .string)])
    let model = try EntityHierarchy(ManagedObjectModel(entities: [order]))
    let note = PropertyMapping(name: "note", value: .expression(try ValueExpression(parsing: text)))
    let entity = EntityMapping(source: "Order", destination: "Order", attributeMappings: [note])
    return MappingWork(of: MappingModel(entityMappings: [entity]), in: ModelStep(from: model, to: model)).clauses
  }

  @Test(
    "The value as it is, and with a constant in the place of nil, is a copy",
    arguments: [
      "$source.note", "TERNARY($source.note == nil, \"none\", $source.note)",
      "TERNARY(nil == $source.note, \"none\", $source.note)",
    ])
  func copies(_ text: String) throws {
    #expect(try clauses(fillingNoteBy: text) == [])
  }

  @Test(
    "A computed value is not a copy, and a constant with the property's name is not a copy",
    arguments: ["uppercase:($source.note)", "\"note\""])
  func work(_ text: String) throws {
    #expect(try clauses(fillingNoteBy: text) == ["fills Order.note"])
  }
}
