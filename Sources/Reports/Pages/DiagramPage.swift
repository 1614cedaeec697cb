public import PersistentStores

/// A model, or what changed between two, as a page of one file: the picture, and everything in words.
public struct DiagramPage: Hashable, Sendable {
  /// The picture of a page.
  public enum Picture: Hashable, Sendable {
    /// What Graphviz drew.
    case drawn(SVGDiagram)
    /// What kept it from being drawn.
    case missing(CaughtError)
  }

  /// The page.
  public let text: String

  init(text: String) { self.text = text }

  /// Makes the page of a model: the picture, and beside it the words.
  ///
  /// - Parameters:
  ///   - diagram: the picture's parts.
  ///   - report: the model in words, of the same entities.
  ///   - picture: the picture.
  public init(_ diagram: Diagram, report: ModelReport, picture: Picture) {
    let parts = report.outline.parts
    let keys = Self.nodeKeys(diagram)
    let entities = zip(diagram.nodes, parts).map { node, part in PagePart(part, node: keys[node.name]) }
    let others = parts.dropFirst(entities.count).map { PagePart($0) }
    let words =
      PagePart.contents(entities, names: diagram.nodes.map(\.name), anchor: "entity")
      + PagePart.markup("Entities", entities, anchor: "entity")
      + PagePart.markup("Of the whole model", others, anchor: "other")
    text = Self.page(
      title: "Model \(diagram.title)", summary: diagram.summary,
      content: """
        <div class="columns">
        \(Self.figure(picture, name: diagram.title, isDifference: false))
        <div id="text" tabindex="-1">
        \(words)</div>
        </div>
        """)
  }

  static func page(title: String, summary: String, content: String) -> String {
    Page(
      title: title, summary: [summary],
      content: """
        <form class="search" role="search" hidden="hidden">
        <label for="query">Search entities and properties</label>
        <input id="query" type="search" autocomplete="off"/>
        <p id="count" role="status"></p>
        </form>
        \(content)
        """,
      isSearchable: true
    ).text
  }

  static func figure(_ picture: Picture, name: String, prefix: String = "", isDifference: Bool) -> String {
    switch picture {
    case .missing(let error):
      """
      <div class="picture">
      <p>\(MarkupText.escaped("This page has no picture. \(error)."))</p>
      \(isDifference ? PageFigure.legend : "")</div>
      """
    case .drawn(let svg):
      PageFigure(name: name, svg: svg, prefix: prefix).markup(isDifference: isDifference)
    }
  }

  /// The names that Graphviz gives boxes in its SVG.
  static func nodeKeys(_ diagram: Diagram, prefix: String = "") -> [String: String] {
    diagram.keys().mapValues { "\(prefix)node-\($0)" }
  }
}
