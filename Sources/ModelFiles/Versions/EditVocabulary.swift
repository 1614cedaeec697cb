import ModelDescription
import VersionHashing

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

  /// Collects what these versions use, the last first.
  init(of versions: [LoadedVersion], storeEntities: Set<String>) {
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
  /// The attribute with nothing but what its hash depends on.
  var hashed: AttributeDescription {
    AttributeDescription(
      name: name, type: type, isOptional: isOptional, isTransient: isTransient,
      allowsExternalBinaryDataStorage: allowsExternalBinaryDataStorage,
      preservesValueInHistoryOnDeletion: preservesValueInHistoryOnDeletion, derivation: derivation,
      elements: elements, versionHashModifier: versionHashModifier)
  }
}

extension RelationshipDescription {
  /// The relationship with nothing but what its hash depends on.
  var hashed: RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destinationEntityName, inverseName: inverseName, isOptional: isOptional,
      isTransient: isTransient, minCount: minCount, maxCount: maxCount, isOrdered: isOrdered,
      versionHashModifier: versionHashModifier)
  }
}
