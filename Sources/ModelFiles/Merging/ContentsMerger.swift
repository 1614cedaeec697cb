/// Merges two documents element by element, into the text of ours.
struct ContentsMerger {
  private let ours: MarkupSource
  private let theirs: MarkupSource
  private(set) var output = MergeOutput()
  /// What the sides disagree about, with the number of the marker it stands at.
  private(set) var conflicts: [(conflict: MergeConflict, marker: Int)] = []

  init(ours: MarkupSource, theirs: MarkupSource) {
    self.ours = ours
    self.theirs = theirs
  }

  /// Merges the whole documents.
  mutating func run(base: MarkupSource?) {
    let fingerprints = Fingerprints()
    let former = base.map { MergeNode(root: $0.root, fingerprints) }
    let our = MergeNode(root: ours.root, fingerprints)
    merge(former, our, MergeNode(root: theirs.root, fingerprints), place: "", isLayout: false)
    output.append(ours[our.node.range.upperBound..<ours.bytes.count])
    output.finish()
  }

  /// Writes an element that both sides have, with what stands before it.
  private mutating func merge(
    _ base: MergeNode?, _ our: MergeNode, _ their: MergeNode, place outer: String, isLayout: Bool
  ) {
    let lead = ours[our.lead]
    if our.fingerprint == their.fingerprint || base?.fingerprint == their.fingerprint {
      output.append(lead)
      return output.append(ours[our.node.range])
    }
    if base?.fingerprint == our.fingerprint {
      output.append(lead)
      return output.append(theirs[their.node.range])
    }
    let place = Self.place(of: our, in: outer)
    guard our.node.name == their.node.name else {
      return whole(our, their, place, .kind(ours: our.node.name, theirs: their.node.name))
    }
    let isLayout = isLayout || our.node.name == "elements"
    let attributes = AttributeMerge(base?.node, our.node, their.node, isLayout: isLayout)
    let list = our.isList ? mergedList(base, our, their) : nil
    if our.isList, list == nil { return whole(our, their, place, .list) }
    let slots = list == nil ? slots(base, our, their, isLayout: isLayout) : []
    let isEmpty = our.isList ? (list?.isEmpty ?? true) : !slots.contains { $0.isWritten }
    let tags = StartTag(our.node, ours, their.node, theirs, attributes, isEmpty: isEmpty)
    if attributes.disagreements.isEmpty {
      output.append(lead)
      output.append(tags.ours)
    } else {
      for disagreement in attributes.disagreements {
        note(
          place,
          .attribute(
            name: disagreement.name, base: disagreement.base, ours: disagreement.ours, theirs: disagreement.theirs))
      }
      output.append(lead: lead, ours: tags.ours, theirs: tags.theirs)
    }
    if isEmpty { return }
    if let list {
      output.append(list)
    } else {
      for slot in slots { write(slot, place: place, isLayout: isLayout) }
      output.append(our.tail.map { ours[$0] } ?? their.tail.map { theirs[$0] } ?? [])
    }
    output.append(Array("</\(our.node.name)>".utf8))
  }

  /// The bytes between the tags of an element whose list only one side changed; nil when both did.
  private func mergedList(_ base: MergeNode?, _ our: MergeNode, _ their: MergeNode) -> ArraySlice<UInt8>? {
    let (former, our, their) = (base?.children.map(\.fingerprint), our, their)
    let (ourList, theirList) = (our.children.map(\.fingerprint), their.children.map(\.fingerprint))
    if ourList == theirList || former == theirList { return our.node.content.map { ours[$0] } ?? [] }
    return former == ourList ? their.node.content.map { theirs[$0] } ?? [] : nil
  }

  private mutating func write(_ slot: MergeSlot, place: String, isLayout: Bool) {
    switch slot {
    case .both(let base, let our, let their): merge(base, our, their, place: place, isLayout: isLayout)
    case .ours(let our):
      output.append(ours[our.lead])
      output.append(ours[our.node.range])
    case .theirs(let their):
      output.append(theirs[their.lead])
      output.append(theirs[their.node.range])
    case .removed: break
    case .removedByTheirs(let our):
      note(Self.place(of: our, in: place), .deletedByTheirs)
      output.append(lead: ours[our.lead], ours: Array(ours[our.node.range]), theirs: [])
    case .removedByOurs(let their):
      note(Self.place(of: their, in: place), .deletedByOurs)
      output.append(lead: theirs[their.lead], ours: [], theirs: Array(theirs[their.node.range]))
    }
  }

  private mutating func whole(_ our: MergeNode, _ their: MergeNode, _ place: String, _ cause: MergeConflict.Cause) {
    note(place, cause)
    output.append(lead: ours[our.lead], ours: Array(ours[our.node.range]), theirs: Array(theirs[their.node.range]))
  }

  private mutating func note(_ place: String, _ cause: MergeConflict.Cause) {
    conflicts.append((MergeConflict(element: place, cause: cause, line: 1), output.markers.count))
  }

  private func slots(_ base: MergeNode?, _ our: MergeNode, _ their: MergeNode, isLayout: Bool) -> [MergeSlot] {
    MergeSlot.slots(base: base?.children ?? [], ours: our, theirs: their, isLayout: isLayout)
  }

  /// How messages call an element.
  private static func place(of node: MergeNode, in outer: String) -> String {
    let name = node.key.name
    switch node.key.kind {
    case "model": return "the model"
    case "entity": return name
    case "property": return outer.isEmpty || outer == "the model" ? name : "\(outer).\(name)"
    default:
      let own = name.isEmpty ? "<\(node.node.name)>" : "<\(node.node.name)> \(name)"
      return outer.isEmpty || outer == "the model" ? own : "\(outer) \(own)"
    }
  }
}
