/// Where the children that only theirs has go among those of ours.
struct MergeInsertions {
  /// What comes before each slot, and after the last.
  private var gaps: [[MergeSlot]]
  private let parent: String

  /// Places children behind those they follow in theirs, as far as the order of kinds that Xcode writes allows.
  ///
  /// - Parameters:
  ///   - theirs: the element of theirs.
  ///   - matches: the position in the base of each of its children.
  ///   - base: the children in the base.
  ///   - slots: the children that ours has or had.
  ///   - slotOfTheirs: the slots of the children that both have.
  ///   - isLayout: whether the element is only part of the diagram.
  init(
    _ theirs: MergeNode, continuing matches: [Int?], in base: [MergeNode], slots: [MergeNode],
    ofTheirs slotOfTheirs: [Int: Int], isLayout: Bool
  ) {
    parent = theirs.node.name
    gaps = Array(repeating: [], count: slots.count + 1)
    let bounds = Bounds(slots, in: parent)
    var next = 0
    for (position, their) in theirs.children.enumerated() {
      if let slot = slotOfTheirs[position] {
        next = slot + 1
        continue
      }
      let slot: MergeSlot
      if let baseNode = matches[position].map({ base[$0] }) {
        if their.isUnchanged(since: baseNode) || isLayout { continue }
        slot = .removedByOurs(their)
      } else {
        slot = .theirs(their)
      }
      gaps[bounds.gap(near: next, for: their.node.name)].append(slot)
    }
  }

  /// The slots with what was inserted.
  func merged(into slots: [MergeSlot]) -> [MergeSlot] {
    var merged: [MergeSlot] = []
    for (gap, inserted) in gaps.enumerated() {
      let ranked = inserted.enumerated().map { (rank: rank($1), position: $0, slot: $1) }
      merged += ranked.sorted { ($0.rank, $0.position) < ($1.rank, $1.position) }.map(\.slot)
      if gap < slots.count { merged.append(slots[gap]) }
    }
    return merged
  }

  private func rank(_ slot: MergeSlot) -> Int { EditorOrder.rank(ofChild: slot.node.node.name, in: parent) }

  /// Between which slots each kind of element belongs.
  private struct Bounds {
    private let parent: String
    private var last: [Int: Int] = [:]
    private var first: [Int: Int] = [:]
    private let count: Int

    init(_ slots: [MergeNode], in parent: String) {
      self.parent = parent
      count = slots.count
      for (position, slot) in slots.enumerated() {
        let rank = EditorOrder.rank(ofChild: slot.node.name, in: parent)
        last[rank] = position
        if first[rank] == nil { first[rank] = position }
      }
    }

    /// Not before the last of an earlier kind, not behind the first of a later kind.
    func gap(near gap: Int, for name: String) -> Int {
      let rank = EditorOrder.rank(ofChild: name, in: parent)
      let low = last.filter { $0.key < rank }.values.max().map { $0 + 1 } ?? 0
      let high = first.filter { $0.key > rank }.values.min() ?? count
      return min(max(gap, low), max(low, high))
    }
  }
}
