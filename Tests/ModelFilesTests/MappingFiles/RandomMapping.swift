import Foundation
import MappingModels
import ModelDescription
import TestSupport
import VersionHashing

/// Makes pairs of models and mapping models between them from a seed.
struct RandomMapping {
  private var generator: SeededGenerator
  private static let types: [AttributeType] = [.string, .integer16, .integer64, .double, .date, .boolean, .uuid]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// A model whose names another model made by this shares in part.
  mutating func model() throws -> EntityHierarchy {
    let names = ["A", "B", "C", "D", "E"].filter { _ in number(5) > 0 }
    var entities: [EntityDescription] = []
    for (position, name) in names.enumerated() {
      var entity = EntityDescription(name: name)
      entity.isAbstract = number(6) == 0
      if position > 0, number(3) == 0 { entity.superentityName = names[number(position)] }
      if number(5) == 0 { entity.renamingIdentifier = pick(["A", "B", "x"]) }
      entity.attributes = ["a", "b", "c", "d", "e", "f"].filter { _ in number(3) > 0 }.map { attribute($0 + name) }
      entity.attributes += ["p", "q"].filter { _ in number(3) > 0 }.map { attribute($0) }
      entity.relationships = ["r", "s"].filter { _ in number(2) == 0 }.map { key in
        RelationshipDescription(
          name: key + name, destinationEntityName: pick(names), isOptional: true, isTransient: number(9) == 0,
          maxCount: number(2))
      }
      entities.append(entity)
    }
    return try EntityHierarchy(ManagedObjectModel(entities: entities))
  }

  private mutating func attribute(_ name: String) -> AttributeDescription {
    var attribute = AttributeDescription(name: name, type: pick(Self.types), isOptional: number(2) == 0)
    attribute.isTransient = number(9) == 0
    if number(8) == 0 { attribute.renamingIdentifier = pick(["p", "q", "zz"]) }
    if attribute.type == .string, number(2) == 0 { attribute.defaultValue = .string("x\"'<&>\n") }
    if attribute.type == .integer64, number(2) == 0 { attribute.defaultValue = .integer(Int64(number(9))) }
    return attribute
  }

  /// A mapping model of which nothing need follow from the models but the names.
  mutating func mapping(from source: EntityHierarchy, to destination: EntityHierarchy) -> MappingModel {
    var mappings: [EntityMapping] = []
    let sources = source.model.entities.map(\.name)
    let destinations = destination.model.entities.map(\.name)
    for position in 0..<number(6) {
      let from = number(5) == 0 ? nil : sources.randomElement(using: &generator)
      let to = number(5) == 0 ? nil : destinations.randomElement(using: &generator)
      if from == nil && to == nil { continue }
      var mapping = EntityMapping(
        name: number(3) == 0 ? "M\(position) & <co>" : [from, to].compactMap { $0 }.joined(separator: "To"),
        kind: pick(EntityMapping.Kind.allCases), source: from, destination: to)
      if mappings.contains(where: { $0.name == mapping.name }) { continue }
      if number(3) == 0 { mapping.sourceVersionHash = VersionHash((0..<32).map { _ in UInt8(number(256)) }) }
      if from != nil, number(3) == 0 { mapping.filter = expression() }
      if number(4) == 0 { mapping.policyClassName = pick(["App.P", "Q"]) }
      if number(4) == 0 { mapping.userInfo = ["k\"": "v\n", "": ""] }
      mappings.append(mapping)
    }
    for position in mappings.indices {
      guard let entity = mappings[position].destination else { continue }
      let names = mappings.map(\.name)
      let attributes = Set(destination.allAttributes(of: entity).keys)
      mappings[position].attributeMappings = PropertyMappings(
        properties(attributes, mappings: names, source: mappings[position].source))
      let relationships = Set(destination.allRelationships(of: entity).keys)
      mappings[position].relationshipMappings = PropertyMappings(
        properties(relationships, mappings: names, source: mappings[position].source))
    }
    let model = MappingModel(
      entityMappings: mappings,
      policyReplacements: number(3) == 0
        ? [
          "App.P": PolicyReplacement(functions: ["f:": "$1 || '\"<'"], attributes: ["a": "1"]),
          "Q": PolicyReplacement(),
        ]
        : [:],
      droppedData: Set(sources.filter { _ in number(4) == 0 }))
    return model
  }

  private mutating func properties(
    _ names: Set<String>, mappings: [String], source: String?
  ) -> [PropertyMapping] {
    names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap { name in
      let value: PropertyMapping.Value
      switch number(7) {
      case 0: return nil
      case 1: value = .unset
      case 2: value = .sql("coalesce($source.\(name), '&<\"')")
      case 3: value = .expression(.keyPath([name], of: .variable("source")))
      case 4:
        value = .expression(
          .invocation(
            of: .variable("manager"), selector: "destinationInstancesForEntityMappingNamed:sourceInstances:",
            arguments: [.constant(.string(pick(mappings + ["nobody"]))), .keyPath([name], of: .variable("source"))]))
      default: value = .expression(expression())
      }
      return PropertyMapping(name: name, value: value, userInfo: number(8) == 0 ? ["a": "b"] : [:])
    }
  }

  private mutating func expression() -> ValueExpression {
    switch number(4) {
    case 0: .constant(.string("it's <\"&\">\t\u{1}"))
    case 1: .comparison(ExpressionComparison(.keyPath(["in"], of: .selfObject), .like, .null, ignoresCase: true))
    case 2: .function("add:to:", [.variable("source"), .constant(.integer(Int64(number(100)) - 50))])
    default: .conditional(.truth(true), then: .null, else: .constant(.date(Double(number(1000)))))
    }
  }

  private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(elements.count)] }
}
