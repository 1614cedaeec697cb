/// A model, or what changed between two, as a page of one file: the picture, and beside it everything in words.
public struct DiagramPage: Hashable, Sendable {
  /// The picture of a page.
  public enum Picture: Hashable, Sendable {
    /// What Graphviz drew.
    case drawn(SVGDiagram)
    /// Why there is none, and what helps.
    case missing(reason: String)
  }

  /// The page.
  public let text: String

  /// Makes the page of a model.
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
    text = Self.page(diagram, title: "Model \(diagram.title)", words: words, picture)
  }

  /// Makes the page of a difference.
  ///
  /// - Parameters:
  ///   - diagram: the picture's parts.
  ///   - report: what changed.
  ///   - picture: the picture.
  public init(_ diagram: Diagram, report: DifferenceReport, picture: Picture) {
    let keys = Self.nodeKeys(diagram)
    let marks = report.changes.filter { !$0.isWithoutEffect }.map { Diagram.Mark(rawValue: $0.kind) ?? .changed }
    let parts = report.outline.parts
    let changes =
      zip(parts, marks).map { PagePart($0, mark: $1) } + parts.dropFirst(marks.count).map { PagePart($0) }
    let entities = zip(diagram.nodes, diagram.outline.parts).map { node, part in
      PagePart(part, node: keys[node.name], mark: node.mark)
    }
    let meaning = PagePart(Outline(report.outline.title, facts: report.outline.facts))
    let words =
      PagePart.contents(entities, names: diagram.nodes.map(\.name), anchor: "entity")
      + PagePart.markup("What it means", [meaning], anchor: "meaning")
      + PagePart.markup("Changes", changes, anchor: "change")
      + PagePart.markup("Entities", entities, anchor: "entity")
    text = Self.page(diagram, title: "Changes from \(diagram.title)", words: words, picture)
  }

  private static func page(_ diagram: Diagram, title: String, words: String, _ picture: Picture) -> String {
    Page(
      title: title, summary: [diagram.summary],
      content: """
        <form class="search" role="search" hidden="hidden">
        <label for="query">Search entities and properties</label>
        <input id="query" type="search" autocomplete="off"/>
        <p id="count" role="status"></p>
        </form>
        <div class="columns">
        \(figure(diagram, picture))
        <div id="text" tabindex="-1">
        \(words)</div>
        </div>
        """,
      isSearchable: true
    ).text
  }

  private static func figure(_ diagram: Diagram, _ picture: Picture) -> String {
    let legend =
      diagram.isDifference
      ? """
      <ul class="legend" aria-label="Marks">
      <li class="added">added: thick line</li>
      <li class="removed">removed: dashed line</li>
      <li class="changed">changed: dotted line</li>
      </ul>

      """ : ""
    switch picture {
    case .missing(let reason):
      return "<div class=\"picture\">\n<p>\(MarkupText.escaped(reason))</p>\n\(legend)</div>"
    case .drawn(let svg):
      return """
        <figure class="picture">
        \(legend)<div class="scroll" tabindex="0" role="group" aria-label="Picture, told in words beside it">
        \(svg.embedded)
        </div>
        <figcaption>A crow’s foot stands for many, a bar for one, a circle for none, an open triangle for the entity that \
        others inherit from. The text says the same.</figcaption>
        <button id="scale" type="button" hidden="hidden">Fit the picture to the page</button>
        </figure>
        """
    }
  }

  /// The names that Graphviz gives boxes in its SVG.
  private static func nodeKeys(_ diagram: Diagram) -> [String: String] { diagram.keys().mapValues { "node-\($0)" } }
}
