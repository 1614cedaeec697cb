/// A diagram as a Mermaid class diagram, which GitHub and GitLab draw in Markdown files.
///
/// Class diagrams show inheritance and the numbers at both ends of a line; Mermaid's entity relationship diagrams
/// cannot show inheritance. Names are in quotation marks or labels, and all characters except letters and digits are
/// character codes, so that a name cannot break the syntax.
public struct MermaidDiagram: Hashable, Sendable {
  /// The diagram.
  public let text: String
  /// The reason why Mermaid on GitHub does not draw the diagram; nil if it does.
  public let limit: String?

  /// The maximum length that Mermaid accepts with its default configuration (`maxTextSize`).
  private static let maximumLength = 50_000
  /// The most lines (`maxEdges`).
  private static let maximumEdges = 500

  /// Renders a picture.
  public init(_ diagram: Diagram) {
    let keys = diagram.keys()
    var lines = ["classDiagram", "  accTitle: \(Self.escaped(diagram.title))"]
    lines += ["  accDescr: \(Self.described(diagram.description))", "  direction LR"]
    for node in diagram.nodes { lines += Self.lines(node, key: keys[node.name] ?? "e0") }
    for edge in diagram.edges {
      if let source = keys[edge.source], let target = keys[edge.target] {
        lines.append(Self.line(edge, from: source, to: target))
      }
    }
    for node in diagram.nodes {
      if let mark = node.mark, let key = keys[node.name] { lines.append("  style \(key) \(Self.style(mark))") }
    }
    text = lines.joined(separator: "\n") + "\n"
    limit =
      if diagram.edges.count > Self.maximumEdges {
        "\(Quantity.text(diagram.edges.count, "line")) are more than the 500 that Mermaid draws"
      } else if text.count > Self.maximumLength {
        "\(Quantity.text(text.count, "character")) are more than the 50,000 that Mermaid takes"
      } else {
        nil
      }
  }

  private static func lines(_ node: Diagram.Node, key: String) -> [String] {
    let head = "  class \(key)[\"\(escaped(Diagram.clipped(node.name)))\"]"
    let remarks = (node.remarks + [node.omission].compactMap { $0 }).map { escaped(Diagram.clipped($0)) }
    let inner = (remarks.isEmpty ? [] : ["<<\(remarks.joined(separator: ", "))>>"]) + node.rows.map(line)
    return inner.isEmpty ? [head] : ["\(head) {"] + inner.map { "    \($0)" } + ["  }"]
  }

  /// The row, with a single colon followed by a space, because Mermaid searches for `style…:…#`.
  private static func line(_ row: Diagram.Row) -> String {
    let words = row.words
    return "\(escaped(words.name)): \(escaped(words.type + (words.remark.map { " (\($0))" } ?? "")))"
  }

  /// The line; it is dotted if it was changed or removed, and its label begins with the change.
  private static func line(_ edge: Diagram.Edge, from source: String, to target: String) -> String {
    let stroke = edge.mark == nil || edge.mark == .added ? "--" : ".."
    guard edge.kind == .relationship, let targetEnd = edge.targetEnd else {
      return "  \(target) <|\(stroke) \(source)" + (edge.mark.map { " : \($0.rawValue)" } ?? "")
    }
    let words = escaped(edge.words)
    guard let sourceEnd = edge.sourceEnd else {
      return "  \(source) \(stroke)> \"\(targetEnd.count)\" \(target) : \(words)"
    }
    return "  \(source) \"\(sourceEnd.count)\" \(stroke) \"\(targetEnd.count)\" \(target) : \(words)"
  }

  private static func style(_ mark: Diagram.Mark) -> String {
    let line =
      switch mark {
      case .added: "stroke-width:4px"
      case .removed: "stroke-dasharray:8 4"
      case .changed: "stroke-dasharray:2 2"
      }
    return "fill:\(DiagramPalette.fill(mark)),stroke:\(DiagramPalette.line(mark)),color:#111111,\(line)"
  }

  /// A description without character codes, which voices would spell: other signs become spaces.
  static func described(_ text: String) -> String {
    let line = PrintableText.line(text.replacing("→", with: "to").replacing(";", with: ","))
    let plain = line.unicodeScalars.map { isPlain($0) || ":()-".unicodeScalars.contains($0) ? String($0) : " " }
      .joined()
    return plain.split(separator: " ").joined(separator: " ")
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil || " _/.,".unicodeScalars.contains(scalar)
  }

  /// Letters, digits and spaces unchanged, and other characters as `#35;`.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in PrintableText.line(text).unicodeScalars {
      if isPlain(scalar) { escaped.unicodeScalars.append(scalar) } else { escaped += "#\(scalar.value);" }
    }
    return escaped
  }
}
