import ModelComparison
import ModelDescription
import Testing

@Suite("The order of a difference")
struct DifferenceOrderTests {
  private let former = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Zebra",
      attributes: [
        AttributeDescription(name: "stripes", type: .integer16), AttributeDescription(name: "age", type: .integer16),
      ]
    ),
    EntityDescription(name: "Ape", attributes: [AttributeDescription(name: "name", type: .string)]),
    EntityDescription(name: "Gone"),
  ])
  private let latter = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Zebra",
      attributes: [
        AttributeDescription(name: "stripes", type: .integer32, isOptional: true),
        AttributeDescription(name: "age", type: .integer32),
      ],
      versionHashModifier: "2"
    ),
    EntityDescription(name: "Ape", attributes: [AttributeDescription(name: "title", type: .string)]),
    EntityDescription(name: "Bee"),
  ])

  @Test("entities in the order of their numbers, their own changes first, properties by name, removed entities last")
  func order() throws {
    let changes = try ModelDifference(from: former, to: latter).changes
    #expect(
      changes.map { "\($0.element) \($0.kind)" } == [
        "Ape.name removed",
        "Ape.title added",
        "Bee added",
        "Zebra changed(ModelComparison.Aspect.versionHashModifier, from: none, to: 2)",
        "Zebra.age changed(ModelComparison.Aspect.type, from: Integer 16, to: Integer 32)",
        "Zebra.stripes changed(ModelComparison.Aspect.type, from: Integer 16, to: Integer 32)",
        "Zebra.stripes changed(ModelComparison.Aspect.optional, from: no, to: yes)",
        "Gone removed",
      ]
    )
  }

  @Test("the order of the sources does not matter")
  func shuffled() throws {
    func reversed(_ model: ManagedObjectModel) -> ManagedObjectModel {
      var model = model
      model.entities.reverse()
      for position in model.entities.indices { model.entities[position].attributes.reverse() }
      return model
    }
    #expect(
      try ModelDifference(from: former, to: latter) == ModelDifference(from: reversed(former), to: reversed(latter))
    )
  }

  @Test("equal models differ in nothing")
  func equal() throws {
    let difference = try ModelDifference(from: latter, to: latter)
    #expect(difference.changes == [])
    #expect(difference.hints == [])
    #expect(difference.isSameVersion)
  }

  @Test("a model that is not a hierarchy cannot be compared")
  func broken() {
    let broken = ManagedObjectModel(entities: [EntityDescription(name: "A", superentityName: "B")])
    #expect(throws: ModelStructureError.unknownSuperentity(entity: "A", superentity: "B")) {
      try ModelDifference(from: broken, to: latter)
    }
  }

  @Test("two properties of one name, of any kind, cannot be distinguished")
  func ambiguous() {
    let attribute = AttributeDescription(name: "x", type: .string)
    let relationship = RelationshipDescription(name: "x", destinationEntityName: "A")
    for entity in [
      EntityDescription(name: "A", attributes: [attribute, AttributeDescription(name: "x", type: .date)]),
      EntityDescription(name: "A", attributes: [attribute], relationships: [relationship]),
      EntityDescription(name: "A", relationships: [relationship, relationship]),
    ] {
      #expect(throws: ModelStructureError.duplicateProperty(entity: "A", name: "x")) {
        try ModelDifference(from: ManagedObjectModel(entities: [entity]), to: latter)
      }
    }
  }
}
