import StoreRows

/// Positions in an order: Core Data gives the first object 2048, each appended object 1024 more, and an object between
/// two others the middle.
enum OrderPositions {
  static let first: Int64 = 2048
  static let step: Int64 = 1024

  /// The positions of a list after an edit, with as few new positions as possible.
  ///
  /// - Parameter list: the positions of the objects in their new order; nil for an object without a position.
  static func positions(for list: [Int64?]) -> [Int64] {
    let kept = longestAscent(list)
    var places = [Int64](repeating: 0, count: list.count)
    for position in kept { places[position] = list[position] ?? 0 }
    var previous = -1
    for next in kept + [list.count] {
      let (missing, isLast) = (next - previous - 1, next == list.count)
      if missing > 0 {
        let low = previous < 0 ? (isLast ? first - step : 0) : places[previous]
        guard let new = isLast ? appended(missing, after: low) : between(low, places[next], missing) else {
          return appended(list.count, after: first - step) ?? []
        }
        for (offset, place) in new.enumerated() { places[previous + 1 + offset] = place }
      }
      previous = next
    }
    return places
  }

  private static func appended(_ count: Int, after low: Int64) -> [Int64]? {
    let (span, overflows) = Int64(count).multipliedReportingOverflow(by: step)
    guard !overflows, !low.addingReportingOverflow(span).overflow else { return nil }
    return (1...Int64(count)).map { low + $0 * step }
  }

  /// Equally spaced positions between two positions; nil if there is not enough space.
  private static func between(_ low: Int64, _ high: Int64, _ count: Int) -> [Int64]? {
    let (room, overflows) = high.subtractingReportingOverflow(low)
    guard !overflows, room > Int64(count) else { return nil }
    let part = room / Int64(count + 1)
    return (1...Int64(count)).map { low + $0 * part }
  }

  /// The indexes of a longest strictly ascending sequence of positions, which can be kept.
  private static func longestAscent(_ list: [Int64?]) -> [Int] {
    var tails: [Int] = []
    var before = [Int?](repeating: nil, count: list.count)
    for (position, place) in list.enumerated() {
      guard let place, place > 0 else { continue }
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if list[tails[middle]] ?? 0 < place { low = middle + 1 } else { high = middle }
      }
      before[position] = low > 0 ? tails[low - 1] : nil
      if low == tails.count { tails.append(position) } else { tails[low] = position }
    }
    var kept: [Int] = []
    var position = tails.last
    while let current = position {
      kept.append(current)
      position = before[current]
    }
    return kept.reversed()
  }
}

/// The objects of a to-many relationship of a single object, before a save and after its edits so far.
struct LinkList {
  /// The objects before the save, after they were read.
  private(set) var before: [PlacedLink]?
  private var saved: Set<RecordID> = []
  private(set) var added: [RecordID] = []
  private var isAdded: Set<RecordID> = []
  private(set) var removed: Set<RecordID> = []
  /// The complete list, after an object was moved.
  private var arranged: [RecordID]?

  var isLoaded: Bool { before != nil }
  var isChanged: Bool {
    guard isAdded.isEmpty, removed.isEmpty else { return true }
    return arranged.map { $0 != (before ?? []).map(\.id) } ?? false
  }

  /// The number of objects, if the previous objects are known.
  var count: Int { (before?.count ?? 0) - removed.count + isAdded.count }

  mutating func load(_ links: [PlacedLink]) {
    guard before == nil else { return }
    before = links
    saved = Set(links.map(\.id))
    // An object that was added to a list that was not loaded may already be in it.
    removed.formIntersection(saved)
    let known = isAdded.intersection(saved)
    guard !known.isEmpty else { return }
    isAdded.subtract(known)
    added.removeAll { known.contains($0) }
  }

  func contains(_ id: RecordID) -> Bool { isAdded.contains(id) || (saved.contains(id) && !removed.contains(id)) }

  mutating func add(_ id: RecordID, at position: Int? = nil) {
    // An object that was removed and added again is at the end.
    if position != nil || removed.contains(id), isLoaded, arranged == nil { arranged = members }
    if !contains(id) {
      // If the list is not loaded, a link is added again, because writing it twice has no effect.
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

  /// The objects in their order; if the list was not loaded, only the added objects.
  var members: [RecordID] { arranged ?? (before ?? []).map(\.id).filter { !removed.contains($0) } + added }
}
