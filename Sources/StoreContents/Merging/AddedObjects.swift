import AtomicStores
import ModelDescription
import StoreRows

/// Which of the objects that both sides added are the same, and the keys that those of theirs get.
struct AddedObjects {
  private let theirs: StoreDocument
  private let model: EntityHierarchy
  private var lastKeys: [String: Int64]
  /// The objects of theirs that are ours under another key.
  private var known: [RecordID: RecordID] = [:]
  /// The objects of theirs whose keys ours gave to others.
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
      StoreDocument.Object(
        id: names[object.id] ?? object.id, values: object.values.mapValues { $0.renamed(names) })
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
