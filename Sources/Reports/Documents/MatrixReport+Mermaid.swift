extension MatrixReport {
  /// The steps of all paths as a Mermaid flowchart, which GitHub and GitLab draw.
  ///
  /// A broken line is a step that is impossible; its reason is in the text.
  public var mermaid: String {
    var lines = [
      "flowchart LR", "  accTitle: Migration paths",
      "  accDescr: \(MermaidDiagram.described(bundles.map(\.sentence).joined(separator: " ")))",
    ]
    for (number, bundle) in bundles.enumerated() { lines += bundle.flowchart(number) }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension MatrixReport.Bundle {
  /// A step between two versions, each once.
  private struct Edge: Hashable {
    let from: String
    let to: String
    /// The name of the mapping model; nil for an inferred step.
    var mapping: String?
    var isPossible = true
  }

  private var edges: [Edge] {
    var seen: Set<Edge> = []
    let steps = pairs.flatMap { pair in
      pair.steps.map { step in
        Edge(from: step.from, to: step.to, mapping: step.mapping.map { String($0.split(separator: "/").last ?? "") })
      } + (pair.refusal.map { [Edge(from: $0.from, to: $0.to, isPossible: false)] } ?? [])
    }
    return steps.filter { seen.insert($0).inserted }
  }

  /// The paths as a sentence, for readers who do not see the picture.
  fileprivate var sentence: String {
    let steps = edges.map { edge in
      let way = edge.isPossible ? edge.mapping.map { "by \($0)" } ?? "inferred" : "impossible"
      return "\(edge.from) to \(edge.to) \(way)"
    }
    return "\(path): \(steps.isEmpty ? "no steps" : steps.joined(separator: ", "))."
  }

  fileprivate func flowchart(_ number: Int) -> [String] {
    let keys = Dictionary(
      versions.enumerated().map { ($1, "b\(number)v\($0)") }, uniquingKeysWith: { first, _ in first })
    let nodes = versions.compactMap { version in
      keys[version].map { key in
        "    \(key)[\"\(MermaidDiagram.escaped(version))\(version == current ? " (current)" : "")\"]"
      }
    }
    let arrows = edges.compactMap { edge -> String? in
      guard let from = keys[edge.from], let to = keys[edge.to] else { return nil }
      guard edge.isPossible else { return "    \(from) -. impossible .-> \(to)" }
      return "    \(from) -->|\"\(MermaidDiagram.escaped(edge.mapping ?? "inferred"))\"| \(to)"
    }
    return ["  subgraph b\(number)[\"\(MermaidDiagram.escaped(path))\"]"] + nodes + arrows + ["  end"]
  }
}
