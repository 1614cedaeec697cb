import ModelDescription
public import PersistentStores

/// A model, or the changes between two models, as an HTML page with a diagram and the complete text.
public struct DiagramPage: Hashable, Sendable {
  /// The picture of a page.
  public enum Picture: Hashable, Sendable {
    /// The output of Graphviz.
    case drawn(SVGDiagram)
    /// The error that kept it from being drawn.
    case missing(CaughtError)
  }

  /// The page.
  public let text: String

  init(text: String) { self.text = text }

  /// Creates the page of a model: the diagram, with the text beside it.
  public init(_ diagram: Diagram, report: ModelReport, picture: Picture) {
    let parts = report.outline.parts
    let keys = Self.nodeKeys(diagram)
    let entities = zip(diagram.nodes, parts).map { node, part in PagePart(part, node: keys[node.name]) }
    let others = parts.dropFirst(entities.count).map { PagePart($0) }
    let words =
      PagePart.contents(entities, names: diagram.nodes.map(\.name), anchor: "entity")
      + PagePart.markup("Entities", entities, anchor: "entity")
      + PagePart.markup("Other parts of the model", others, anchor: "other")
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
      <p>\(MarkupText.escaped("This page does not have a picture. \(error.error.sentence)."))</p>
      \(isDifference ? PageFigure.legend : "")</div>
      """
    case .drawn(let svg): PageFigure(name: name, svg: svg, prefix: prefix).markup(isDifference: isDifference)
    }
  }

  /// The names that Graphviz gives boxes in its SVG.
  static func nodeKeys(_ diagram: Diagram, prefix: String = "") -> [String: String] {
    diagram.keys().mapValues { "\(prefix)node-\($0)" }
  }
}

extension DiagramPage {
  /// The prefix of the ids in the diagram of the changes, if the page also has the complete diagram.
  private static let prefix = "changes-"

  /// Creates the page of a difference: the changes in words, a diagram of them, and the complete model behind a button.
  ///
  /// - Parameters:
  ///   - picture: the picture of ``Diagram/changedPart``, or of the complete diagram if `whole` is nil.
  ///   - whole: the complete picture, if it shows more.
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
        <h2>\(whole == nil ? "The picture" : "The changed entities and their links")</h2>
        \(figure)
        \(PagePart.markup("Besides", report.closingParts.map { PagePart($0) }, anchor: "other"))\
        \(Self.entities(of: diagram, whole: whole))
        """)
  }

  /// The complete model: its picture, if the page has a separate picture of the changes, and its entities in words.
  private static func entities(of diagram: Diagram, whole: Picture?) -> String {
    let keys = nodeKeys(diagram)
    let parts = zip(diagram.nodes, diagram.outline.parts).map { node, part in
      PagePart(part, node: keys[node.name], mark: node.mark)
    }
    guard !parts.isEmpty else { return "" }
    let picture = whole.map { figure($0, name: "the complete model", isDifference: true) + "\n" } ?? ""
    let count = Quantity.text(parts.count, "entity", "entities")
    let contents = PagePart.contents(
      parts, names: diagram.nodes.map(\.name), anchor: "entity", label: "Entities of the complete model")
    let words = PagePart.markup("Entities", parts, anchor: "entity", isGrid: true)
    return """
      <details class="whole">
      <summary>The complete model: \(count)\(whole == nil ? " in words" : ", picture and words")</summary>
      \(picture)\(contents)\(words)</details>
      """
  }
}

/// A picture on a page: it fits the width, and a script gives it buttons to enlarge it.
struct PageFigure {
  /// The name in the labels of the buttons and the frame.
  var name: String
  var svg: SVGDiagram
  /// The prefix of its ids; two pictures of a page have different prefixes.
  var prefix = ""

  /// The meaning of lines in pictures of differences.
  static let legend = """
    <ul class="legend" aria-label="Marks">
    <li class="added">added: thick line</li>
    <li class="removed">removed: dashed line</li>
    <li class="changed">changed: dotted line</li>
    </ul>

    """

  /// The markup.
  ///
  /// - Parameter isDifference: whether parts of it have marks.
  /// - Returns: a figure, without a line break at its end.
  func markup(isDifference: Bool) -> String {
    let label = MarkupText.escaped(name)
    return """
      <figure class="picture">
      \(isDifference ? Self.legend : "")<div class="tools" role="group" aria-label="Size of the picture: \(label)" hidden="hidden">
      <button type="button" data-zoom="out" aria-label="Smaller">−</button>
      <button type="button" data-zoom="in" aria-label="Larger">+</button>
      <button type="button" data-zoom="fit">Fit the width</button>
      <span class="muted">Drag to move; + and − on the keyboard.</span>
      </div>
      <div class="scroll" tabindex="0" role="group" aria-label="Picture, described in words on this page: \(label)">
      \(svg.embedded(prefix: prefix))
      </div>
      <figcaption>A crow’s foot stands for many, a bar for one, a circle for none, an open triangle for the entity that \
      others inherit from. The text says the same.</figcaption>
      </figure>
      """
  }
}
