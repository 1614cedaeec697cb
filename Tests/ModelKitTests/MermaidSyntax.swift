import Foundation

/// The part of Mermaid's class diagrams that the program writes, line by line; any other text is an error.
struct MermaidSyntax {
  /// The lines that are none of it.
  private(set) var faults: [String] = []
  /// The boxes.
  private(set) var classes: [String] = []
  /// The lines between boxes.
  private(set) var relations = 0

  private static let words = #"(?:[\p{L}\p{N}\p{M} _/.,]|#[0-9]+;)+"#
  private static let count = #""[0-9*.]+""#

  init(_ text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let head = try Self.expression(#"  class (e[0-9]+)\["\#(Self.words)"\](?: (\{))?"#)
    let member = try Self.expression(#"    (?:<<\#(Self.words)>>|\#(Self.words)?: \#(Self.words))"#)
    let ends = #"(?:(?:\#(Self.count) )?(?:--|\.\.|-->|\.\.>) \#(Self.count)|<\|(?:--|\.\.))"#
    let relation = try Self.expression(#"  (e[0-9]+) \#(ends) (e[0-9]+)(?: : \#(Self.words))?"#)
    let colors = "fill:#[0-9a-f]{6},stroke:#[0-9a-f]{6},color:#111111"
    let style = try Self.expression("  style (e[0-9]+) \(colors),[-a-z0-9: ]+")
    let lead = try Self.expression(#"  (?:accTitle: (?:\#(Self.words))+|accDescr: [\p{L}\p{N}\p{M} _/.,:()-]+)"#)
    var isInside = false
    if lines.first != "classDiagram" { faults.append("no classDiagram") }
    if lines.last != "" { faults.append("no end of line") }
    for line in lines.dropFirst().dropLast() {
      if isInside {
        if line == "  }" { isInside = false } else if Self.match(line, member) == nil { faults.append(line) }
      } else if let found = Self.match(line, head) {
        classes.append(found[1])
        isInside = found[2] == "{"
      } else if let found = Self.match(line, relation) {
        relations += 1
        if !classes.contains(found[1]) || !classes.contains(found[2]) { faults.append("unknown end: \(line)") }
      } else if Self.match(line, style) == nil, Self.match(line, lead) == nil, line != "  direction LR" {
        faults.append(line)
      }
    }
    if isInside { faults.append("a class that does not end") }
  }

  private static func expression(_ pattern: String) throws -> NSRegularExpression {
    try NSRegularExpression(pattern: "^\(pattern)$")
  }

  private static func match(_ line: String, _ expression: NSRegularExpression) -> [String]? {
    let range = NSRange(line.startIndex..., in: line)
    guard let match = expression.firstMatch(in: line, range: range) else { return nil }
    return (0..<match.numberOfRanges).map { position in
      Range(match.range(at: position), in: line).map { String(line[$0]) } ?? ""
    }
  }
}
