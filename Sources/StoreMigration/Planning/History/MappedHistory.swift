import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// The destinations of an entity's properties, for the changes in persistent history.
struct MappedHistory {
  /// A destination attribute whose values are those of a single source attribute.
  struct Copy {
    var attribute: String
    /// The conversions, nil if the types of both say them.
    var conversions: [AttributeMapping.Step]?
  }

  let source: String
  let destination: String
  /// The entity's number in the source where the objects go on under their keys, so that their history does; else nil.
  let number: Int?
  /// The source properties whose values each destination property gets.
  private(set) var origins: [String: Set<String>] = [:]
  /// The attributes whose values are copied, by name.
  private(set) var copies: [String: Copy] = [:]

  /// The destinations of every entity of a mapping that creates or keeps objects.
  static func all(in context: PlanningContext) -> [MappedHistory] {
    guard context.entities.isEmpty else {
      return context.entities.map { entity in
        let isContinued = entity.keepsKeys && context.destinationName(of: entity.source) == entity.destination
        return MappedHistory(
          from: entity.source, to: entity.destination, number: isContinued ? entity.sourceNumber : nil, entity.mapping,
          replaced: entity.replacedAttributes, in: context)
      }
    }
    return context.source.layout.entityNumbers.compactMap { entity in
      guard let destination = context.destinationName(of: entity.name), let mapping = context.mapping(of: destination)
      else { return nil }
      return MappedHistory(
        from: entity.name, to: destination, number: entity.number, mapping, replaced: [:], in: context)
    }
  }

  private init(
    from source: String, to destination: String, number: Int?, _ mapping: EntityMapping,
    replaced: [String: String], in context: PlanningContext
  ) {
    (self.source, self.destination, self.number) = (source, destination, number)
    var carried: [String: CarriedPaths] = [:]
    for property in mapping.propertyMappings where replaced[property.name] == nil {
      carried[PropertyAddress.property(ofPath: property.name), default: CarriedPaths()].add(property.value)
      copies[property.name] = Self.copy(property.value)
    }
    for (path, sql) in replaced {
      carried[PropertyAddress.property(ofPath: path), default: CarriedPaths()].add(sql: sql)
    }
    origins = carried.mapValues(\.properties)
    // What is computed anew is still what was derived before.
    let attributes = context.destination.hierarchy.allAttributes(of: destination)
    for property in mapping.propertyMappings {
      guard case .attribute(let attribute) = property.value, case .derived = attribute.origin else { continue }
      origins[property.name] = [attributes[property.name]?.property.renamingIdentifier ?? property.name]
    }
  }

  private static func copy(_ value: PropertyMapping.Value) -> Copy? {
    switch value {
    case .attribute(let attribute):
      guard case .source(let path) = attribute.origin else { return nil }
      let conversions = attribute.steps.filter { if case .convert = $0 { true } else { false } }
      return Copy(attribute: path, conversions: conversions)
    case .expression(.keyPath(let keys, of: .variable("source"))) where keys.count == 1:
      return Copy(attribute: keys[0], conversions: nil)
    case .unset, .expression, .sql, .relationship: return nil
    }
  }
}
