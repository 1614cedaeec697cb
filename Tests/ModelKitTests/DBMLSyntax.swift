import Foundation

/// The part of DBML that the program writes; any other text is an error.
struct DBMLSyntax {
  /// The lines that are none of it, names that stand twice, and references that lead nowhere.
  private(set) var faults: [String] = []
  /// The tables with their columns.
  private(set) var tables: [String: Set<String>] = [:]
  /// The number of references.
  private(set) var references = 0

  init(_ text: String) throws {
    let name = #""([\p{L}\p{N}\p{M} _-]+)""#
    let string = #"'(?:[^'\\\n]|\\'|\\\\)*'"#
    let table = try NSRegularExpression(pattern: #"^Table \#(name) \{$"#)
    let column = try NSRegularExpression(
      pattern: #"^  \#(name) (?:ObjectID|"[\p{L}\p{N}\p{M} _-]+") \[(?:pk|(?:not )?null(?:, note: \#(string))?)\]$"#)
    let note = try NSRegularExpression(pattern: "^  Note: \(string)$")
    let reference = try NSRegularExpression(pattern: #"^Ref: \#(name)\.\#(name) (?:-|>|<>) \#(name)\.\#(name)$"#)
    var current: String?
    var linked: Set<Set<[String]>> = []
    for line in text.split(separator: "\n").map(String.init) {
      if let found = Self.match(line, table) {
        current = found[0]
        if tables.updateValue([], forKey: found[0]) != nil { faults.append("twice: \(line)") }
      } else if let table = current, let found = Self.match(line, column) {
        if tables[table, default: []].insert(found[0]).inserted == false { faults.append("twice: \(line)") }
      } else if line == "}" {
        current = nil
      } else if let found = Self.match(line, reference) {
        references += 1
        if !linked.insert([[found[0], found[1]], [found[2], found[3]]]).inserted {
          faults.append("links the same columns again: \(line)")
        }
        for (table, column) in [(found[0], found[1]), (found[2], found[3])]
        where tables[table]?.contains(column) != true {
          faults.append("leads nowhere: \(line)")
        }
      } else if Self.match(line, note) == nil, !line.hasPrefix("//") {
        faults.append(line)
      }
    }
  }

  private static func match(_ line: String, _ expression: NSRegularExpression) -> [String]? {
    let range = NSRange(line.startIndex..., in: line)
    guard let match = expression.firstMatch(in: line, range: range) else { return nil }
    return (1..<max(match.numberOfRanges, 1)).map { position in
      Range(match.range(at: position), in: line).map { String(line[$0]) } ?? ""
    }
  }
}
