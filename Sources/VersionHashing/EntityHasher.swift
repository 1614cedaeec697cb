import Foundation
public import ModelDescription

/// Computes the version hashes of a model's entities, each at most once.
public struct EntityHasher {
  let hierarchy: EntityHierarchy
  private let memory: EntityHashCache
  private var known: [String: VersionHash] = [:]

  /// Makes a hasher for a model.
  public init(_ hierarchy: EntityHierarchy) { self.init(hierarchy, sharing: EntityHashCache()) }

  /// Makes a hasher for one of several versions of a model.
  package init(_ hierarchy: EntityHierarchy, sharing memory: EntityHashCache) {
    (self.hierarchy, self.memory) = (hierarchy, memory)
  }

  /// The version hash of an entity; nil if the model does not have an entity of this name.
  public mutating func hash(of name: String) throws(ModelStructureError) -> VersionHash? {
    if let hash = known[name] { return hash }
    var parent: VersionHash?
    let lineage = hierarchy.lineage(of: name)
    for (position, entity) in lineage.enumerated().reversed() {
      if let hash = known[entity.name] {
        parent = hash
        continue
      }
      parent = try memory.hash(of: entity, lineage[position...], in: hierarchy, superentity: parent)
      known[entity.name] = parent
    }
    return parent
  }

  /// The parts of an entity's hash.
  ///
  /// - Parameter superentity: the hash of its parent, which may differ from its hash in this model.
  /// - Returns: the parts; nil if the model does not have an entity of this name.
  package func fingerprint(
    of name: String, superentity: VersionHash?
  ) throws(ModelStructureError) -> EntityFingerprint? {
    guard let entity = hierarchy.entity(named: name) else { return nil }
    return try EntityFingerprint(entity, HashedEntity(entity, in: hierarchy), superentity: superentity)
  }

  /// The hash of an attribute; nil if its type does not have a hash.
  package func hash(of attribute: AttributeDescription, in entity: String) -> [UInt8]? {
    try? PropertyHasher.hash(HashedProperty(attribute), of: entity)
  }

  /// The hash of a relationship in an entity.
  package func hash(of relationship: RelationshipDescription, in entity: String) -> [UInt8]? {
    let inverse = hierarchy.hashedInverseName(of: relationship, in: entity)
    return try? PropertyHasher.hash(HashedProperty(relationship, inverse: inverse), of: entity)
  }
}

/// A cache of the hashes of entities that several versions of a model share.
///
/// It keeps the last hash of every entity, because an entity changes in few versions.
package final class EntityHashCache: @unchecked Sendable {
  private let lock = NSLock()
  private var known: [String: Known] = [:]

  private struct Known {
    /// The entity and its ancestors, which determine its content.
    let lineage: ArraySlice<EntityDescription>
    let content: HashedEntity
    let fingerprint: EntityFingerprint
    let hash: VersionHash

    func isSame(_ others: ArraySlice<EntityDescription>) -> Bool {
      lineage.count == others.count && zip(lineage, others).allSatisfy { $0.isHashedCopy(of: $1) }
    }
  }

  package init() {}

  /// The hash of an entity, computed only if the entity differs from the last one of its name.
  fileprivate func hash(
    of entity: EntityDescription, _ lineage: ArraySlice<EntityDescription>, in hierarchy: EntityHierarchy,
    superentity: VersionHash?
  ) throws(ModelStructureError) -> VersionHash? {
    let name = entity.name
    let last = lock.withLock { known[name] }
    let isSame = last?.fingerprint.superentity == superentity
    if let last, isSame, last.isSame(lineage) { return last.hash }
    let content = HashedEntity(entity, in: hierarchy)
    let fingerprint: EntityFingerprint
    if let last, isSame, last.content == content {
      fingerprint = last.fingerprint
    } else {
      fingerprint = try EntityFingerprint(
        entity, content, superentity: superentity, known: last.map { ($0.content, $0.fingerprint) })
    }
    guard let hash = fingerprint.hash else { return nil }
    let found = Known(lineage: lineage, content: content, fingerprint: fingerprint, hash: hash)
    lock.withLock { known[name] = found }
    return hash
  }
}
