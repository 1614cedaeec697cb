import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

@Suite("Xcode's mapping models are written")
struct XcodeMappingWriterTests {
  private static func snapshot(
    _ hierarchy: EntityHierarchy, _ path: String = "App/Shop.xcdatamodeld/Shop.xcdatamodel"
  ) throws -> MappingModelSnapshot {
    MappingModelSnapshot(versionPath: path, hierarchy: hierarchy, hashes: try VersionHashes(of: hierarchy))
  }

  private static func read(
    _ mapping: MappingModel, _ source: EntityHierarchy, _ destination: EntityHierarchy
  ) throws -> XcodeMappingModel {
    let text = try XcodeMappingModel.text(
      of: mapping, from: snapshot(source), to: snapshot(destination), path: "New.xcmappingmodel")
    return try XcodeMappingModel(Data(text.utf8), path: "New.xcmappingmodel")
  }

  @Test("Parts that Core Data would generate are left out, and all other parts are written without defaults")
  func shop() throws {
    let (source, destination) = (try ShopModels.source(), try ShopModels.destination())
    let file = try MappingFile(
      Data(
        """
        <mappingModel source="one" destination="two" unmentioned="dropped">
          <entityMapping source="Customer" destination="Person" where="$source.age &lt; 99 AND firstName != nil">
            <attribute name="fullName" value="$source.firstName + ' ' + $source.lastName"/>
            <attribute name="age" default="yes"/>
            <attribute name="since" value="now()"/>
            <relationship name="orders" empty="yes"/>
            <relationship name="address" mapping="Where they live" keyPath="$source"/>
          </entityMapping>
          <entityMapping source="Customer" destination="Address" name="Where they live"/>
        </mappingModel>
        """.utf8), path: "one-two.xml")
    let written = try Self.read(file.resolved(from: source, to: destination), source, destination)
    let person = try #require(written.entityMappings.first)
    #expect(person.filter == "age < 99 AND firstName != nil")
    // A source attribute of this name would be copied, if the property were listed.
    #expect(person.attributeMappings.map(\.name) == ["fullName", "since"])
    #expect(person.attributeMappings.allSatisfy { $0.expression != nil })
    let orders = try #require(person.relationshipMappings.first { $0.name == "orders" })
    #expect(!orders.generatesExpression && orders.expression == nil)
    let address = try #require(person.relationshipMappings.first { $0.name == "address" })
    #expect(address.sourceMappingName == "Where they live" && address.sourceKeyPath == "$source")
    #expect(written.entityMappings.map(\.name) == [nil, "Where they live"])
    #expect(written.source.versionPath == "Shop.xcdatamodeld/Shop.xcdatamodel")
    #expect(written.notes.isEmpty)
  }

  @Test("All parts that the file cannot express are named together")
  func refusals() throws {
    let (source, destination) = (try ShopModels.source(), try ShopModels.destination())
    let mapping = MappingModel(
      entityMappings: [
        EntityMapping(
          source: "Customer", destination: "Person",
          filter: .comparison(ExpressionComparison(.variable("entityPolicy"), .equal, .null)),
          attributeMappings: [
            PropertyMapping(name: "age", value: .sql("$source.age + 1")),
            PropertyMapping(
              name: "fullName",
              value: .expression(.conditional(.truth(true), then: .null, else: .constant(.string("x"))))),
          ])
      ], policyReplacements: ["App.Policy": PolicyReplacement()])
    let error = #expect(throws: XcodeMappingError.self) { try Self.read(mapping, source, destination) }
    #expect(
      Set(error?.causes ?? []) == [
        .sql(of: "Person.age"), .expression(of: "Person.fullName", part: "TERNARY"), .replacement(of: "App.Policy"),
        .filterVariable(mapping: "CustomerToPerson", name: "entityPolicy"),
      ])
    #expect("\(try #require(error))".hasPrefix("New.xcmappingmodel: not written; "))
  }

  @Test("A model of a kind that no sample shows is refused by its property, not written with another hash")
  func unknownModels() throws {
    func model(_ change: (inout AttributeDescription) -> Void) throws -> EntityHierarchy {
      var attribute = AttributeDescription(name: "a", type: .string, isOptional: true)
      change(&attribute)
      let other = AttributeDescription(name: "b", type: .string, isOptional: true)
      return try EntityHierarchy(
        ManagedObjectModel(entities: [
          EntityDescription(name: "Base", attributes: [attribute, other]),
          EntityDescription(name: "Sub", superentityName: "Base"), EntityDescription(name: "Other"),
        ]))
    }
    let plain = try model { _ in }
    let mapping = MappingModel(entityMappings: [EntityMapping(source: "Other", destination: "Other")])
    for (kind, change) in [
      ("a derived attribute", { $0.derivation = Derivation(expression: "canonical:(b)") }),
      ("an attribute whose value history keeps after a deletion", { $0.preservesValueInHistoryOnDeletion = true }),
    ] as [(String, (inout AttributeDescription) -> Void)] {
      let error = #expect(throws: XcodeMappingError.self) { try Self.read(mapping, plain, model(change)) }
      #expect(error?.causes == [.property("Base.a", kind: kind, version: "Shop")])
    }
    #expect(throws: Never.self) { try Self.read(mapping, plain, plain) }
  }

  @Test("Names and values of any kind survive writing and reading")
  func hostileNames() throws {
    let names = [
      "a\"b", "<a>&amp;", "a\nb", " a ", "\\u3c00", "\\", "é e\u{301}", "日本🦊", "\u{1}\u{FFFF}\r\t", "$null",
      "$source.x",
      "z102", "]]>", "--",
    ]
    for name in names {
      let attribute = AttributeDescription(name: "p", type: .string, isOptional: true, defaultValue: .string(name))
      func model(_ modifier: String?) throws -> EntityHierarchy {
        try EntityHierarchy(
          ManagedObjectModel(
            entities: [
              EntityDescription(
                name: name, className: name, attributes: [attribute], renamingIdentifier: name,
                versionHashModifier: modifier, userInfo: [name: name])
            ], versionIdentifiers: [name]))
      }
      let (source, destination) = (try model(nil), try model(name))
      let mapping = MappingModel(entityMappings: [
        EntityMapping(
          name: "M" + name, source: name, destination: name,
          filter: .comparison(ExpressionComparison(.keyPath(["p"], of: .selfObject), .equal, .constant(.string(name)))),
          attributeMappings: [
            PropertyMapping(name: "p", value: .expression(.constant(.string(name))), userInfo: ["k" + name: name])
          ], policyClassName: name, userInfo: [name: "v" + name])
      ])
      let written = try Self.read(mapping, source, destination)
      let read = try #require(try written.compiled().entityMappings.first)
      #expect(read.name.utf8.elementsEqual(("M" + name).utf8), "\(name.debugDescription)")
      #expect(read.filter == mapping.entityMappings[0].filter && read.policyClassName == name)
      #expect(read.attributeMappings == mapping.entityMappings[0].attributeMappings)
      #expect(read.userInfo == [name: "v" + name])
      #expect(written.destination.model == destination.model, "\(name.debugDescription)")
      #expect(written.destination.hashes == (try VersionHashes(of: destination)))
    }
  }

  @Test("Constants of every type, built-in functions and casts survive writing and reading")
  func expressions() throws {
    let model = try EntityHierarchy(
      ManagedObjectModel(entities: [
        EntityDescription(name: "E", attributes: [AttributeDescription(name: "p", type: .undefined, isOptional: true)])
      ]))
    let uuid = try #require(UUID(uuidString: "00000000-1111-2222-3333-444444444444"))
    let constants: [AttributeValue] = [
      .integer(.min), .integer(1), .double(0.1), .double(2), .boolean(true), .string(""), .date(-1.5),
      .binary(Data([0, 255])),
      .uuid(uuid), .uri("https://x.example/a?b"), .decimal(Decimal(string: "-12345678901234567890.5") ?? 0),
    ]
    let source = ValueExpression.keyPath(["p"], of: .variable("source"))
    let expressions: [ValueExpression] =
      constants.map { .constant($0) } + [
        .null, .variable("source"), .keyPath(["p", "@count"], of: .selfObject), .function("now", []),
        .function("add:to:", [source, .constant(.integer(1))]), .cast(source, to: "NSDate"),
        .collection([source, .constant(.boolean(false))]),
        .invocation(of: .variable("entityPolicy"), selector: "a:b:", arguments: [.variable("source"), .null]),
      ]
    for expression in expressions {
      let mapping = MappingModel(entityMappings: [
        EntityMapping(
          source: "E", destination: "E",
          attributeMappings: [PropertyMapping(name: "p", value: .expression(expression))])
      ])
      let read = try Self.read(mapping, model, model).compiled().entityMappings.first?.attributeMappings["p"]
      #expect(read == .expression(expression), "\(expression)")
    }
  }

  @Test("Each random mapping model survives writing and reading, or is refused for a part that it contains")
  func random() throws {
    var (written, refused) = (0, 0)
    for seed in UInt64(0)..<(CorpusSample.isWhole ? 300 : 30) {
      var random = RandomMapping(seed: seed)
      let (source, destination) = (try random.model(), try random.model())
      var mapping = random.mapping(from: source, to: destination)
      if seed % 2 == 0 {
        mapping.policyReplacements = [:]
        for position in mapping.entityMappings.indices {
          let properties = mapping.entityMappings[position].attributeMappings
          mapping.entityMappings[position].attributeMappings = PropertyMappings(properties.filter(Self.isKnown))
          let relationships = mapping.entityMappings[position].relationshipMappings
          mapping.entityMappings[position].relationshipMappings = PropertyMappings(relationships.filter(Self.isKnown))
        }
      }
      do {
        let read = try Self.read(mapping, source, destination).compiled()
        written += 1
        for (one, other) in zip(mapping.entityMappings, read.entityMappings) {
          #expect(one.name == other.name && one.source == other.source && one.destination == other.destination)
          for property in one.propertyMappings where property.value != .unset && one.destination != nil {
            #expect(other.propertyMappings.contains(property), "seed \(seed): \(property)")
          }
        }
      } catch let error as XcodeMappingError {
        refused += 1
        #expect(seed % 2 == 1, "seed \(seed): \(error)")
        for cause in error.causes {
          switch cause {
          case .unequal, .otherHash, .property, .tooMany: Issue.record("seed \(seed): \(error)")
          case .sql, .replacement, .expression, .filterVariable, .duplicateName: break
          }
        }
      }
    }
    #expect(
      written >= CorpusSample.least(150, sampled: 15) && refused > CorpusSample.least(50, sampled: 4),
      "\(written) written, \(refused) refused")
  }

  private static func isKnown(_ property: PropertyMapping) -> Bool {
    switch property.value {
    case .sql, .expression(.conditional), .expression(.comparison): false
    default: true
    }
  }
}
