import Foundation

/// A diagram as SVG, made from Graphviz output.
///
/// Graphviz names boxes by their keys; this type replaces the keys by the names of entities.
public struct SVGDiagram: Hashable, Sendable {
  /// The picture as a file of its own, with a title and a description.
  public let text: String
  /// The SVG to embed in a page, hidden from screen readers because the page has the text.
  let embedded: String

  /// The SVG with a prefix for every id, for a page with two diagrams.
  func embedded(prefix: String) -> String { embedded.replacing(" id=\"", with: " id=\"\(prefix)") }

  /// Creates a diagram from Graphviz output; nil if the output is not SVG.
  ///
  /// - Parameter drawn: the output of `dot -Tsvg` for the diagram's ``DOTDiagram``.
  public init?(drawn: String, of diagram: Diagram) {
    guard let start = drawn.range(of: "<svg"), let end = drawn[start.upperBound...].firstIndex(of: ">") else {
      return nil
    }
    let keys = diagram.keys()
    let names = Dictionary(keys.map { ($0.value, $0.key) }) { first, _ in first }
    let attributes = String(drawn[start.upperBound..<end])
    let body = Self.named(String(drawn[drawn.index(after: end)...]), names)
    let title = MarkupText.escaped("Model \(diagram.title)")
    let entities = diagram.nodes.map { node in ([node.name] + node.remarks).joined(separator: ", ") }
    let parts = ["\(diagram.summary): \(entities.joined(separator: "; "))"] + diagram.changes
    let description = MarkupText.escaped(parts.joined(separator: ". "))
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg role="img" aria-labelledby="modelctl-title modelctl-description"\(attributes)>
      <title id="modelctl-title">\(title)</title>
      <desc id="modelctl-description">\(description)</desc>
      \(body.trimmingPrefix { $0.isNewline })
      """
    embedded = "<svg aria-hidden=\"true\" focusable=\"false\"\(attributes)>\(body)"
  }

  /// Replaces the titles of boxes by the names of entities, and removes the titles of lines.
  private static func named(_ body: String, _ names: [String: String]) -> String {
    body.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> String? in
      guard let start = line.range(of: "<title>"), let end = line.range(of: "</title>") else { return String(line) }
      let key = String(line[start.upperBound..<end.lowerBound])
      let rest = String(line[..<start.lowerBound])
      guard let name = names[key] else { return rest.isEmpty ? nil : rest }
      return "\(rest)<title>\(MarkupText.escaped(name))</title>"
    }.joined(separator: "\n")
  }
}
