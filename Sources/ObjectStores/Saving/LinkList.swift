import StoreRows

/// The objects of one to-many relationship of one object, before a save and after its edits so far.
struct LinkList {
  /// What was there, once somebody asked.
  private(set) var before: [PlacedLink]?
  private var saved: Set<RecordID> = []
  private(set) var added: [RecordID] = []
  private var isAdded: Set<RecordID> = []
  private(set) var removed: Set<RecordID> = []
  /// The whole list, once somebody moved something in it.
  private var arranged: [RecordID]?

  var isLoaded: Bool { before != nil }
  var isChanged: Bool {
    guard isAdded.isEmpty, removed.isEmpty else { return true }
    return arranged.map { $0 != (before ?? []).map(\.id) } ?? false
  }

  /// The number of objects, once what was there is known.
  var count: Int { (before?.count ?? 0) - removed.count + isAdded.count }

  mutating func load(_ links: [PlacedLink]) {
    guard before == nil else { return }
    before = links
    saved = Set(links.map(\.id))
    // What was added without looking may have been there.
    removed.formIntersection(saved)
    let known = isAdded.intersection(saved)
    guard !known.isEmpty else { return }
    isAdded.subtract(known)
    added.removeAll { known.contains($0) }
  }

  func contains(_ id: RecordID) -> Bool {
    isAdded.contains(id) || (saved.contains(id) && !removed.contains(id))
  }

  mutating func add(_ id: RecordID, at position: Int? = nil) {
    // What was taken out and comes again comes at the end.
    if position != nil || removed.contains(id), isLoaded, arranged == nil { arranged = members }
    if !contains(id) {
      // Without a look at what was there a link is added again: writing it twice does no harm.
      if removed.remove(id) == nil || before == nil, isAdded.insert(id).inserted { added.append(id) }
      if position == nil { arranged?.append(id) }
    } else if position != nil {
      arranged?.removeAll { $0 == id }
    }
    if let position, let count = arranged?.count { arranged?.insert(id, at: min(max(0, position), count)) }
  }

  mutating func remove(_ id: RecordID) {
    // Rarely anything is added and taken out again; the list is looked through then.
    if isAdded.remove(id) != nil { added.removeAll { $0 == id } }
    if before == nil || saved.contains(id) { removed.insert(id) }
    arranged?.removeAll { $0 == id }
  }

  mutating func arrange(_ ids: [RecordID]) { arranged = ids }

  /// The objects in their order; of a list that was not loaded only those that were added.
  var members: [RecordID] {
    arranged ?? (before ?? []).map(\.id).filter { !removed.contains($0) } + added
  }
}
