import ModelDescription
package import ModelFiles

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

  /// The advice about a name that is not there: a name that is really alike, else what to do without it.
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

  /// The edit that adds the inverse of a relationship; none where the destination has one that could be it.
  func additions(ofInverseTo relationship: RelationshipDescription, of entity: EntityDescription) -> [String] {
    guard let destination = relationship.destinationEntityName.flatMap(self.entity(named:)) else { return [] }
    let candidates = destination.relationships.filter {
      $0.destinationEntityName == entity.name && ($0.inverseName ?? "").isEmpty
    }
    guard candidates.allSatisfy({ destination.name == entity.name && $0.name == relationship.name }) else { return [] }
    let name = entity.name.prefix(1).lowercased() + entity.name.dropFirst() + (relationship.isToMany ? "" : "s")
    let free = ([name] + (2...9).map { "\(name)\($0)" }).first { propertyNames(of: destination).contains($0) == false }
    guard let free else { return [] }
    let words = [
      ModelElement.property(entity: destination.name, name: free).word, "--to", ShellWord(entity.name).text,
      relationship.isToMany ? "--to-one" : "--to-many", "--inverse", ShellWord(relationship.name).text,
    ]
    return ["add relationship \(words.joined(separator: " "))"]
  }
}

extension ModelElement {
  var word: String { ShellWord(description).text }
}

extension EntityDescription {
  /// The names of the properties it declares itself, in the order of their kinds.
  var propertyNames: [String] { attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name) }
}

/// What rules about a single version find in a model that was changed, and not before.
package enum BrokenRules {
  /// Finds what is new; two findings are one if their words are the same, as one element can have several.
  package static func found(in file: ModelFile, beyond oldFiles: [ModelFile]) -> [Finding] {
    func findings(_ file: ModelFile) -> [Finding] { Rule.check(file).filter(\.severity.isFailure) }
    func key(_ finding: Finding) -> [String] { [finding.rule, "\(finding.element)", finding.message] }
    let known = Set(oldFiles.flatMap(findings).map(key))
    return findings(file).filter { !known.contains(key($0)) }
  }

  /// Finds what is in a merged model and in neither side, such as a name in both cases of its letters.
  ///
  /// - Parameter merge: the merge; nothing is found where it leaves something to decide.
  package static func found(in merge: ContentsMerge, named name: String, beyond sides: [String]) throws -> [Finding] {
    guard merge.conflicts.isEmpty else { return [] }
    return found(
      in: try ContentsReader.read(merge.data, path: name),
      beyond: try sides.map { try ContentsReader.read(fileAt: $0) })
  }
}
