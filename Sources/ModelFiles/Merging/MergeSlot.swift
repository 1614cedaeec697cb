/// A place among the merged children of an element.
enum MergeSlot {
  /// Both sides have it.
  case both(base: MergeNode?, ours: MergeNode, theirs: MergeNode)
  /// Only ours has it, and it stays.
  case ours(MergeNode)
  /// Only theirs has it, and it comes in.
  case theirs(MergeNode)
  /// Theirs removed it, and ours had not changed it.
  case removed(MergeNode)
  /// Theirs removed what ours changed.
  case removedByTheirs(MergeNode)
  /// Ours removed what theirs changed.
  case removedByOurs(MergeNode)

  /// False for what leaves no text.
  var isWritten: Bool {
    if case .removed = self { false } else { true }
  }

  var node: MergeNode {
    switch self {
    case .both(_, let node, _), .ours(let node), .theirs(let node), .removed(let node), .removedByTheirs(let node),
      .removedByOurs(let node):
      node
    }
  }

  /// True when both sides put something else in the place of the same constraint or index, which is known by what it
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
