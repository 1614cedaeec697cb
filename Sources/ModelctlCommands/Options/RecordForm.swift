import ModelKit

/// The forms of objects.
enum RecordForm: String, OutputForm {
  case table
  case json
  case jsonl
  case csv

  static var text: RecordForm { .table }
}

extension FormatOptions<RecordForm> {
  /// Gives what a query found.
  ///
  /// - Parameters:
  ///   - answer: what was found.
  ///   - request: which objects were asked for.
  ///   - store: the store's UUID.
  /// - Throws: ``CommandError/unwritable(path:reason:)``, and `EncodingError` for a number that JSON cannot hold.
  func write(_ answer: RecordAnswer, to request: RecordRequest, store: String) throws {
    switch answer {
    case .count(let number): try Console.standardOutput("\(number)\n")
    case .explanation(let explanation):
      let report = ExplanationReport(explanation)
      try write { try $0 == .json ? JSONText.encode(report) : report.text }
    case .objects(let graph, let inclusion, let total):
      let report = RecordsReport(
        graph, including: inclusion, of: request.entity, columns: request.properties, count: total, store: store)
      try write(report, text: report.text, lines: report.lines, csv: report.csv)
    case .groups(let groups, let aggregates, let keyPaths):
      let report = RecordGroupsReport(groups, of: request.entity, by: keyPaths, aggregates, store: store)
      try write(report, text: report.text, lines: report.lines, csv: report.csv)
    }
  }

  private func write(
    _ report: some Encodable, text: @autoclosure () -> String, lines: () throws -> String,
    csv: @autoclosure () -> String
  ) throws {
    try write { form in
      switch form {
      case .table: text()
      case .json: try JSONText.encode(report)
      case .jsonl: try lines()
      case .csv: csv()
      }
    }
  }
}
