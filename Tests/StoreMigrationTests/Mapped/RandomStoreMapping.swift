import MappingModels
import ModelDescription
import TestSupport

/// Makes mapping models between two models, as a seed wills: splits, merges, filters, values and look-ups of every form.
struct RandomStoreMapping {
  var random: SeededGenerator
  let source: EntityHierarchy
  let destination: EntityHierarchy

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  mutating func mapping() -> MappingModel {
    let sources = source.model.entities.map(\.name)
    var pairs: [(source: String, destination: String)] = []
    for entity in destination.model.entities {
      for _ in 0..<[0, 1, 1, 1, 2, 2, 3][pick(7)] { pairs.append((sources[pick(sources.count)], entity.name)) }
    }
    pairs.shuffle(using: &random)
    var mappings = pairs.enumerated().map { position, pair in
      EntityMapping(
        name: "M\(position)", kind: .transform, source: pair.source, destination: pair.destination,
        filter: pick(3) == 0 ? expressions(of: pair.source) { $0.condition(2) } : nil,
        attributeMappings: PropertyMappings(attributes(of: pair.destination, from: pair.source)))
    }
    for position in mappings.indices {
      mappings[position].relationshipMappings = PropertyMappings(
        relationships(of: mappings[position], among: mappings))
    }
    var dropped = Set(sources)
    for name in sources {
      dropped.formUnion(source.allAttributes(of: name).keys.map { "\(name).\($0)" })
      dropped.formUnion(source.allRelationships(of: name).keys.map { "\(name).\($0)" })
    }
    return MappingModel(entityMappings: mappings, droppedData: dropped)
  }

  private mutating func expressions<Value>(of entity: String, _ make: (inout RandomCompiledExpression) -> Value)
    -> Value
  {
    var expressions = RandomCompiledExpression(
      random: SeededGenerator(seed: random.next()), hierarchy: source, entity: entity)
    return make(&expressions)
  }

  private mutating func attributes(of entity: String, from origin: String) -> [PropertyMapping] {
    destination.allAttributes(of: entity).sorted { $0.key < $1.key }.compactMap { name, declared in
      guard pick(5) > 0 else { return nil }
      let value: ValueExpression? = expressions(of: origin) { expressions in
        switch declared.property.type {
        case .string where Bool.random(using: &expressions.random): expressions.text(2)
        case .date where Bool.random(using: &expressions.random): expressions.date(1)
        case let type: expressions.plain(type)
        }
      }
      return PropertyMapping(name: name, value: value.map { .expression($0) } ?? .unset)
    }
  }

  private mutating func relationships(
    of mapping: EntityMapping, among mappings: [EntityMapping]
  ) -> [PropertyMapping] {
    guard let entity = mapping.destination, let origin = mapping.source else { return [] }
    return destination.allRelationships(of: entity).sorted { $0.key < $1.key }.compactMap { name, declared in
      guard pick(4) > 0, let value = lookup(for: declared.property, from: origin, among: mappings) else { return nil }
      return PropertyMapping(name: name, value: .expression(value))
    }
  }

  /// A look-up of objects that the relationship can hold, nil when no mapping makes any.
  private mutating func lookup(
    for relationship: RelationshipDescription, from origin: String, among mappings: [EntityMapping]
  ) -> ValueExpression? {
    let fitting = mappings.filter {
      destination.isEntity($0.destination ?? "", kindOf: relationship.destinationEntityName ?? "")
    }
    let all = source.allRelationships(of: origin).sorted { $0.key < $1.key }
    let links = all.filter { _, declared in
      fitting.contains { areRelated($0.source ?? "", declared.property.destinationEntityName ?? "") }
    }
    switch pick(8) {
    case 0:
      guard let same = fitting.filter({ $0.source == origin }).randomElement(using: &random) else { return nil }
      return .made(by: same.name, of: .source())
    case 1:
      let objects = expressions(of: origin) { $0.objects() }
      guard let entity = entity(of: objects, from: origin),
        let target = fitting.filter({ areRelated($0.source ?? "", entity) }).randomElement(using: &random)
      else { return nil }
      return .made(by: target.name, of: objects)
    case 2, 3:
      guard let (name, _) = links.randomElement(using: &random) else { return nil }
      return .made(along: name, of: .source(name))
    case 4:
      guard let (name, declared) = links.randomElement(using: &random),
        let target = fitting.filter({ areRelated($0.source ?? "", declared.property.destinationEntityName ?? "") })
          .randomElement(using: &random)
      else { return nil }
      let test = expressions(of: origin) { $0.condition(1) }
      return declared.property.isOrdered
        ? .made(by: target.name, of: .source(name))
        : .conditional(test, then: .made(by: target.name, of: .source(name)), else: .null)
    default:
      guard let (name, declared) = links.randomElement(using: &random),
        let target = fitting.filter({ areRelated($0.source ?? "", declared.property.destinationEntityName ?? "") })
          .randomElement(using: &random)
      else { return nil }
      return .made(by: target.name, of: .source(name))
    }
  }

  private func areRelated(_ first: String, _ second: String) -> Bool {
    source.isEntity(first, kindOf: second) || source.isEntity(second, kindOf: first)
  }

  /// The entity that a key path leads to, nil for one over an order, whose places only SQL sees.
  private func entity(of expression: ValueExpression, from origin: String) -> String? {
    guard case .keyPath(let keys, of: _) = expression else { return nil }
    var entity = origin
    for key in keys where !key.hasPrefix("@") {
      guard let relationship = source.allRelationships(of: entity)[key]?.property else { return nil }
      if relationship.isOrdered { return nil }
      entity = relationship.destinationEntityName ?? entity
    }
    return entity
  }
}
