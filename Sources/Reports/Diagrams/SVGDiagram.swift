import Foundation

/// A picture as SVG, made of what Graphviz draws.
///
/// Graphviz names boxes by their keys; the names of entities take their place.
public struct SVGDiagram: Hashable, Sendable {
  /// The picture as a file of its own, with a title and a description.
  public let text: String
  /// The picture to stand in a page, hidden from what reads aloud because the page has the text.
  let embedded: String

  /// The same with another beginning of every id, for a page with two pictures.
  func embedded(prefix: String) -> String { embedded.replacing(" id=\"", with: " id=\"\(prefix)") }

  /// Takes what Graphviz drew; nil when that is no SVG.
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
    let description = MarkupText.escaped("\(diagram.summary): \(entities.joined(separator: "; "))")
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg role="img" aria-labelledby="modelctl-title modelctl-description"\(attributes)>
      <title id="modelctl-title">\(title)</title>
      <desc id="modelctl-description">\(description)</desc>
      \(body.trimmingPrefix { $0.isNewline })
      """
    embedded = "<svg aria-hidden=\"true\" focusable=\"false\"\(attributes)>\(body)"
  }

  /// Puts the names of entities into the titles of boxes and takes those of lines away.
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
