import ModelFiles
import PersistentStores

/// The metadata of two edits of one store, entry by entry.
struct MergedMetadata {
  let metadata: StoreMetadata

  init(
    _ base: StoreMetadata, _ ours: StoreMetadata, _ theirs: StoreMetadata, path: String
  ) throws(StoreMergeError) {
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
