import MappingModels
import ModelDescription
import StoreMigration

/// Compares a migrated store with its source: content that the mapping keeps unchanged must be unchanged.
///
/// All paths use one engine; this check detects if all of them are wrong in the same way.
struct KeptContent {
  let mapping: MappingModel
  let source: EntityHierarchy
  let destination: EntityHierarchy

  /// The content to keep before the migration, and after it under the same names.
  func contents(
    of original: StoreContent, migratedTo migrated: StoreContent
  ) -> (kept: StoreContent, found: StoreContent) {
    var (kept, found) = (StoreContent(), StoreContent())
    for entity in mapping.entityMappings {
      guard let sourceName = entity.source, let name = entity.destination, let before = original.objects[sourceName],
        let after = migrated.objects[name]
      else { continue }
      let paths = keptAttributes(entity)
      kept.objects[name] = before.mapValues { values in paths.compactMapValues { values[$0] } }
      found.objects[name] = after.mapValues { values in values.filter { paths[$0.key] != nil } }
      for (relationship, link) in entity.inferredRelationships
      where isKept(link, relationship, of: name, from: sourceName) {
        guard let ends = declared(relationship, of: name, link, of: sourceName), let old = original.links[ends.source],
          let new = migrated.links[ends.destination]
        else { continue }
        let key = StoreContent.RelationshipName(entity: name, relationship: relationship)
        kept.links[key] = old.filter { before[$0.key] != nil }
        found.links[key] = new.filter { after[$0.key] != nil }
      }
    }
    return (kept, found)
  }

  /// The source path of every attribute whose values stay as they are.
  private func keptAttributes(_ entity: EntityMapping) -> [String: String] {
    entity.inferredAttributes.reduce(into: [:]) { paths, attribute in
      guard case .source(let path) = attribute.mapping.origin, attribute.mapping.steps.isEmpty else { return }
      paths[attribute.path] = path
    }
  }

  private func declared(
    _ relationship: String, of entity: String, _ link: RelationshipMapping, of sourceName: String
  ) -> (source: StoreContent.RelationshipName, destination: StoreContent.RelationshipName)? {
    guard let name = link.source, let old = source.allRelationships(of: sourceName)[name],
      let new = destination.allRelationships(of: entity)[relationship]
    else { return nil }
    return (
      StoreContent.RelationshipName(entity: old.entity.name, relationship: name),
      StoreContent.RelationshipName(entity: new.entity.name, relationship: relationship)
    )
  }

  /// True if both ends keep all their objects in the same way, and every linked object is kept.
  private func isKept(
    _ link: RelationshipMapping, _ relationship: String, of entity: String, from sourceName: String
  ) -> Bool {
    guard let name = link.source, !link.losesOrder, !link.holdsOneOnTheWay, !link.hasOneOwnerOnTheWay,
      link.droppedDestinations.isEmpty, let old = source.allRelationships(of: sourceName)[name]?.property,
      let new = destination.allRelationships(of: entity)[relationship]?.property,
      let target = old.destinationEntityName, let newTarget = new.destinationEntityName,
      hasSameForm(old, new), old.inverseName == nil && new.inverseName == nil || inversesHaveSameForm(old, new)
    else { return false }
    return source.family(of: target).allSatisfy { member in
      mapping.mappings(fromSource: member.name).first?.destination.map {
        destination.isEntity($0, kindOf: newTarget)
      } ?? false
    }
  }

  private func inversesHaveSameForm(_ old: RelationshipDescription, _ new: RelationshipDescription) -> Bool {
    guard let first = source.inverse(of: old), let second = destination.inverse(of: new) else { return false }
    return hasSameForm(first, second)
  }

  private func hasSameForm(_ old: RelationshipDescription, _ new: RelationshipDescription) -> Bool {
    old.isToMany == new.isToMany && old.isOrdered == new.isOrdered && old.maxCount == new.maxCount
  }
}
