extension Diagram {
  /// The picture in words: a part a box, in it a fact a line of the box and a line that begins or ends there.
  public var outline: Outline {
    var sentences: [String: [String]] = [:]
    for edge in edges {
      for node in Set([edge.source, edge.target]) { sentences[node, default: []] += edge.sentences(at: node) }
    }
    return Outline(
      title, facts: [summary],
      parts: nodes.map { node in
        let title = (["entity \(node.name)"] + node.remarks).joined(separator: ", ")
        return Outline(
          title,
          facts: node.rows.map(\.sentence) + [node.omission].compactMap { $0 } + sentences[node.name, default: []])
      })
  }
}

extension Diagram.Row {
  fileprivate var sentence: String {
    "\(name), \(type), \(isOptional ? "optional" : "required")"
      + ((note ?? mark?.rawValue).map { ": \($0)" } ?? "")
  }
}

extension Diagram.Edge {
  /// What the line says of one of its boxes; both ends where it leads back to the same box.
  fileprivate func sentences(at node: String) -> [String] {
    let remark = mark.map { ": \($0.rawValue)" } ?? ""
    guard kind == .relationship else { return node == source ? ["inherits from \(target)\(remark)"] : [] }
    let ends = [
      node == source ? targetEnd.map { ($0, target) } : nil, node == target ? sourceEnd.map { ($0, source) } : nil,
    ]
    return ends.compactMap { $0 }.map { end, destination in
      let word = (end.mark ?? mark.flatMap { $0 == .changed ? nil : $0 })?.rawValue
      let remark = (end.note ?? word).map { ": \($0)" } ?? ""
      return "relationship \(end.name) to \(destination), \(end.words)\(remark)"
    }
  }
}

extension Diagram.End {
  /// How many objects, in words.
  var words: String {
    switch (minimum, maximum) {
    case (0, 0): "any number"
    case (let least, 0): "at least \(least)"
    case (0, 1): "0 or 1"
    case (let least, let most) where least == most: "exactly \(most)"
    case (let least, let most): "\(least) to \(most)"
    }
  }
}
