import ModelDescription
package import ModelFiles

/// Look-ups in a model that may be broken, with unknown parents, cycles and duplicates.
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

  /// The ancestors of an entity, nearest first, each once.
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

  /// The names of all properties of an entity, including inherited properties.
  func propertyNames(of entity: EntityDescription) -> Set<String> {
    Set(([entity] + ancestors(of: entity)).flatMap(\.propertyNames))
  }

  /// True if an entity does not have a property of this name; false if it inherits from an unknown entity.
  func lacks(_ name: String, in entity: EntityDescription) -> Bool {
    let lineage = [entity] + ancestors(of: entity)
    let unknown = lineage.last?.superentityName.map { entitiesByName[$0] == nil } ?? false
    return !unknown && !lineage.contains { $0.propertyNames.contains(name) }
  }

  /// The nearest declaration of a relationship in an entity or its ancestors, with the declaring entity.
  func relationship(
    named name: String, of entity: EntityDescription
  ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
    for holder in [entity] + ancestors(of: entity) {
      if let relationship = holder.relationships.first(where: { $0.name == name }) { return (holder, relationship) }
    }
    return nil
  }

  /// True if the entities are equal, or either inherits from the other.
  func areRelated(_ first: String, _ second: String) -> Bool {
    guard first != second else { return true }
    func isBelow(_ name: String, _ other: String) -> Bool {
      entitiesByName[name].map { ancestors(of: $0).contains { $0.name == other } } ?? false
    }
    return isBelow(first, second) || isBelow(second, first)
  }

  /// The advice about an unknown name: a name that is nearly the same, or the removal if there is no such name.
  static func correction(of name: String, among names: [String], else removal: Advice) -> Advice {
    NearNames.close(to: name, among: names).first.map { "write “\($0)” instead of “\(name)”" } ?? removal
  }

  /// The stored relationships without an inverse that the condition accepts, each with its entity.
  func relationshipsWithoutInverse(
    where accepts: (RelationshipDescription) -> Bool
  ) -> [(EntityDescription, RelationshipDescription)] {
    model.entities.flatMap { entity in
      entity.relationships.filter { ($0.inverseName ?? "").isEmpty && !$0.isTransient && accepts($0) }
        .map { (entity, $0) }
    }
  }

  /// The edit that adds the inverse of a relationship; none if the destination has a relationship that could be it.
  func additions(ofInverseTo relationship: RelationshipDescription, of entity: EntityDescription) -> [[String]] {
    guard let destination = relationship.destinationEntityName.flatMap(self.entity(named:)) else { return [] }
    let candidates = destination.relationships.filter {
      $0.destinationEntityName == entity.name && ($0.inverseName ?? "").isEmpty
    }
    guard candidates.allSatisfy({ destination.name == entity.name && $0.name == relationship.name }) else { return [] }
    let name = entity.name.prefix(1).lowercased() + entity.name.dropFirst() + (relationship.isToMany ? "" : "s")
    let free = ([name] + (2...9).map { "\(name)\($0)" }).first { propertyNames(of: destination).contains($0) == false }
    guard let free else { return [] }
    return [
      [
        "add", "relationship", ModelElement.property(entity: destination.name, name: free).description,
        "--destination", entity.name, relationship.isToMany ? "--to-one" : "--to-many", "--inverse", relationship.name,
      ]
    ]
  }
}

extension EntityDescription {
  /// The names of the properties that the entity declares, by kind.
  var propertyNames: [String] { attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name) }
}

/// The findings of rules about a single version that a change of the model added.
package enum BrokenRules {
  /// Finds the new findings; findings with the same element and message count as the same.
  package static func found(in file: ModelFile, beyond oldFiles: [ModelFile]) -> [Finding] {
    func findings(_ file: ModelFile) -> [Finding] { Rule.check(file).filter(\.severity.isFailure) }
    func key(_ finding: Finding) -> [String] { [finding.rule, "\(finding.element)", finding.message] }
    let known = Set(oldFiles.flatMap(findings).map(key))
    return findings(file).filter { !known.contains(key($0)) }
  }

  /// Finds the findings of a merged model that neither side has, such as two names that differ only in case.
  ///
  /// - Parameter merge: the merge; there are no findings if it has conflicts.
  package static func found(in merge: ContentsMerge, named name: String, beyond sides: [String]) throws -> [Finding] {
    guard merge.conflicts.isEmpty else { return [] }
    return found(
      in: try ContentsReader.read(merge.data, path: name),
      beyond: try sides.map { try ContentsReader.read(fileAt: $0) })
  }
}
