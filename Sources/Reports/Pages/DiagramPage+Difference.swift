extension DiagramPage {
  /// What the ids of the picture of the changes begin with, beside that of the whole model.
  private static let prefix = "changes-"

  /// Makes the page of a difference: what changed in words, then a picture of it, then the whole model behind a button.
  ///
  /// - Parameters:
  ///   - diagram: the whole picture's parts.
  ///   - report: what changed.
  ///   - picture: the picture of ``Diagram/changedPart``, or of the whole where `whole` is nil.
  ///   - whole: the whole picture where it shows more.
  public init(_ diagram: Diagram, report: DifferenceReport, picture: Picture, whole: Picture? = nil) {
    let drawn = whole == nil ? diagram : diagram.changedPart
    let prefix = whole == nil ? "" : Self.prefix
    let nodes = Dictionary(drawn.nodes.map { ($0.name, $0) }) { first, _ in first }
    let keys = Self.nodeKeys(drawn, prefix: prefix)
    let groups = report.entityParts
    let changes = groups.map { group in
      let node = group.entity.flatMap { nodes[$0] }
      return PagePart(group.outline, node: node.flatMap { keys[$0.name] }, mark: node?.mark)
    }
    let words =
      PagePart.markup("What it means", [PagePart(report.meaning)], anchor: "meaning")
      + PagePart.contents(changes, names: groups.map { $0.entity ?? "The model" }, anchor: "change")
      + PagePart.markup("What changed", changes, anchor: "change", isGrid: true)
    let figure = Self.figure(picture, name: "what changed", prefix: prefix, isDifference: true)
    let title = "Changes from \(diagram.title)"
    text = Self.page(
      title: title, summary: diagram.summary,
      content: """
        <div id="text" tabindex="-1">
        \(words)</div>
        <h2>\(whole == nil ? "The picture" : "What changed, and what it is linked to")</h2>
        \(figure)
        \(PagePart.markup("Besides", report.closingParts.map { PagePart($0) }, anchor: "other"))\
        \(Self.entities(of: diagram, whole: whole))
        """)
  }

  /// The whole model: its picture where there is another of the changes, and its entities in words.
  private static func entities(of diagram: Diagram, whole: Picture?) -> String {
    let keys = nodeKeys(diagram)
    let parts = zip(diagram.nodes, diagram.outline.parts).map { node, part in
      PagePart(part, node: keys[node.name], mark: node.mark)
    }
    guard !parts.isEmpty else { return "" }
    let picture = whole.map { figure($0, name: "the whole model", isDifference: true) + "\n" } ?? ""
    let count = Quantity.text(parts.count, "entity", "entities")
    let contents = PagePart.contents(
      parts, names: diagram.nodes.map(\.name), anchor: "entity", label: "Entities of the whole model")
    let words = PagePart.markup("Entities", parts, anchor: "entity", isGrid: true)
    return """
      <details class="whole">
      <summary>The whole model: \(count)\(whole == nil ? " in words" : ", picture and words")</summary>
      \(picture)\(contents)\(words)</details>
      """
  }
}
