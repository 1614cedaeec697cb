import ModelDescription
import VersionHashing

/// Looks for one edit, or two, of an entity that give the hash a store has.
struct EditSearch {
  /// The most pairs of edits that are tried for a single entity, of either sort.
  static let pairLimit = 10_000
  /// The most pairs that are tried for all entities of a store together.
  static let budget = 100_000

  private let entity: EntityDescription
  private let goal: VersionHash
  private let hasher: EntityHasher
  private let start: EntityFingerprint
  private let generator: EditGenerator
  /// The number of pairs that may still be tried.
  private(set) var remaining: Int

  /// Prepares a search.
  ///
  /// - Parameter start: the parts of the version's hash, with the store's hash of the parent.
  init(
    of entity: EntityDescription, goal: VersionHash, start: EntityFingerprint, hasher: EntityHasher,
    vocabulary: EditVocabulary, remaining: Int
  ) {
    (self.remaining, self.entity, self.goal) = (remaining, entity, goal)
    (self.start, self.hasher) = (start, hasher)
    generator = EditGenerator(vocabulary: vocabulary)
  }

  /// A change of the fingerprint that is computed once and tried many times.
  private struct Patch {
    let candidate: EditCandidate
    let property: EntityFingerprint.Property?

    func apply(to fingerprint: inout EntityFingerprint) {
      switch candidate.effect {
      case .abstract(let isAbstract): fingerprint.isAbstract = isAbstract
      case .modifier(let modifier): fingerprint.modifier = modifier
      case .constraints(let added, let removed):
        if let removed { fingerprint.constraints.removeAll { $0 == removed } }
        if let added { fingerprint.constraints.append(added) }
      case .property(let removed, _): fingerprint.replaceProperty(named: removed, with: property)
      }
    }
  }

  /// The edits, and the entity after them; nil if neither one nor two edits give the goal.
  mutating func run() -> (edits: [ModelEdit], entity: EntityDescription)? {
    let patches = generator.candidates(for: entity).compactMap(patch)
    if let single = patches.first(where: { matches([$0]) }) { return result([single]) }
    let frequent = patches.filter { !$0.candidate.isRare }
    return pairOfDifferentProperties(frequent) ?? pairOfOneProperty(patches)
  }

  private mutating func pairOfDifferentProperties(
    _ patches: [Patch]
  ) -> (edits: [ModelEdit], entity: EntityDescription)? {
    var tried = 0
    guard patches.count > 1 else { return nil }
    for sum in 1..<(2 * patches.count - 2) {
      for first in max(0, sum - patches.count + 1)..<((sum + 1) / 2) {
        let pair = [patches[first], patches[sum - first]]
        if let subject = pair[0].candidate.subject, subject == pair[1].candidate.subject { continue }
        tried += 1
        remaining -= 1
        guard tried <= Self.pairLimit, remaining >= 0 else { return nil }
        if matches(pair) { return result(pair) }
      }
    }
    return nil
  }

  /// Two edits of a single property: the second starts from what the first made.
  private mutating func pairOfOneProperty(_ patches: [Patch]) -> (edits: [ModelEdit], entity: EntityDescription)? {
    var tried = 0
    for first in patches {
      guard case .property(let name?, let inserted?) = first.candidate.effect else { continue }
      if case .definition = first.candidate.change { continue }
      for candidate in generator.candidates(for: inserted, in: entity) {
        guard case .property(_, let final?) = candidate.effect else { continue }
        let combined = EditCandidate(change: candidate.change, effect: .property(removing: name, inserting: final))
        guard let patch = patch(combined) else { continue }
        tried += 1
        remaining -= 1
        guard tried <= Self.pairLimit, remaining >= 0 else { return nil }
        guard matches([patch]) else { continue }
        let changes = [first.candidate.change, candidate.change]
        return (changes.map { ModelEdit(entity: entity.name, change: $0) }, combined.applied(to: entity))
      }
    }
    return nil
  }

  private func patch(_ candidate: EditCandidate) -> Patch? {
    guard case .property(_, let inserted?) = candidate.effect else { return Patch(candidate: candidate, property: nil) }
    guard !inserted.isTransient else { return nil }
    switch inserted {
    case .attribute(let attribute):
      guard let hash = hasher.hash(of: attribute, in: entity.name) else { return nil }
      return Patch(candidate: candidate, property: EntityFingerprint.Property(name: attribute.name, hash: hash))
    case .relationship(let relationship):
      guard let hash = hasher.hash(of: relationship, in: entity.name) else { return nil }
      return Patch(candidate: candidate, property: EntityFingerprint.Property(name: relationship.name, hash: hash))
    }
  }

  private func matches(_ patches: [Patch]) -> Bool {
    var fingerprint = start
    for patch in patches { patch.apply(to: &fingerprint) }
    return fingerprint.hash == goal
  }

  private func result(_ patches: [Patch]) -> (edits: [ModelEdit], entity: EntityDescription) {
    let edits = patches.map { ModelEdit(entity: entity.name, change: $0.candidate.change) }
    return (edits, patches.reduce(entity) { $1.candidate.applied(to: $0) })
  }
}

/// The words that edits are made of: what the versions of a bundle have used anywhere.
struct EditVocabulary: Sendable {
  /// A property or an entity as one version declares it.
  struct Use<Element: Hashable & Sendable>: Hashable, Sendable {
    let element: Element
    let version: String
  }

  /// All modifiers of entities and properties, sorted.
  private(set) var modifiers: [String] = []
  /// The minimum and maximum counts in use, the usual ones included.
  private(set) var counts: [[Int]] = [[0, 0], [0, 1], [1, 1], [1, 0]]
  /// All entity names, the store's included, sorted.
  private(set) var entityNames: [String] = []
  /// The attributes of each entity by name, each definition once.
  private(set) var attributes: [String: [Use<AttributeDescription>]] = [:]
  /// The relationships of each entity by name, each definition once.
  private(set) var relationships: [String: [Use<RelationshipDescription>]] = [:]
  /// The constraints of each entity by name.
  private(set) var constraints: [String: [[String]]] = [:]
  /// The names of the relationships that point at an entity, or that an entity has, sorted.
  private(set) var relationshipNames: [String: [String]] = [:]

  /// Every definition of each entity by its hash.
  private(set) var entities: [String: [VersionHash: Use<EntityDescription>]] = [:]

  /// The columns of a store that no version has a property for, by the entities whose table they are in.
  private(set) var unknownColumns: [String: [StoreColumns.Column]] = [:]

  /// Collects what these versions use, the last first, and what a store has beyond it.
  init(of versions: [LoadedVersion], storeEntities: Set<String>, columns: StoreColumns = .none) {
    var modifiers: Set<String> = []
    var names = storeEntities
    var seenAttributes: Set<Key<AttributeDescription>> = []
    var seenRelationships: Set<Key<RelationshipDescription>> = []
    var relationshipNames: [String: Set<String>] = [:]
    for version in versions.reversed() {
      for entity in version.hierarchy.model.entities {
        names.insert(entity.name)
        if let hash = version.versionHashes.entities[entity.name], entities[entity.name]?[hash] == nil {
          entities[entity.name, default: [:]][hash] = Use(element: entity, version: version.name)
        }
        modifiers.formUnion([entity.versionHashModifier].compactMap { $0 })
        for constraint in entity.uniquenessConstraints
        where !constraints[entity.name, default: []].contains(constraint) {
          constraints[entity.name, default: []].append(constraint)
        }
        for attribute in entity.attributes {
          modifiers.formUnion([attribute.versionHashModifier].compactMap { $0 })
          guard seenAttributes.insert(Key(entity: entity.name, property: attribute.hashed)).inserted else { continue }
          attributes[entity.name, default: []].append(Use(element: attribute, version: version.name))
        }
        for relationship in entity.relationships {
          modifiers.formUnion([relationship.versionHashModifier].compactMap { $0 })
          relationshipNames[entity.name, default: []].insert(relationship.name)
          let count = [relationship.minCount, relationship.maxCount]
          if !counts.contains(count), counts.count < 12 { counts.append(count) }
          guard seenRelationships.insert(Key(entity: entity.name, property: relationship.hashed)).inserted else {
            continue
          }
          relationships[entity.name, default: []].append(Use(element: relationship, version: version.name))
        }
      }
    }
    unknownColumns = columns.unknown(among: versions)
    self.modifiers = modifiers.sorted()
    self.relationshipNames = relationshipNames.mapValues { $0.sorted() }
    entityNames = names.sorted()
  }

  private struct Key<Property: Hashable>: Hashable {
    let entity: String
    let property: Property
  }
}

extension AttributeDescription {
  /// The attribute with only the settings that its hash depends on.
  var hashed: AttributeDescription {
    AttributeDescription(
      name: name, type: type, isOptional: isOptional, isTransient: isTransient,
      allowsExternalBinaryDataStorage: allowsExternalBinaryDataStorage,
      preservesValueInHistoryOnDeletion: preservesValueInHistoryOnDeletion, derivation: derivation,
      elements: elements, versionHashModifier: versionHashModifier)
  }
}

extension RelationshipDescription {
  /// The relationship with only the settings that its hash depends on.
  var hashed: RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destinationEntityName, inverseName: inverseName, isOptional: isOptional,
      isTransient: isTransient, minCount: minCount, maxCount: maxCount, isOrdered: isOrdered,
      versionHashModifier: versionHashModifier)
  }
}

/// The columns of the tables of a store; they show properties that no version here has.
public struct StoreColumns: Hashable, Sendable {
  /// A column as the table declares it.
  package struct Column: Hashable, Sendable {
    let name: String
    let type: String

    package init(name: String, type: String) { (self.name, self.type) = (name, type) }
  }

  /// The columns if the store's tables are unknown.
  public static let none = StoreColumns(tables: [:])

  private let tables: [String: [Column]]

  /// Takes the columns that properties may have, by the tables they are in.
  package init(tables: [String: [Column]]) { self.tables = tables }

  /// The columns that no property of a version has, by the names of the entities that may have had one.
  fileprivate func unknown(among versions: [LoadedVersion]) -> [String: [Column]] {
    guard !tables.isEmpty else { return [:] }
    var known: [String: Set<String>] = [:]
    var entities: [String: Set<String>] = [:]
    for version in versions {
      for entity in version.hierarchy.model.entities {
        guard let root = version.hierarchy.lineage(of: entity.name).last?.name else { continue }
        let table = "Z\(root.uppercased())"
        guard tables[table] != nil else { continue }
        entities[table, default: []].insert(entity.name)
        known[table, default: []].formUnion(
          (entity.attributes.map(\.name) + entity.relationships.map(\.name)).map { "Z\($0.uppercased())" })
      }
    }
    var found: [String: [Column]] = [:]
    for (table, names) in entities {
      let unknown = (tables[table] ?? []).filter { column in
        !(known[table] ?? []).contains { column.name == $0 || column.name.hasPrefix("\($0)_") }
      }
      guard !unknown.isEmpty else { continue }
      for name in names { found[name] = unknown }
    }
    return found
  }
}

extension StoreColumns.Column {
  /// The types that Core Data keeps in a column of this type.
  var attributeTypes: [AttributeType] {
    switch type.uppercased() {
    case "VARCHAR": [.string, .uri]
    case "INTEGER": [.integer16, .integer32, .integer64, .boolean]
    case "FLOAT": [.double, .float]
    case "DECIMAL": [.decimal]
    case "TIMESTAMP": [.date]
    case "BLOB": [.binary, .transformable, .uuid]
    default: []
    }
  }

  /// The names that a property of this column may have had, the likely ones first: the column is in capitals.
  var spellings: [String] {
    let letters = Array(name.dropFirst().lowercased())
    guard !letters.isEmpty, letters.count <= 40 else { return [] }
    func spelling(_ isCapital: (Int) -> Bool) -> String {
      String(letters.indices.map { isCapital($0) ? Character(letters[$0].uppercased()) : letters[$0] })
    }
    var found = [spelling { _ in false }]
    let inner = letters.indices.dropFirst().filter { letters[$0].isLetter }
    found += inner.map { position in spelling { $0 == position } }
    // Such as `imageURL`: all from one place on.
    found += inner.map { position in spelling { $0 >= position } }
    for first in inner {
      for second in inner where second > first {
        found.append(spelling { $0 == first || $0 == second })
        guard inner.count <= 16 else { continue }
        for third in inner where third > second { found.append(spelling { [first, second, third].contains($0) }) }
      }
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
  }
}
