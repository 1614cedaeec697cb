import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import Testing
import VersionHashing

/// The rules by which Xcode's compiler decides what a mapping model leaves open.
struct MappingCompilationTests {
  static let source = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Thing", isAbstract: true, attributes: [AttributeDescription(name: "created", type: .date)],
      relationships: [RelationshipDescription(name: "owner", destinationEntityName: "Person", maxCount: 1)]),
    EntityDescription(
      name: "Book", superentityName: "Thing", attributes: [AttributeDescription(name: "title", type: .string)],
      relationships: [RelationshipDescription(name: "related", destinationEntityName: "Thing")]),
    EntityDescription(name: "Disc", superentityName: "Thing"),
    EntityDescription(
      name: "Person", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(name: "things", destinationEntityName: "Thing"),
        RelationshipDescription(name: "town", destinationEntityName: "Town", maxCount: 1),
      ]),
    EntityDescription(name: "Town"),
  ])
  static let destination: ManagedObjectModel = {
    var model = source
    model.entities[1].attributes.append(AttributeDescription(name: "isbn", type: .string, isOptional: true))
    model.entities[1].attributes.append(AttributeDescription(name: "related2", type: .string, isOptional: true))
    model.entities.append(
      EntityDescription(
        name: "Place", relationships: [RelationshipDescription(name: "people", destinationEntityName: "Person")]))
    return model
  }()

  typealias Mapping = XcodeMappingFixture.Mapping

  private func compile(_ mappings: [Mapping]) throws -> MappingCompilation {
    try XcodeMappingFixture(source: Self.source, destination: Self.destination, mappings: mappings).read().compilation()
  }

  private func compiled(_ mapping: Mapping, beside others: [Mapping] = []) throws -> EntityMapping {
    try #require(try compile([mapping] + others).mapping.entityMappings.first)
  }

  private let book = Mapping("Book", "Book", number: 20)
  private let person = Mapping("Person", "Person", number: 21)

  @Test func mappingsComeByNumberAndPropertiesByName() throws {
    let compilation = try compile([
      Mapping("Person", "Person", number: 2, attributes: [.init("name")]),
      Mapping("Book", "Book", number: 1, attributes: [.init("title"), .init("created"), .init("isbn")]),
    ])
    #expect(compilation.mapping.entityMappings.map(\.name) == ["BookToBook", "PersonToPerson"])
    #expect(compilation.mapping.entityMappings[0].attributeMappings.map(\.name) == ["created", "isbn", "title"])
  }

  @Test func namesAndKinds() throws {
    let mappings = try compile([
      Mapping("Book", "Book", number: 1),
      Mapping("Book", "Disc", number: 2, ["name": .text("Records")]),
      Mapping(nil, "Place", number: 3),
      Mapping("Town", nil, number: 4),
      Mapping("Person", "Person", number: 5, ["migrationpolicyclassname": .text("App.Policy")]),
      Mapping(nil, "Thing", number: 6, ["migrationpolicyclassname": .text("App.Policy")]),
    ]).mapping.entityMappings
    #expect(mappings.map(\.name) == ["BookToBook", "Records", "Place", "Town", "PersonToPerson", "Thing"])
    #expect(mappings.map(\.kind) == [.copy, .copy, .add, .remove, .custom, .custom])
    #expect(mappings.map(\.policyClassName) == [nil, nil, nil, nil, "App.Policy", "App.Policy"])
  }

  @Test func twoMappingsOfOneNameAreRefused() {
    let first = SourceLocation(file: "xcmapping.xml", line: 4, column: 1)
    let second = SourceLocation(file: "xcmapping.xml", line: 5, column: 1)
    #expect(
      throws: ModelFileError.mapping(location: second, finding: .duplicateName("BookToBook", first: first))
    ) {
      try compile([Mapping("Book", "Book", number: 1), Mapping("Book", "Book", number: 2)])
    }
  }

  @Test func hashesAreThoseOfTheModelsInTheFile() throws {
    let mapping = try compiled(book)
    #expect(mapping.sourceVersionHash == (try VersionHashes(of: Self.source)).entities["Book"])
    #expect(mapping.destinationVersionHash == (try VersionHashes(of: Self.destination)).entities["Book"])
    #expect(mapping.sourceVersionHash != mapping.destinationVersionHash)
    let place = try compiled(Mapping(nil, "Place"))
    #expect(place.sourceVersionHash == nil)
    #expect(place.sourceExpression == nil)
    let request = ValueExpression.invocation(
      of: .variable("manager"), selector: "fetchRequestForSourceEntityNamed:predicateString:",
      arguments: [.constant(.string("Book")), .constant(.string("TRUEPREDICATE"))])
    #expect(
      mapping.sourceExpression
        == .fetch(request: request, context: .keyPath(["sourceContext"], of: .variable("manager")), countsOnly: false))
  }

  @Test func anAttributeComesFromItsNamesakeOrGetsItsDefault() throws {
    let mapping = try compiled(
      Mapping("Book", "Book", attributes: [.init("title"), .init("created"), .init("isbn")]))
    #expect(mapping.attributeMappings.map(\.name) == ["created", "isbn", "title"])
    #expect(
      mapping.attributeMappings.map(\.value) == [
        .expression(.keyPath(["created"], of: .variable("source"))), .unset,
        .expression(.keyPath(["title"], of: .variable("source"))),
      ])
    #expect(try compiled(Mapping(nil, "Book", attributes: [.init("title")])).attributeMappings[0].value == .unset)
  }

  @Test func aRelationshipFillsNoAttribute() throws {
    let compilation = try compile([Mapping("Book", "Book", attributes: [.init("related")]), person])
    #expect(compilation.mapping.entityMappings[0].attributeMappings[0].value == .unset)
    #expect(
      compilation.notes.first?.sentence
        == "related is a relationship of the source entity Book and cannot fill an attribute; the attribute gets its default"
    )
  }

  private func made(by mapping: String, _ objects: ValueExpression) -> PropertyMapping.Value {
    .expression(
      .invocation(
        of: .variable("manager"), selector: "destinationInstancesForEntityMappingNamed:sourceInstances:",
        arguments: [.constant(.string(mapping)), objects]))
  }

  private func made(byMappingsOf relationship: String) -> PropertyMapping.Value {
    .expression(
      .invocation(
        of: .variable("manager"), selector: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
        arguments: [.constant(.string(relationship)), .keyPath([relationship], of: .variable("source"))]))
  }

  private func value(
    _ relationship: XcodeMappingFixture.Property, from source: String? = "Book", to destination: String = "Book",
    beside others: [Mapping]
  ) throws -> PropertyMapping.Value {
    try compiled(Mapping(source, destination, relationships: [relationship]), beside: others)
      .relationshipMappings[0].value
  }

  @Test func aRelationshipIsFilledByTheOneMappingOfItsEntities() throws {
    let source = ValueExpression.variable("source")
    #expect(
      try value(.init("owner"), beside: [person]) == made(by: "PersonToPerson", .keyPath(["owner"], of: source)))
  }

  @Test func aRelationshipToEntitiesMappedOneByOneAsksAllTheirMappings() throws {
    #expect(try value(.init("things"), from: "Person", to: "Person", beside: [book]) == made(byMappingsOf: "things"))
    let thing = Mapping("Thing", "Thing", number: 22)
    #expect(
      try value(.init("things"), from: "Person", to: "Person", beside: [thing, book]) == made(byMappingsOf: "things"))
  }

  @Test func twoMappingsOfOnePairOfEntitiesAreBothAsked() throws {
    let second = Mapping("Person", "Person", number: 23, ["name": .text("Guests")])
    #expect(try value(.init("owner"), beside: [person, second]) == made(byMappingsOf: "owner"))
  }

  @Test func aRelationshipThatTheSourceLacksStaysEmpty() throws {
    #expect(try value(.init("people"), from: "Town", to: "Place", beside: [person]) == .unset)
    #expect(try value(.init("owner"), from: nil, beside: [person]) == .unset)
    #expect(try value(.init("owner", ["autogenerateexpression": .text("0")]), beside: [person]) == .unset)
  }

  @Test func aRelationshipWhoseEntityNobodyMapsIsNoted() throws {
    let compilation = try compile([Mapping("Person", "Person", relationships: [.init("town")]), book])
    #expect(compilation.mapping.entityMappings[0].relationshipMappings[0].value == made(byMappingsOf: "town"))
    #expect(compilation.notes.first?.sentence == "no entity mapping reads Town, so town is empty")
  }

  @Test func keyPathAndMappingNameSayWhoFillsARelationship() throws {
    let source = ValueExpression.variable("source")
    let both = XcodeMappingFixture.Property(
      "owner", ["sourcekeypath": .text("$source"), "sourcemappingname": .text("Writers")])
    #expect(try value(both, beside: [person]) == made(by: "Writers", source))
    let path = XcodeMappingFixture.Property(
      "owner",
      [
        "sourcekeypath": .text("$source.related.@distinctUnionOfSets.owner"), "sourcemappingname": .text("Writers"),
      ])
    #expect(
      try value(path, beside: [person])
        == made(by: "Writers", .keyPath(["related", "@distinctUnionOfSets", "owner"], of: source)))
    let name = XcodeMappingFixture.Property("owner", ["sourcemappingname": .text("Writers")])
    #expect(try value(name, beside: [person]) == made(by: "Writers", .keyPath(["owner"], of: source)))
    let keyPath = XcodeMappingFixture.Property("owner", ["sourcekeypath": .text("$source.related.owner")])
    #expect(
      try value(keyPath, beside: [person])
        == made(by: "PersonToPerson", .keyPath(["related", "owner"], of: source)))
    #expect(try value(keyPath, beside: []) == .unset)
  }

  @Test(arguments: ["owner", "$", "$source..owner", "$source.", ".owner"])
  func aKeyPathThatIsNoneIsAMessageWithAPlace(text: String) throws {
    let property = XcodeMappingFixture.Property("owner", ["sourcekeypath": .text(text)])
    let error = #expect(throws: ModelFileError.self) { try value(property, beside: [person]) }
    guard case .mapping(let location, .badValue("sourcekeypath", text))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(location.line == 4)
  }

  @Test func whatTheAuthorWroteWinsOverEverything() throws {
    let expression = ArchiveFixture.expression { $0.keyPath("related") }
    let property = XcodeMappingFixture.Property(
      "owner",
      [
        "valueexpressiondata": .bytes(expression), "autogenerateexpression": .text("1"),
        "sourcekeypath": .text("$source"), "sourcemappingname": .text("Writers"),
      ])
    #expect(try value(property, beside: [person]) == .expression(.keyPath(["related"], of: .variable("source"))))
    let title = XcodeMappingFixture.Property("title", ["valueexpressiondata": .bytes(expression)])
    #expect(
      try compiled(Mapping("Book", "Book", attributes: [title])).attributeMappings[0].value
        == .expression(.keyPath(["related"], of: .variable("source"))))
  }

  @Test func anExpressionThatCannotBeReadIsRefusedWithAPlace() throws {
    let expression = ArchiveFixture.expression { $0.add("NSBlockExpression", ["NSExpressionType": .integer(19)]) }
    let property = XcodeMappingFixture.Property("title", ["valueexpressiondata": .bytes(expression)])
    #expect(
      throws: ModelFileError.mapping(
        location: SourceLocation(file: "xcmapping.xml", line: 4, column: 1),
        finding: .unreadableExpression(
          of: "Book.title", reason: .unknownKind(19, className: "NSBlockExpression")))
    ) {
      try compiled(Mapping("Book", "Book", attributes: [property]))
    }
  }

  @Test func aBareKeyPathIsCalledWhatItIs() throws {
    let expression = ArchiveFixture.expression { archive in
      let object = archive.selfObject()
      return archive.keyPath("stable", of: object)
    }
    let property = XcodeMappingFixture.Property("title", ["valueexpressiondata": .bytes(expression)])
    let notes = try compile([Mapping("Book", "Book", attributes: [property])]).notes.map(\.sentence)
    #expect(
      notes.first
        == "the expression of Book.title is the bare key path stable, which does not begin with an object;"
        + " $source.stable or a text in quotes may be meant")
  }

  @Test func sourceEntitiesThatNobodyReadsAreNoted() throws {
    #expect(
      try compile([book, Mapping(nil, nil, number: 30)]).notes.map(\.sentence) == [
        "an entity mapping without entities is ignored",
        "no entity mapping reads Person: its objects are not carried over, though the destination has this entity too",
        "no entity mapping reads Disc: its objects are not carried over, though the destination has this entity too",
        "no entity mapping reads Town: its objects are not carried over, though the destination has this entity too",
      ])
  }

  @Test func anEntityThatTheCarriedModelLacksIsNoted() throws {
    let compilation = try compile([Mapping("Bok", "Book", attributes: [.init("title")]), book])
    #expect(compilation.mapping.entityMappings[0].sourceVersionHash == nil)
    #expect(compilation.mapping.entityMappings[0].attributeMappings[0].value == .unset)
    #expect(compilation.notes.first?.sentence == "the source model inside the file has no entity Bok")
  }

  @Test func aMappingThatRemovesHasNoProperties() throws {
    let compilation = try compile([Mapping("Town", nil, attributes: [.init("name")])])
    #expect(compilation.mapping.entityMappings[0].attributeMappings.isEmpty)
    #expect(
      compilation.notes.first?.sentence
        == "a mapping without a destination entity has property mappings, which have no effect")
  }

  @Test func aFilterIsAPredicateOverTheSourceObject() throws {
    let mapping = try compiled(
      Mapping("Book", "Book", ["sourcefilterpredicatestring": .text("title != nil")]))
    #expect(mapping.filter == .comparison(.init(.keyPath(["title"], of: .selfObject), .notEqual, .null)))
    let request = ValueExpression.invocation(
      of: .variable("manager"), selector: "fetchRequestForSourceEntityNamed:predicateString:",
      arguments: [.constant(.string("Book")), .constant(.string("title != nil"))])
    #expect(
      mapping.sourceExpression
        == .fetch(request: request, context: .keyPath(["sourceContext"], of: .variable("manager")), countsOnly: false))
    for all in ["", "  ", "TRUEPREDICATE"] {
      #expect(try compiled(Mapping("Book", "Book", ["sourcefilterpredicatestring": .text(all)])).filter == nil)
    }
  }

  @Test func aFilterThatCannotBeReadIsRefusedWithAPlace() throws {
    let error = #expect(throws: ModelFileError.self) {
      try compiled(Mapping("Book", "Book", ["sourcefilterpredicatestring": .text("title ~= 3")]))
    }
    #expect(error?.location?.line == 4)
    #expect(
      error?.description.hasPrefix("xcmapping.xml:4:1: the filter “title ~= 3” cannot be read: at character 7:") == true
    )
  }

  /// A source expression that the author wrote counts when the generated one is switched off.
  @Test func aWrittenSourceExpressionIsTakenForItsFilter() throws {
    let data = ArchiveFixture.expression { archive in
      let manager = archive.variable("manager")
      let arguments = [archive.add(text: "Book"), archive.add(text: "title != nil")].map { archive.constant($0) }
      let request = archive.function("fetchRequestForSourceEntityNamed:predicateString:", of: manager, arguments)
      return archive.add(
        "NSFetchRequestExpression",
        [
          "NSExpressionType": .integer(50), "NSFRExpression": request, "NSCountOnlyFlag": .boolean(false),
          "NSMOCExpression": archive.keyPath("sourceContext", of: manager),
        ])
    }
    let written: [String: XcodeMappingFixture.Value] = [
      "sourceexpressiondata": .bytes(data), "autogenerateexpression": .text("0"),
    ]
    #expect(
      try compiled(Mapping("Book", "Book", written)).filter
        == .comparison(.init(.keyPath(["title"], of: .selfObject), .notEqual, .null)))
    #expect(
      throws: ModelFileError.mapping(
        location: SourceLocation(file: "xcmapping.xml", line: 4, column: 1), finding: .unsupportedSourceExpression)
    ) {
      try compiled(Mapping("Disc", "Disc", written))
    }
  }
}
