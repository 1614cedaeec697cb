/// Merges two documents element by element, into the text of ours.
struct ContentsMerger {
  private let ours: MarkupSource
  private let theirs: MarkupSource
  private(set) var output: MergeOutput
  /// The disagreements of the sides, with the numbers of their markers.
  private(set) var conflicts: [(conflict: MergeConflict, marker: Int)] = []

  init(ours: MarkupSource, theirs: MarkupSource) {
    (self.ours, self.theirs) = (ours, theirs)
    output = MergeOutput(lineEnd: LineEnds.first(in: ours.bytes) ?? Array("\n".utf8))
  }

  /// Merges the documents.
  mutating func run(base: MarkupSource?) {
    let fingerprints = Fingerprints()
    let baseNode = base.map { MergeNode($0, fingerprints) }
    let our = MergeNode(ours, fingerprints)
    let their = MergeNode(theirs, fingerprints)
    merge(baseNode, our, their, place: "", isLayout: false)
    let ends = (ours.bytes[our.node.range.upperBound...], theirs.bytes[their.node.range.upperBound...])
    let end = MergeAside(
      base: base.map { MergeAside.text($0.bytes[$0.root.range.upperBound...]) }, ours: MergeAside.text(ends.0),
      theirs: MergeAside.text(ends.1), isLayout: false)
    write(end, ours: ends.0, theirs: ends.1, place: Self.place(of: our, in: ""))
    output.finish()
  }

  /// Writes an element that both sides have, with the text before it.
  private mutating func merge(
    _ base: MergeNode?, _ our: MergeNode, _ their: MergeNode, place outer: String, isLayout: Bool
  ) {
    let place = Self.place(of: our, in: outer)
    let aside = MergeAside(base: base?.aside, ours: our.aside, theirs: their.aside, isLayout: isLayout)
    let lead = settled(aside, ours: ours[our.lead], theirs: theirs[their.lead], place: place)
    if our.fingerprint == their.fingerprint || base?.fingerprint == their.fingerprint {
      output.append(lead)
      return output.append(ours[our.node.range])
    }
    if base?.fingerprint == our.fingerprint {
      output.append(lead)
      return output.append(theirs[their.node.range])
    }
    guard our.node.name == their.node.name else {
      return whole(our, their, lead, place, .kind(ours: our.node.name, theirs: their.node.name))
    }
    let isLayout = isLayout || our.node.name == "elements"
    let attributes = AttributeMerge(base?.node, our.node, their.node, isLayout: isLayout)
    let list = our.isList ? mergedList(base, our, their) : nil
    if our.isList, list == nil { return whole(our, their, lead, place, .list) }
    if let base, MergeSlot.isReplaced(base, our, their) { return whole(our, their, lead, place, .constraint) }
    let slots = list == nil ? slots(base, our, their, isLayout: isLayout) : []
    let tail = MergeAside(base: base?.tailAside, ours: our.tailAside, theirs: their.tailAside, isLayout: isLayout)
    let isEmpty = our.isList ? (list?.isEmpty ?? true) : tail.isEmpty && !slots.contains { $0.isWritten }
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
      let texts = (our.tail.map { ours[$0] }, their.tail.map { theirs[$0] })
      write(tail, ours: texts.0 ?? texts.1 ?? [], theirs: texts.1 ?? [], place: place)
    }
    output.append(Array("</\(our.node.name)>".utf8))
  }

  /// The bytes between the tags of an element whose list only one side changed; nil if both did.
  private func mergedList(_ base: MergeNode?, _ our: MergeNode, _ their: MergeNode) -> ArraySlice<UInt8>? {
    if our.content == their.content || base?.content == their.content { return our.node.content.map { ours[$0] } ?? [] }
    return base?.content == our.content ? their.node.content.map { theirs[$0] } ?? [] : nil
  }

  /// The comments and texts to write at a location; a disagreement is written between markers first.
  private mutating func settled(
    _ aside: MergeAside, ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>, place: String
  ) -> ArraySlice<UInt8> {
    switch aside.choice {
    case .ours: return ours
    case .theirs: return theirs
    case .both: break
    }
    func text(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      guard let first = bytes.firstIndex(where: { !MergeAside.isSpace($0) }),
        let last = bytes.lastIndex(where: { !MergeAside.isSpace($0) })
      else { return bytes.suffix(0) }
      return bytes[first...last]
    }
    note(place, .text)
    let ourText = text(ours)
    output.append(lead: ours[..<ourText.startIndex], ours: Array(ourText), theirs: Array(text(theirs)))
    return ourText.isEmpty ? ours : ours[ourText.endIndex...]
  }

  private mutating func write(_ aside: MergeAside, ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>, place: String) {
    let text = settled(aside, ours: ours, theirs: theirs, place: place)
    output.append(text)
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

  private mutating func whole(
    _ our: MergeNode, _ their: MergeNode, _ lead: ArraySlice<UInt8>, _ place: String, _ cause: MergeConflict.Cause
  ) {
    note(place, cause)
    output.append(lead: lead, ours: Array(ours[our.node.range]), theirs: Array(theirs[their.node.range]))
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

/// The merged text as it grows.
struct MergeOutput {
  private static let lineFeed = UInt8(ascii: "\n")

  private(set) var bytes: [UInt8] = []
  /// The offset of each conflict's first marker.
  private(set) var markers: [Int] = []
  private let lineEnd: [UInt8]
  private var endsLine = false

  init(lineEnd: [UInt8]) { self.lineEnd = lineEnd }

  mutating func append(_ more: some Collection<UInt8>) {
    guard let first = more.first else { return }
    if endsLine, first != Self.lineFeed, !more.starts(with: lineEnd) { bytes += lineEnd }
    endsLine = false
    bytes += more
  }

  /// Both sides between git's markers, each on lines of its own; an empty side has no line.
  mutating func append(lead: some Collection<UInt8>, ours: [UInt8], theirs: [UInt8]) {
    let lead = Array(lead)
    let indent = lead.lastIndex(of: Self.lineFeed).map { Array(lead[($0 + 1)...]) } ?? []
    append(lead.dropLast(indent.count))
    if endsLine || bytes.last != Self.lineFeed && !bytes.isEmpty { bytes += lineEnd }
    endsLine = false
    markers.append(bytes.count)
    bytes += Array("<<<<<<< ours".utf8) + lineEnd + line(ours, indent)
    bytes += Array("=======".utf8) + lineEnd + line(theirs, indent)
    bytes += Array(">>>>>>> theirs".utf8)
    endsLine = true
  }

  private func line(_ text: [UInt8], _ indent: [UInt8]) -> [UInt8] { text.isEmpty ? [] : indent + text + lineEnd }

  /// Ends the text; a marker is on a line of its own, also at the end.
  mutating func finish() { if endsLine { bytes += lineEnd } }
}

/// A merged start tag in the form of each side; the two are equal if the sides agree.
struct StartTag {
  let ours: [UInt8]
  let theirs: [UInt8]

  init(
    _ our: MarkupNode, _ ourSource: MarkupSource, _ their: MarkupNode, _ theirSource: MarkupSource,
    _ attributes: AttributeMerge, isEmpty: Bool
  ) {
    let end = Array((isEmpty ? "/>" : ">").utf8)
    func tag(_ origin: (AttributeMerge.Entry) -> AttributeMerge.Origin) -> [UInt8] {
      var bytes = Array("<\(our.name)".utf8)
      for entry in attributes.entries {
        switch origin(entry) {
        case .ours: bytes += Self.text(of: entry.name, our, ourSource)
        case .theirs: bytes += Self.text(of: entry.name, their, theirSource)
        case .neither: break
        }
      }
      return bytes + end
    }
    ours = tag(\.inOurs)
    theirs = tag(\.inTheirs)
  }

  /// An attribute with the white space before it.
  private static func text(of name: String, _ node: MarkupNode, _ source: MarkupSource) -> ArraySlice<UInt8> {
    guard let position = node.attributes.firstIndex(where: { $0.name == name }) else { return [] }
    let before =
      position > 0 ? node.attributes[position - 1].range.upperBound : node.head.lowerBound + 1 + node.name.utf8.count
    return source[before..<node.attributes[position].range.upperBound]
  }
}
