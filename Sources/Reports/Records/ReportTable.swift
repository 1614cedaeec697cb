/// A table of a report: a heading, the names of its columns, and its rows.
struct ReportTable: Hashable, Sendable {
  /// What it shows.
  var caption: String
  /// The names of the columns; the first heads the rows.
  var columns: [String]
  /// As many cells a row as there are columns.
  var rows: [[String]]
  /// The columns that hold numbers.
  var numericColumns: Set<Int> = []
}
