/// The attributes of one element, merged.
struct AttributeMerge {
  /// From which side an attribute's text is taken.
  enum Origin {
    case ours
    case theirs
    case neither
  }

  /// One attribute and where its text comes from in each side's form; the forms differ where the sides disagree.
  struct Entry {
    let name: String
    var inOurs: Origin
    var inTheirs: Origin
  }

  /// A disagreement.
  struct Disagreement {
    let name: String
    let base: String?
    let ours: String?
    let theirs: String?
  }

  private(set) var entries: [Entry] = []
  private(set) var disagreements: [Disagreement] = []

  /// - Parameters:
  ///   - base: the common ancestor; nil when both sides added the element.
  ///   - ours: our element, whose order is kept.
  ///   - theirs: their element.
  ///   - isLayout: whether the element is only part of the diagram, in which ours is as good as theirs.
  init(_ base: MarkupNode?, _ ours: MarkupNode, _ theirs: MarkupNode, isLayout: Bool) {
    for name in ours.attributes.map(\.name) { add(name, base, ours, theirs, isLayout) }
    let known = Set(ours.attributes.map(\.name))
    for (position, name) in theirs.attributes.map(\.name).enumerated() where !known.contains(name) {
      let before = theirs.attributes[..<position].map(\.name)
      add(name, base, ours, theirs, isLayout, after: before)
    }
  }

  private mutating func add(
    _ name: String, _ base: MarkupNode?, _ ours: MarkupNode, _ theirs: MarkupNode, _ isLayout: Bool,
    after before: [String]? = nil
  ) {
    let (former, our, their) = (base?[name], ours[name], theirs[name])
    let ourOrigin: Origin = our == nil ? .neither : .ours
    let theirOrigin: Origin = their == nil ? .neither : .theirs
    let entry: Entry
    if our == their || former == their || isLayout && base != nil && former != our {
      entry = Entry(name: name, inOurs: ourOrigin, inTheirs: ourOrigin)
    } else if former == our || base == nil && our == nil {
      entry = Entry(name: name, inOurs: theirOrigin, inTheirs: theirOrigin)
    } else if base == nil && their == nil || isLayout {
      entry = Entry(name: name, inOurs: ourOrigin, inTheirs: ourOrigin)
    } else if let our, let their, Self.toolVersions.contains(name), ours.name == "model" {
      let origin: Origin = VersionOrder.isOrdered(our, before: their) ? .theirs : .ours
      entry = Entry(name: name, inOurs: origin, inTheirs: origin)
    } else {
      entry = Entry(name: name, inOurs: ourOrigin, inTheirs: theirOrigin)
      disagreements.append(Disagreement(name: name, base: former, ours: our, theirs: their))
    }
    entries.insert(entry, at: before.map { place(of: name, in: ours.name, after: $0) } ?? entries.count)
  }

  /// Which tools saved the file last; the newer ones count.
  private static let toolVersions: Set<String> = ["lastSavedToolsVersion", "systemVersion"]

  /// Where an attribute that only theirs has goes.
  private func place(of name: String, in element: String, after before: [String]) -> Int {
    let names = entries.map(\.name)
    if EditorOrder.rank(ofAttribute: name, in: element) != nil {
      return EditorOrder.position(of: name, among: names, in: element)
    }
    return names.lastIndex { before.contains($0) }.map { $0 + 1 } ?? names.count
  }
}
