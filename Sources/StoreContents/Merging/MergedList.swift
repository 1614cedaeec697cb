import StoreRows

/// The objects of a to-many relationship, merged as a set; where they have an order, what one side moved is moved, and what a side
/// added comes after what it stands behind there.
struct MergedList {
  /// True when each side gave the objects that all have another order.
  let isConflict: Bool
  private let ours: [RecordID]
  private let theirs: [RecordID]
  private let isOrdered: Bool
  private let isTheirOrder: Bool
  private let kept: Set<RecordID>

  init(_ base: [RecordID], _ ours: [RecordID], _ theirs: [RecordID], isOrdered: Bool) {
    (self.ours, self.theirs, self.isOrdered) = (ours, theirs, isOrdered)
    let (before, own, other) = (Set(base), Set(ours), Set(theirs))
    kept = own.union(other).filter { before.contains($0) ? own.contains($0) && other.contains($0) : true }
    let common = own.intersection(other)
    let (ourOrder, theirOrder) = (ours.filter(common.contains), theirs.filter(common.contains))
    let isOurs = base.filter(common.contains) == ourOrder.filter(before.contains)
    let isTheirs = base.filter(common.contains) == theirOrder.filter(before.contains)
    isConflict = isOrdered && ourOrder != theirOrder && isOurs == isTheirs
    isTheirOrder = isOurs && !isTheirs
  }

  /// The objects.
  ///
  /// - Parameter side: whose order is taken where the sides disagree.
  /// - Returns: the objects, in their order or by key.
  func elements(preferring side: StoreMerge.Side) -> [RecordID] {
    guard isOrdered else { return kept.sorted { ($0.key, $0.entity) < ($1.key, $1.entity) } }
    let followsTheirs = isConflict ? side == .theirs : isTheirOrder
    let (first, second) = followsTheirs ? (theirs, ours) : (ours, theirs)
    var elements = first.filter(kept.contains)
    let present = Set(elements)
    var previous: RecordID?
    for id in second where kept.contains(id) {
      if !present.contains(id) {
        let place = previous.flatMap { elements.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        elements.insert(id, at: place)
      }
      previous = id
    }
    return elements
  }
}
