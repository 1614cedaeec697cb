import MappingModels
import ModelDescription

extension MappingCompiler {
  /// A relationship's value: what the author wrote, then what the two fields name, then what is generated.
  mutating func relationship(
    _ property: XcodePropertyMapping, in mapping: XcodeEntityMapping
  ) throws(ModelFileError) -> PropertyMapping.Value {
    if let expression = try written(property, in: mapping) { return .expression(expression) }
    let keyPath = try property.sourceKeyPath.map { text throws(ModelFileError) in try sourceKeyPath(text, property) }
    if let mappingName = property.sourceMappingName {
      return .expression(.objects(madeBy: mappingName, from: keyPath ?? .sourceValue([property.name])))
    }
    guard property.generatesExpression, let entity = mapping.source, let destinationEntity = mapping.destination else {
      return .unset
    }
    guard let objects = keyPath.map({ targetEntity(of: $0, from: entity) }) ?? link(property.name, of: entity) else {
      if keyPath != nil {
        note(property.location, "the key path of \(property.name) leads to no source entity; it stays empty")
      }
      return .unset
    }
    let wanted = destination.allRelationships(of: destinationEntity)[property.name]?.property.destinationEntityName
    let below = source.family(of: objects).dropFirst().flatMap { mappingsBySource[$0.name] ?? [] }
    let exact = (mappingsBySource[objects] ?? []).filter { $0.mapping.destination == wanted && wanted != nil }
    if below.isEmpty, exact.count == 1 {
      return .expression(.objects(madeBy: exact[0].name, from: keyPath ?? .sourceValue([property.name])))
    }
    return generated(property, objects: objects, isKeyPath: keyPath != nil, candidates: exact.count + below.count)
  }

  /// The form that asks every mapping of the relationship's source entity and of its sub-entities.
  private mutating func generated(
    _ property: XcodePropertyMapping, objects: String, isKeyPath: Bool, candidates: Int
  ) -> PropertyMapping.Value {
    if isKeyPath {
      note(
        property.location,
        "\(property.name) has a key path, but no mapping name, and \(candidates) mappings make its objects; it stays empty"
      )
      return .unset
    }
    if !source.family(of: objects).contains(where: { mappingsBySource[$0.name] != nil }) {
      note(property.location, "no entity mapping reads \(objects), so \(property.name) stays empty")
    }
    return .expression(.objects(madeFromRelationship: property.name))
  }

  private func link(_ name: String, of entity: String) -> String? {
    source.allRelationships(of: entity)[name]?.property.destinationEntityName
  }

  /// The entity that a key path from the source object ends at; collection operators keep the objects.
  private func targetEntity(of expression: ValueExpression, from entity: String) -> String? {
    guard case .keyPath(let keys, of: .variable("source")) = expression else {
      return expression == .variable("source") ? entity : nil
    }
    var current = entity
    for key in keys where !key.hasPrefix("@") {
      guard let next = link(key, of: current) else { return nil }
      current = next
    }
    return current
  }

  /// The field's text is `$source`, or keys after it.
  private func sourceKeyPath(
    _ text: String, _ property: XcodePropertyMapping
  ) throws(ModelFileError) -> ValueExpression {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !parts.contains(where: \.isEmpty), let first = parts.first, first.hasPrefix("$"), first.count > 1 else {
      throw .mapping(location: property.location, finding: .badValue(attribute: "sourcekeypath", text: text))
    }
    let variable = ValueExpression.variable(String(first.dropFirst()))
    return parts.count == 1 ? variable : .keyPath(Array(parts.dropFirst()), of: variable)
  }
}
