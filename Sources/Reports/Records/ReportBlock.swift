/// A piece of a report, before it becomes HTML or Markdown.
enum ReportBlock: Hashable, Sendable {
  /// A heading; 2 is the level below the report's own.
  case heading(String, level: Int)
  /// A fact a line.
  case facts([String])
  case table(ReportTable)
}

/// A table of a report: a heading, the names of its columns, and its rows.
struct ReportTable: Hashable, Sendable {
  var caption: String
  /// The names of the columns; the first heads the rows.
  var columns: [String]
  /// As many cells a row as there are columns.
  var rows: [[String]]
  var numericColumns: Set<Int> = []
}

extension ReportBlock {
  var markup: String {
    switch self {
    case .heading(let text, let level): return "<h\(level)>\(MarkupText.escaped(text))</h\(level)>"
    case .facts(let facts):
      let items = facts.map { "<li>\(MarkupText.escaped($0))</li>" }
      return "<ul>\n\(items.joined(separator: "\n"))\n</ul>"
    case .table(let table): return table.markup
    }
  }

  var markdown: String {
    switch self {
    case .heading(let text, let level): "\(String(repeating: "#", count: level)) \(MarkdownText.escaped(text))"
    case .facts(let facts): facts.map { "- \(MarkdownText.advice($0))" }.joined(separator: "\n")
    case .table(let table): table.markdown
    }
  }
}

extension ReportTable {
  fileprivate var markup: String {
    let head = columns.map { "<th scope=\"col\">\(MarkupText.escaped($0))</th>" }.joined()
    let body = rows.map { row in
      let cells = row.enumerated().map { position, cell in
        let text = MarkupText.escaped(cell)
        if position == 0 { return "<th scope=\"row\">\(text)</th>" }
        return "<td\(numericColumns.contains(position) ? " class=\"number\"" : "")>\(text)</td>"
      }
      return "<tr>\(cells.joined())</tr>"
    }
    return """
      <div class="wide" tabindex="0" role="group" aria-label="\(MarkupText.escaped(caption))">
      <table>
      <caption>\(MarkupText.escaped(caption))</caption>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(body.joined(separator: "\n"))
      </tbody>
      </table>
      </div>
      """
  }

  fileprivate var markdown: String {
    let rule = columns.indices.map { numericColumns.contains($0) ? "---:" : "---" }
    let lines = [columns.map(MarkdownText.escaped), rule] + rows.map { $0.map(MarkdownText.escaped) }
    return "\(MarkdownText.escaped(caption)):\n\n"
      + lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
  }
}
