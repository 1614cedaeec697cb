import Foundation

/// The expressions that `action.yml` holds: names, texts, `==`, `&&`, `||` and one level of brackets.
struct WorkflowExpression {
  /// The values of names; an unknown name is empty, as in GitHub.
  let context: [String: String]

  /// Replaces every `${{ … }}` of a text.
  func expand(_ text: String) -> String {
    let pieces = text.components(separatedBy: "${{")
    return pieces.dropFirst().reduce(pieces[0]) { expanded, piece in
      let parts = piece.components(separatedBy: "}}")
      return expanded + evaluate(parts[0]) + parts.dropFirst().joined(separator: "}}")
    }
  }

  /// The value of an expression; `false` is empty.
  func evaluate(_ expression: String) -> String {
    var text = expression.trimmingCharacters(in: .whitespaces)
    if let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") {
      let value = evaluate(String(text[text.index(after: open)..<close]))
      text.replaceSubrange(open...close, with: "'\(value)'")
    }
    let alternatives = text.components(separatedBy: " || ")
    if alternatives.count > 1 { return alternatives.map(evaluate).first { !$0.isEmpty } ?? "" }
    let conditions = text.components(separatedBy: " && ")
    if conditions.count > 1 {
      let values = conditions.map(evaluate)
      return values.contains("") ? "" : values.last ?? ""
    }
    let sides = text.components(separatedBy: " == ")
    if sides.count > 1 { return evaluate(sides[0]) == evaluate(sides[1]) ? "true" : "" }
    return text.hasPrefix("'") ? text.trimmingCharacters(in: ["'"]) : context[text] ?? ""
  }
}
