public import StoreRows

/// How SQLite answers a request, for people and programs.
public struct ExplanationReport: Encodable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  private let sql: String
  private let steps: [Step]

  private struct Step: Encodable {
    let number: Int
    let parent: Int?
    let detail: String
  }

  /// Takes an explanation.
  public init(_ explanation: RequestExplanation) {
    sql = explanation.sql
    steps = explanation.steps.map { Step(number: $0.number, parent: $0.parent, detail: $0.detail) }
  }

  /// The statement, and a line a step under the one that it is a part of.
  public var text: String {
    var depths: [Int: Int] = [:]
    let lines = steps.map { step in
      let depth = step.parent.flatMap { depths[$0] }.map { $0 + 1 } ?? 0
      depths[step.number] = depth
      return String(repeating: "  ", count: depth + 1) + step.detail + "\n"
    }
    return "\(PrintableText.line(sql));\n\nSQLite's plan:\n\(lines.joined())"
  }
}
