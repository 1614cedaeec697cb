import ModelDescription
import VersionHashing

/// Explains why a store's hashes are not a version's, entity by entity.
///
/// Parents come first, because an edit of a parent changes the hashes of everything below it; the model is corrected
/// by every edit that is found, so that the sub-entities are judged with their parent as the store had it.
struct DifferenceExplainer {
  private let hashes: VersionHashes
  private let known: VersionHashes
  private let vocabulary: EditVocabulary
  private var hierarchy: EntityHierarchy
  private var renamed: [String: String] = [:]
  private var differences: [EntityDifference] = []
  private var remaining = EditSearch.budget

  /// Explains the differences.
  ///
  /// - Parameter configuration: the configuration to compare with; nil for the complete model.
  /// - Returns: the entities that differ, parents first, then those that only the store has.
  static func explain(
    _ hashes: VersionHashes, against version: LoadedVersion, configuration: String?, vocabulary: EditVocabulary
  ) -> [EntityDifference] {
    reconstruct(hashes, from: version, configuration: configuration, vocabulary: vocabulary).differences
  }

  /// The same, with the version's model corrected by every edit that was found.
  static func reconstruct(
    _ hashes: VersionHashes, from version: LoadedVersion, configuration: String?, vocabulary: EditVocabulary
  ) -> (differences: [EntityDifference], hierarchy: EntityHierarchy) {
    var explainer = DifferenceExplainer(
      hashes: hashes, known: version.versionHashes(ofConfiguration: configuration) ?? version.versionHashes,
      vocabulary: vocabulary, hierarchy: version.hierarchy)
    explainer.findRenamedEntities()
    explainer.explainEntities()
    return (explainer.differences, explainer.hierarchy)
  }

  private init(hashes: VersionHashes, known: VersionHashes, vocabulary: EditVocabulary, hierarchy: EntityHierarchy) {
    (self.hashes, self.known, self.vocabulary, self.hierarchy) = (hashes, known, vocabulary, hierarchy)
  }

  /// The most pairs of names that are tried as a renaming.
  private static let renamingLimit = 400

  private mutating func findRenamedEntities() {
    let stored = hashes.entities.keys.filter { known.entities[$0] == nil }.sorted()
    let versioned = known.entities.keys.filter { hashes.entities[$0] == nil }.sorted()
    var tried = 0
    for storeName in stored {
      for name in versioned where !renamed.values.contains(name) {
        tried += 1
        guard tried <= Self.renamingLimit else { return }
        let model = hierarchy.model.renamingEntity(name, to: storeName)
        guard let candidate = try? EntityHierarchy(model),
          hash(of: storeName, in: candidate) == hashes.entities[storeName]
        else { continue }
        hierarchy = candidate
        renamed[storeName] = name
        break
      }
    }
  }

  private mutating func explainEntities() {
    let members = Set(known.entities.keys)
    let names = hierarchy.numberedEntities.map(\.name)
    for name in names {
      if let versionName = renamed[name] {
        differences.append(EntityDifference(entity: name, kind: .renamed(inVersion: versionName)))
        continue
      }
      guard members.contains(name) else { continue }
      guard let goal = hashes.entities[name] else {
        differences.append(EntityDifference(entity: name, kind: .onlyInVersion))
        continue
      }
      if let kind = explain(name, goal: goal) {
        differences.append(EntityDifference(entity: name, kind: kind))
      }
    }
    for name in hashes.entities.keys.sorted() where !members.contains(name) && renamed[name] == nil {
      differences.append(EntityDifference(entity: name, kind: .onlyInStore))
    }
  }

  private mutating func explain(_ name: String, goal: VersionHash) -> EntityDifference.Kind? {
    let hasher = EntityHasher(hierarchy)
    guard let entity = hierarchy.entity(named: name),
      let start = try? hasher.fingerprint(of: name, superentity: parentHash(of: name))
    else { return .unexplained }
    if start.hash == goal {
      let parentDiffers = entity.superentityName.map { parent in
        differences.contains { $0.entity == parent }
      }
      if parentDiffers == true, let parent = entity.superentityName { return .inherited(from: parent) }
      return known.entities[name] == goal ? nil : .renamedDestination
    }
    if let parent = formerParent(of: entity, goal: goal) {
      var former = entity
      former.superentityName = parent.name
      correct(former)
      return .edited([ModelEdit(entity: name, change: .superentity(parent.name))])
    }
    var search = EditSearch(
      of: entity, goal: goal, start: start, hasher: hasher, vocabulary: vocabulary, remaining: remaining)
    let result = search.run()
    remaining = search.remaining
    if let result {
      correct(result.entity)
      return .edited(result.edits)
    }
    guard let use = vocabulary.entities[name]?[goal] else {
      let columns = vocabulary.unknownColumns[name, default: []].map(\.name)
      return columns.isEmpty ? .unexplained : .unknownAttributes(columns: columns)
    }
    correct(use.element)
    return .asIn(version: use.version)
  }

  /// A parent the store's entity may have had, nil as a parent being none at all.
  private struct Parent {
    let name: String?
  }

  /// The parent, other than the version's, that gives an entity the store's hash.
  private func formerParent(of entity: EntityDescription, goal: VersionHash) -> Parent? {
    let names = [nil] + hierarchy.numberedEntities.prefix(Self.renamingLimit).map { Optional($0.name) }
    for name in names where name != entity.superentityName && name != entity.name {
      let parentHash = name.flatMap { hashes.entities[$0] }
      guard name == nil || parentHash != nil else { continue }
      var model = hierarchy.model
      guard let position = model.entities.firstIndex(where: { $0.name == entity.name }) else { return nil }
      model.entities[position].superentityName = name
      guard let candidate = try? EntityHierarchy(model),
        let fingerprint = try? EntityHasher(candidate).fingerprint(of: entity.name, superentity: parentHash)
      else { continue }
      if fingerprint.hash == goal { return Parent(name: name) }
    }
    return nil
  }

  /// Puts the store's definition of an entity in the place of the version's.
  private mutating func correct(_ entity: EntityDescription) {
    var model = hierarchy.model
    guard let position = model.entities.firstIndex(where: { $0.name == entity.name }) else { return }
    model.entities[position] = entity
    if let corrected = try? EntityHierarchy(model) { hierarchy = corrected }
  }

  /// The hash of an entity's parent in the store, or in the version if the store does not have it.
  private func parentHash(of name: String) -> VersionHash? {
    guard let parent = hierarchy.superentity(of: name) else { return nil }
    return hashes.entities[parent.name] ?? hash(of: parent.name, in: hierarchy)
  }

  private func hash(of name: String, in hierarchy: EntityHierarchy) -> VersionHash? {
    var hasher = EntityHasher(hierarchy)
    return (try? hasher.hash(of: name)) ?? nil
  }
}

extension ManagedObjectModel {
  /// The model with a single entity renamed wherever it is named.
  func renamingEntity(_ name: String, to newName: String) -> ManagedObjectModel {
    var model = self
    for position in model.entities.indices {
      if model.entities[position].name == name { model.entities[position].name = newName }
      if model.entities[position].superentityName == name { model.entities[position].superentityName = newName }
      for index in model.entities[position].relationships.indices
      where model.entities[position].relationships[index].destinationEntityName == name {
        model.entities[position].relationships[index].destinationEntityName = newName
      }
    }
    return model
  }
}
