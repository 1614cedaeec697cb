public import AtomicStores
public import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows

/// Two edits of a single store, merged object by object and property by property.
///
/// Objects are matched by entity and key. If both sides added objects, objects with equal values of a uniqueness
/// constraint are the same. If their object has a key that our side gave to a different object, it gets a new key.
public struct StoreMerge: Sendable {
  /// One of the two edits.
  public enum Side: Sendable {
    case ours, theirs
  }

  /// The merged store, with our values in conflicts.
  public let merged: StoreDocument
  /// The merged store, with their values in conflicts.
  public let alternative: StoreDocument
  /// The conflicts, by entity and key; empty for a clean merge.
  public let conflicts: [StoreMergeConflict]

  /// Merges.
  ///
  /// - Parameter base: the common ancestor; nil if both sides added the store, and then objects with equal keys are the
  ///   same.
  /// - Throws: ``StoreMergeError`` if the versions differ, or if both sides changed the metadata.
  public init(
    base: StoreDocument?, ours: StoreDocument, theirs: StoreDocument, model: EntityHierarchy,
    paths: (base: String, ours: String, theirs: String)
  ) throws(StoreMergeError) {
    for (side, path) in [(base, paths.base), (theirs, paths.theirs)] {
      if let side, side.metadata.versionHashes != ours.metadata.versionHashes {
        throw .versions(path: path, ours: paths.ours)
      }
    }
    let ancestor = base ?? StoreDocument(metadata: ours.metadata, objects: [])
    let (their, lastKeys) = try AddedObjects(
      base: base, ours: ours, theirs: theirs, model: model
    ).renumbered(path: paths.theirs)
    let metadata = try MergedMetadata(ancestor.metadata, ours.metadata, theirs.metadata, path: paths.ours).metadata
    let objects = ObjectMerge(base: ancestor, ours: ours, theirs: their, model: model)
    let (mine, found) = objects.merged(preferring: .ours)
    merged = StoreDocument(metadata: metadata, objects: mine, lastKeys: lastKeys)
    let unique = MergedConstraints(model).conflicts(in: mine, beyond: [ours.objects, theirs.objects])
    let counted = MergedCounts(model).conflicts(in: mine, beyond: [ours.objects, their.objects])
    conflicts = (found + unique + counted).sorted {
      ($0.object.entity, $0.object.key) < ($1.object.entity, $1.object.key)
    }
    alternative =
      found.isEmpty
      ? merged
      : StoreDocument(metadata: metadata, objects: objects.merged(preferring: .theirs).objects, lastKeys: lastKeys)
  }
}

/// The metadata of two edits of a single store, merged entry by entry.
struct MergedMetadata {
  let metadata: StoreMetadata

  init(_ base: StoreMetadata, _ ours: StoreMetadata, _ theirs: StoreMetadata, path: String) throws(StoreMergeError) {
    var entries = ours.entries
    for key in Set(base.entries.keys).union(theirs.entries.keys).sorted() {
      let (before, own, other) = (base.entries[key], ours.entries[key], theirs.entries[key])
      if own == other || other == before { continue }
      guard own == before else { throw .metadata(path: path, entry: key) }
      entries[key] = other
    }
    var uuid = ours.uuid
    if ours.uuid != theirs.uuid, theirs.uuid != base.uuid {
      guard ours.uuid == base.uuid else { throw .metadata(path: path, entry: "NSStoreUUID") }
      uuid = theirs.uuid
    }
    metadata = StoreMetadata(
      uuid: uuid, versionHashes: ours.versionHashes, identifiers: ours.identifiers, entries: entries)
  }
}

/// The pairs of equal objects that both sides added, and the new keys of their objects.
struct AddedObjects {
  private let theirs: StoreDocument
  private let model: EntityHierarchy
  private var lastKeys: [String: Int64]
  /// Their objects that are ours under another key.
  private var known: [RecordID: RecordID] = [:]
  /// Their objects whose keys our objects use.
  private var displaced: [RecordID] = []

  init(base: StoreDocument?, ours: StoreDocument, theirs: StoreDocument, model: EntityHierarchy) {
    (self.theirs, self.model) = (theirs, model)
    lastKeys = ours.lastKeys.merging(theirs.lastKeys) { max($0, $1) }
    for id in (ours.objects + theirs.objects).map(\.id) {
      let root = model.rootName(of: id.entity)
      if let last = lastKeys[root] { lastKeys[root] = max(last, id.key) }
    }
    greatest = Self.greatest(of: ours.objects + theirs.objects, model)
    guard let base else { return }
    let before = Set(base.objects.map(\.id))
    let constraints = MergedConstraints(model)
    let ourAdded = ours.objects.filter { !before.contains($0.id) }
    let theirAdded = theirs.objects.filter { !before.contains($0.id) }
    let own = constraints.objects(ourAdded)
    let taken = Dictionary(ours.objects.map { (key(of: $0.id), $0) }) { first, _ in first }
    for object in theirAdded {
      if let same = constraints.values(of: object).lazy.compactMap({ own[$0] }).first {
        known[object.id] = same
      } else if let other = taken[key(of: object.id)], other != object {
        displaced.append(object.id)
      }
    }
  }

  private let greatest: [String: Int64]

  private func key(of id: RecordID) -> RecordID { RecordID(entity: model.rootName(of: id.entity), key: id.key) }

  private static func greatest(of objects: [StoreDocument.Object], _ model: EntityHierarchy) -> [String: Int64] {
    var greatest: [String: Int64] = [:]
    for id in objects.map(\.id) {
      let root = model.rootName(of: id.entity)
      greatest[root] = max(greatest[root] ?? id.key, id.key)
    }
    return greatest
  }

  /// Theirs with the new keys in all links, and the last keys that are given then.
  func renumbered(path: String) throws(StoreMergeError) -> (StoreDocument, lastKeys: [String: Int64]) {
    var (names, last) = (known, lastKeys)
    for id in displaced {
      let root = model.rootName(of: id.entity)
      let (key, isBeyond) = max(last[root] ?? 0, greatest[root] ?? 0).addingReportingOverflow(1)
      guard !isBeyond else { throw .keys(path: path, entity: id.entity) }
      last[root] = key
      names[id] = RecordID(entity: id.entity, key: key)
    }
    guard !names.isEmpty else { return (theirs, last) }
    let objects = theirs.objects.map { object in
      StoreDocument.Object(id: names[object.id] ?? object.id, values: object.values.mapValues { $0.renamed(names) })
    }
    return (StoreDocument(metadata: theirs.metadata, objects: objects, lastKeys: theirs.lastKeys), last)
  }
}

extension RecordValue {
  fileprivate func renamed(_ names: [RecordID: RecordID]) -> RecordValue {
    switch self {
    case .object(let id): .object(names[id] ?? id)
    case .objects(let ids): .objects(ids.map { names[$0] ?? $0 })
    default: self
    }
  }
}

/// The minimum and maximum counts of a model's to-many relationships, checked in a merge.
struct MergedCounts {
  /// A relationship of an object, and on which side of its limits it is.
  private struct Place: Hashable {
    let object: RecordID
    let relationship: String
    let isAbove: Bool
  }

  private let limited: [String: [RelationshipDescription]]

  init(_ model: EntityHierarchy) {
    limited = Dictionary(
      model.model.entities.map { entity in
        let relationships = model.allRelationships(of: entity.name).values.map(\.property)
          .filter { $0.isToMany && !$0.isTransient && $0.counts.isLimited }
        return (entity.name, relationships.sorted { $0.name < $1.name })
      }
    ) { first, _ in first }
  }

  /// The relationships with too few or too many objects, unless a side had them already.
  func conflicts(in objects: [StoreDocument.Object], beyond sides: [[StoreDocument.Object]]) -> [StoreMergeConflict] {
    let found = broken(objects)
    guard !found.isEmpty else { return [] }
    let known = Set(sides.flatMap { broken($0).map(\.place) })
    return found.filter { !known.contains($0.place) }.map {
      StoreMergeConflict(object: $0.place.object, cause: $0.cause)
    }
  }

  private func broken(_ objects: [StoreDocument.Object]) -> [(place: Place, cause: StoreMergeConflict.Cause)] {
    var broken: [(place: Place, cause: StoreMergeConflict.Cause)] = []
    for object in objects {
      for relationship in limited[object.id.entity] ?? [] {
        let count = object.values[relationship.name]?.links?.count ?? 0
        guard let cause = Self.cause(relationship, count) else { continue }
        let isAbove = if case .tooMany = cause { true } else { false }
        broken.append((Place(object: object.id, relationship: relationship.name, isAbove: isAbove), cause))
      }
    }
    return broken
  }

  /// The error that Core Data finds if it saves the object.
  private static func cause(_ relationship: RelationshipDescription, _ count: Int) -> StoreMergeConflict.Cause? {
    let rules = relationship.counts
    if rules.isTooFew(count) { return .tooFew(relationship.name, count: count, minimum: rules.least) }
    guard let most = rules.most, rules.isTooMany(count) else { return nil }
    return .tooMany(relationship.name, count: count, maximum: most)
  }
}
