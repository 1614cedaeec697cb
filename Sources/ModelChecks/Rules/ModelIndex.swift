import ModelDescription
import ModelFiles

/// Look-ups in a model that may be broken: unknown parents, circles and duplicates do no harm.
struct ModelIndex {
  let file: ModelFile
  private let entitiesByName: [String: EntityDescription]

  init(_ file: ModelFile) {
    self.file = file
    entitiesByName = Dictionary(file.model.entities.map { ($0.name, $0) }) { first, _ in first }
  }

  var model: ManagedObjectModel { file.model }
  var entityNames: [String] { model.entities.map(\.name) }

  func entity(named name: String) -> EntityDescription? { entitiesByName[name] }

  /// The entities above one, nearest first, each once.
  func ancestors(of entity: EntityDescription) -> [EntityDescription] {
    var ancestors: [EntityDescription] = []
    var seen: Set<String> = [entity.name]
    var next = entity.superentityName
    while let name = next, seen.insert(name).inserted, let ancestor = entitiesByName[name] {
      ancestors.append(ancestor)
      next = ancestor.superentityName
    }
    return ancestors
  }

  /// The names of all properties of an entity, inherited ones included.
  func propertyNames(of entity: EntityDescription) -> Set<String> {
    Set(([entity] + ancestors(of: entity)).flatMap(\.propertyNames))
  }

  /// Whether an entity has no property of this name; of one that inherits from an unknown entity nobody can say.
  func lacks(_ name: String, in entity: EntityDescription) -> Bool {
    let lineage = [entity] + ancestors(of: entity)
    let unknown = lineage.last?.superentityName.map { entitiesByName[$0] == nil } ?? false
    return !unknown && !lineage.contains { $0.propertyNames.contains(name) }
  }

  /// The nearest declaration of a relationship in an entity or above it, with the entity that declares it.
  func relationship(
    named name: String, of entity: EntityDescription
  ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
    for holder in [entity] + ancestors(of: entity) {
      if let relationship = holder.relationships.first(where: { $0.name == name }) { return (holder, relationship) }
    }
    return nil
  }

  /// True when the first entity is the second, above it or below it.
  func areRelated(_ first: String, _ second: String) -> Bool {
    guard first != second else { return true }
    func isBelow(_ name: String, _ other: String) -> Bool {
      entitiesByName[name].map { ancestors(of: $0).contains { $0.name == other } } ?? false
    }
    return isBelow(first, second) || isBelow(second, first)
  }

  /// The advice for a name that is not there: the nearest one that is.
  static func suggestion(for name: String, among names: [String]) -> Advice? {
    NearNames.nearest(to: name, among: names).first.map { "did you mean “\($0)”?" }
  }
}

extension ModelIndex {
  /// The stored relationships without an inverse that the condition accepts, each with its entity.
  func relationshipsWithoutInverse(
    where accepts: (RelationshipDescription) -> Bool
  ) -> [(EntityDescription, RelationshipDescription)] {
    model.entities.flatMap { entity in
      entity.relationships.filter { ($0.inverseName ?? "").isEmpty && !$0.isTransient && accepts($0) }
        .map { (entity, $0) }
    }
  }
}

extension EntityDescription {
  /// The names of the properties it declares itself, in the order of their kinds.
  var propertyNames: [String] {
    attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
  }
}
