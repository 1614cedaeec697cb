/// A place among the merged children of an element.
enum MergeSlot {
  /// Both sides have it.
  case both(base: MergeNode?, ours: MergeNode, theirs: MergeNode)
  /// Only ours has the element, and it is kept.
  case ours(MergeNode)
  /// Only theirs has the element, and it is added.
  case theirs(MergeNode)
  /// Theirs removed it, and ours had not changed it.
  case removed(MergeNode)
  /// Theirs removed what ours changed.
  case removedByTheirs(MergeNode)
  /// Ours removed what theirs changed.
  case removedByOurs(MergeNode)

  /// False for what leaves no text.
  var isWritten: Bool { if case .removed = self { false } else { true } }

  var node: MergeNode {
    switch self {
    case .both(_, let node, _), .ours(let node), .theirs(let node), .removed(let node), .removedByTheirs(let node),
      .removedByOurs(let node):
      node
    }
  }

  /// True if both sides put something else in the place of the same constraint or index, which is known by what it
  /// holds.
  static func isReplaced(_ base: MergeNode, _ our: MergeNode, _ their: MergeNode) -> Bool {
    guard ["uniquenessConstraints", "compoundIndexes"].contains(our.node.name) else { return false }
    func matches(_ side: MergeNode) -> (kept: Set<Int>, added: Set<MergeNode.Key>) {
      let matches = MergeNode.matches(side.children, in: base.children)
      let added = zip(side.children, matches).filter { $1 == nil }.map(\.0.key)
      return (Set(matches.compactMap { $0 }), Set(added))
    }
    let (ours, theirs) = (matches(our), matches(their))
    return ours.kept.union(theirs.kept).count < base.children.count && !ours.added.isEmpty && !theirs.added.isEmpty
      && ours.added != theirs.added
  }

  /// The children in the order of ours; what only theirs has follows what it follows there.
  static func slots(base: [MergeNode], ours: MergeNode, theirs: MergeNode, isLayout: Bool) -> [MergeSlot] {
    let ourMatches = MergeNode.matches(ours.children, in: base)
    let theirMatches = MergeNode.matches(theirs.children, in: base)
    var theirByBase: [Int: Int] = [:]
    var theirAdded: [MergeNode.Key: Int] = [:]
    for (position, match) in theirMatches.enumerated() {
      if let match { theirByBase[match] = position } else { theirAdded[theirs.children[position].key] = position }
    }
    var slots: [MergeSlot] = []
    var slotOfTheirs: [Int: Int] = [:]
    for (position, our) in ours.children.enumerated() {
      let match = ourMatches[position]
      if let their = match.map({ theirByBase[$0] }) ?? theirAdded[our.key] {
        slotOfTheirs[their] = slots.count
        slots.append(.both(base: match.map { base[$0] }, ours: our, theirs: theirs.children[their]))
      } else if let baseNode = match.map({ base[$0] }) {
        slots.append(our.isUnchanged(since: baseNode) || isLayout ? .removed(our) : .removedByTheirs(our))
      } else {
        slots.append(.ours(our))
      }
    }
    let insertions = MergeInsertions(
      theirs, continuing: theirMatches, in: base, slots: slots.map(\.node), ofTheirs: slotOfTheirs, isLayout: isLayout)
    return insertions.merged(into: slots)
  }
}

/// The positions of the children that only theirs has, among the children of ours.
struct MergeInsertions {
  /// The insertions before each slot, and after the last.
  private var gaps: [[MergeSlot]]
  private let parent: String

  /// Places children behind those they follow in theirs, as far as the order of kinds that Xcode writes allows.
  ///
  /// - Parameters:
  ///   - slots: the children that ours has or had.
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
