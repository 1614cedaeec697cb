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
      } else if let former = match.map({ base[$0] }) {
        slots.append(former.fingerprint == our.fingerprint || isLayout ? .removed(our) : .removedByTheirs(our))
      } else {
        slots.append(.ours(our))
      }
    }
    let insertions = MergeInsertions(
      theirs, continuing: theirMatches, in: base, slots: slots.map(\.node), ofTheirs: slotOfTheirs, isLayout: isLayout)
    return insertions.merged(into: slots)
  }
}
