public import AtomicStores
public import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows

/// Two edits of one store, merged object by object and property by property.
///
/// An object is known by its entity and key. Of two that both sides added, one of the uniqueness constraints decides whether
/// they are the same; where none does, one of theirs whose key ours has given to another gets a new key.
public struct StoreMerge: Sendable {
  /// One of the two edits.
  public enum Side: Sendable {
    case ours, theirs
  }

  /// The merged store, in which ours stands where the sides disagree.
  public let merged: StoreDocument
  /// The same with theirs where the sides disagree.
  public let alternative: StoreDocument
  /// What the sides disagree about, by entity and key; empty when the merge is clean.
  public let conflicts: [StoreMergeConflict]

  /// Merges.
  ///
  /// - Parameters:
  ///   - base: the common ancestor; nil when both sides added the store, whose objects of one key are the same then.
  ///   - ours: one side.
  ///   - theirs: the other side.
  ///   - model: the model of all of them.
  ///   - paths: how messages name the three.
  /// - Throws: ``StoreMergeError`` when they are of different versions, or for metadata that both changed.
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
