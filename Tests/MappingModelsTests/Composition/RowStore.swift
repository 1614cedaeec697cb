import MappingModels
import ModelDescription

/// A store in memory whose values are texts: the oracle that runs a mapping row by row.
struct RowStore: Equatable {
  struct Row: Equatable {
    var entity: String
    var values: [String: String?] = [:]
    var links: [String: [Int]] = [:]
  }

  var rows: [Int: Row] = [:]

  /// The store after a mapping, nil when a to-one relationship would have to hold several objects.
  func applying(_ mapping: MappingModel, from source: EntityHierarchy, to destination: EntityHierarchy) -> RowStore? {
    var result = RowStore()
    for (key, row) in rows {
      guard let entity = mapping.mappings(fromSource: row.entity).first, let name = entity.destination else { continue }
      var made = Row(entity: name)
      for (path, attribute) in entity.inferredAttributes { made.values[path] = .some(Self.value(attribute, in: row)) }
      for (relationshipName, relationship) in entity.inferredRelationships {
        guard let last = destination.allRelationships(of: name)[relationshipName]?.property else { return nil }
        var links = relationship.source.flatMap { row.links[$0] } ?? []
        links.removeAll { !survives($0, in: relationship, of: last, mapping, destination) }
        if !last.isToMany || relationship.holdsOneOnTheWay, links.count > 1 { return nil }
        let former = relationship.source.flatMap { source.allRelationships(of: row.entity)[$0]?.property }
        let keepsOrder = former?.isOrdered == true && last.isOrdered && !relationship.losesOrder
        made.links[relationshipName] = keepsOrder ? links : links.sorted()
      }
      result.rows[key] = made
    }
    return result
  }

  private func survives(
    _ key: Int,
    in relationship: RelationshipMapping,
    of last: RelationshipDescription,
    _ mapping: MappingModel,
    _ destination: EntityHierarchy
  ) -> Bool {
    guard let linked = rows[key], !relationship.droppedDestinations.contains(linked.entity),
      let name = mapping.mappings(fromSource: linked.entity).first?.destination
    else { return false }
    return destination.isEntity(name, kindOf: last.destinationEntityName ?? "")
  }

  private static func value(_ attribute: AttributeMapping, in row: Row) -> String? {
    var value: String?
    switch attribute.origin {
    case .source(let path): value = row.values[path] ?? nil
    case .constant(let constant): value = constant.map { "\($0)" }
    case .derived(let derivation): value = derivation.expression
    }
    for step in attribute.steps {
      switch step {
      case .convert(_, let type): value = value.map { "\($0) as \(type.name)" }
      case .replaceNil(let replacement): value = value ?? "\(replacement)"
      case .externalStorage(let allowed): value = value.map { "\($0) external \(allowed)" }
      }
    }
    return value
  }
}
