import Foundation
public import ModelDescription

/// Computes the version hashes of a model's entities, each at most once.
public struct EntityHasher {
  let hierarchy: EntityHierarchy
  private let memory: EntityHashMemory
  private var known: [String: VersionHash] = [:]

  /// Makes a hasher for one model.
  public init(_ hierarchy: EntityHierarchy) { self.init(hierarchy, sharing: EntityHashMemory()) }

  /// Makes a hasher for one of several versions of a model.
  package init(_ hierarchy: EntityHierarchy, sharing memory: EntityHashMemory) {
    (self.hierarchy, self.memory) = (hierarchy, memory)
  }

  /// The version hash of an entity, nil when the model has none of that name.
  public mutating func hash(of name: String) throws(ModelStructureError) -> VersionHash? {
    if let hash = known[name] { return hash }
    var parent: VersionHash?
    for entity in hierarchy.lineage(of: name).reversed() {
      if let hash = known[entity.name] {
        parent = hash
        continue
      }
      let content = HashedEntity(entity, in: hierarchy)
      let superentity = parent
      parent = try memory.hash(of: content, superentity: superentity) { () throws(ModelStructureError) in
        try EntityFingerprint(entity, content, superentity: superentity).hash
      }
      known[entity.name] = parent
    }
    return parent
  }

  /// The parts of an entity's hash.
  ///
  /// - Parameter superentity: its parent's hash, which need not be the one that this model gives it.
  /// - Returns: nil when the model has no entity of that name.
  package func fingerprint(
    of name: String, superentity: VersionHash?
  ) throws(ModelStructureError) -> EntityFingerprint? {
    guard let entity = hierarchy.entity(named: name) else { return nil }
    return try EntityFingerprint(entity, HashedEntity(entity, in: hierarchy), superentity: superentity)
  }

  /// The hash of an attribute, nil when its type has none.
  package func hash(of attribute: AttributeDescription, in entity: String) -> [UInt8]? {
    try? PropertyHasher.hash(HashedProperty(attribute), of: entity)
  }

  /// The hash of a relationship as an entity would declare it.
  package func hash(of relationship: RelationshipDescription, in entity: String) -> [UInt8]? {
    let inverse = hierarchy.hashedInverseName(of: relationship, in: entity)
    return try? PropertyHasher.hash(HashedProperty(relationship, inverse: inverse), of: entity)
  }
}

/// The hashes of entities that several versions of a model share, so that most are computed once.
///
/// Of every entity the last one is remembered, because it changes in few versions.
package final class EntityHashMemory: @unchecked Sendable {
  private let lock = NSLock()
  private var known: [String: (content: HashedEntity, superentity: VersionHash?, hash: VersionHash)] = [:]

  package init() {}

  /// The hash of an entity, computed where it differs from the last of its name.
  func hash(
    of content: HashedEntity, superentity: VersionHash?, compute: () throws(ModelStructureError) -> VersionHash?
  ) throws(ModelStructureError) -> VersionHash? {
    let name = content.name.text
    if let last = lock.withLock({ known[name] }), last.superentity == superentity, last.content == content {
      return last.hash
    }
    let hash = try compute()
    if let hash { lock.withLock { known[name] = (content, superentity, hash) } }
    return hash
  }
}
