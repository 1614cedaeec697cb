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

  private var node: MergeNode {
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
    insert(theirs, theirMatches, base, slotOfTheirs, isLayout, into: &slots)
    return slots
  }

  private static func insert(
    _ theirs: MergeNode, _ matches: [Int?], _ base: [MergeNode], _ slotOfTheirs: [Int: Int], _ isLayout: Bool,
    into slots: inout [MergeSlot]
  ) {
    var next = 0
    // A slot counted before insertions moves by as many as were inserted before it; theirs may be in another order.
    var insertions: [Int] = []
    func moved(_ slot: Int) -> Int { insertions.reduce(slot) { $1 <= $0 ? $0 + 1 : $0 } }
    for (position, their) in theirs.children.enumerated() {
      if let slot = slotOfTheirs[position] {
        next = moved(slot) + 1
        continue
      }
      let slot: MergeSlot
      if let former = matches[position].map({ base[$0] }) {
        if former.fingerprint == their.fingerprint || isLayout { continue }
        slot = .removedByOurs(their)
      } else {
        slot = .theirs(their)
      }
      let place = place(of: their, in: theirs.node.name, near: next, slots)
      slots.insert(slot, at: place)
      insertions.append(place)
      next = place + 1
    }
  }

  /// The nearest place that keeps the kinds of elements in the order Xcode writes them.
  private static func place(of node: MergeNode, in parent: String, near start: Int, _ slots: [MergeSlot]) -> Int {
    let rank = EditorOrder.rank(ofChild: node.node.name, in: parent)
    func rankOf(_ position: Int) -> Int { EditorOrder.rank(ofChild: slots[position].node.node.name, in: parent) }
    var place = min(start, slots.count)
    while place < slots.count, rankOf(place) < rank { place += 1 }
    while place > 0, rankOf(place - 1) > rank { place -= 1 }
    return place
  }
}
