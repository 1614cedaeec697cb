import StoreMigration

extension MatrixReport {
  /// One paragraph per source version: one line per verdict, then the reasons of impossible migrations.
  public var text: String { bundles.map(\.text).joined(separator: "\n") }

  /// A table for a small bundle, a list for a large bundle; the reasons follow.
  public var markdown: String { bundles.map(\.markdown).joined(separator: "\n") }
}

extension MatrixReport.Bundle {
  /// The maximum number of versions in a table.
  private static let tableLimit = 10

  var text: String {
    var lines = WrappedText.lines(summary, lead: "\(path): ", indent: "  ")
    let positions = positions
    for (source, groups) in groups {
      lines.append("from \(source)")
      for group in groups { lines += WrappedText.lines(text(of: group, positions), lead: "  ", indent: "    ") }
    }
    if hasLongPaths { lines += WrappedText.lines(Self.longPaths, lead: "") }
    let (refusals, steps) = (refusals, mappedSteps)
    if !steps.isEmpty { lines.append("mapping models") }
    for (number, step) in steps.enumerated() {
      lines += WrappedText.lines(step.words, lead: "  \(number + 1). ", indent: "     ")
    }
    if !refusals.isEmpty { lines.append("reasons") }
    for (number, refusal) in refusals.enumerated() {
      lines += WrappedText.lines(
        "from \(refusal.from) to \(refusal.to): \(refusal.reason)", lead: "  \(number + 1). ", indent: "     ")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let longPaths =
    "for paths of more than \(longestListedPath) steps, only the number of steps is shown; --format json lists every step"

  private func text(of group: Group, _ positions: [String: Int]) -> String {
    "\(group.key.verdict.rawValue): \(list(group.destinations, positions))"
      + (group.sentence.isEmpty ? "" : "; \(group.sentence)")
  }

  var markdown: String {
    var lines = ["### \(Self.cell(path))", "", Self.cell(summary), ""]
    if versions.count <= Self.tableLimit, !pairs.isEmpty {
      lines += table + [""]
    } else {
      let positions = positions
      for (source, groups) in groups {
        for group in groups { lines.append("- from \(Self.cell(source)): \(Self.cell(text(of: group, positions)))") }
      }
      if !pairs.isEmpty { lines.append("") }
      if hasLongPaths { lines += [Self.cell(Self.longPaths), ""] }
    }
    let staged =
      versions.count <= Self.tableLimit ? pairs.filter { $0.verdict == .staged && !$0.between.isEmpty } : []
    lines += staged.map { "- \(Self.cell($0.from)) to \(Self.cell($0.to)): \(Self.cell($0.between))" }
    if !staged.isEmpty { lines.append("") }
    lines += list("Mapping models", mappedSteps.map(\.words))
    lines += list("Reasons", refusals.map { "from \($0.from) to \($0.to): \($0.reason)" })
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A numbered list with its heading; empty without items.
  private func list(_ heading: String, _ items: [String]) -> [String] {
    items.isEmpty
      ? []
      : ["\(heading):", ""] + items.enumerated().map { "\($0 + 1). \(Self.cell($1))" } + [""]
  }

  /// One row per source and one column per destination; each cell is a verdict.
  private var table: [String] {
    let sources = versions.filter { name in pairs.contains { $0.from == name } }
    let destinations = versions.filter { name in pairs.contains { $0.to == name } }
    let head = "| from | " + destinations.map { "to \(Self.cell($0))" }.joined(separator: " | ") + " |"
    let rule = "| --- | " + destinations.map { _ in "---" }.joined(separator: " | ") + " |"
    return [head, rule]
      + sources.map { source in
        let cells = destinations.map { destination in
          pairs.first { $0.from == source && $0.to == destination }.map(cell) ?? ""
        }
        return "| \(Self.cell(source)) | " + cells.joined(separator: " | ") + " |"
      }
  }

  private func cell(_ pair: MatrixReport.Pair) -> String {
    ([pair.verdict.rawValue] + [Numbers(self).words(of: pair)].compactMap { $0 }).joined(separator: ", ")
  }

  /// Text on a single line that Markdown does not interpret.
  private static func cell(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
      .map { "\\`*_[]<>|#".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
