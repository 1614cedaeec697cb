public import ModelComparison
public import ModelDescription

extension Diagram {
  /// Pictures what changed between two versions: the newer one, and what of the older one is gone.
  ///
  /// - Parameters:
  ///   - from: the name of the older version.
  ///   - former: the older version.
  ///   - to: the name of the newer version.
  ///   - latter: the newer version.
  ///   - difference: what changed.
  public init(
    from: String, _ former: EntityHierarchy, to: String, _ latter: EntityHierarchy, _ difference: ModelDifference
  ) {
    let marks = DifferenceMarks(difference, in: latter)
    let old = Diagram(name: from, model: former)
    self.init(name: to, model: latter)
    title = "\(from) to \(to)"
    isDifference = true
    nodes = nodes.map(marks.marked)
    edges = edges.map(marks.marked)
    addNodes(of: old, marks)
    addEdges(of: old, marks)
    nodes.sort { $0.name < $1.name }
  }

  /// Adds entities and rows that are gone.
  private mutating func addNodes(of old: Diagram, _ marks: DifferenceMarks) {
    for var node in old.nodes {
      let name = marks.latterName(of: node.name)
      if let position = nodes.firstIndex(where: { $0.name == name }), nodes[position].mark != .added {
        let gone = node.rows.filter { marks.isRemoved($0.name, of: node.name) }
        nodes[position].rows += gone.map { row in
          var row = row
          row.mark = .removed
          return row
        }
      } else if !nodes.contains(where: { $0.name == node.name }) {
        node.mark = .removed
        nodes.append(node)
      }
    }
  }

  /// Adds lines that are gone, between what their ends have become.
  private mutating func addEdges(of old: Diagram, _ marks: DifferenceMarks) {
    let known = Set(nodes.map(\.name))
    for var edge in old.edges {
      let (source, target) = (edge.source, edge.target)
      edge.source = marks.latterName(of: source)
      edge.target = marks.latterName(of: target)
      guard known.contains(edge.source), known.contains(edge.target) else { continue }
      switch edge.kind {
      case .inheritance:
        guard !edges.contains(where: { $0.kind == .inheritance && $0.source == edge.source && $0.target == edge.target })
        else { continue }
      case .relationship:
        // A relationship that lost its inverse alone is in the newer picture already.
        let isForwardGone = edge.targetEnd.map { marks.isRemoved($0.name, of: source) } ?? true
        let isBackGone = edge.sourceEnd.map { marks.isRemoved($0.name, of: target) } ?? true
        guard isForwardGone, isBackGone else { continue }
      }
      edge.mark = .removed
      edge.sourceEnd?.mark = .removed
      edge.targetEnd?.mark = .removed
      edges.append(edge)
    }
    for position in edges.indices where edges[position].kind == .inheritance && edges[position].mark == nil {
      let edge = edges[position]
      let isOld = old.edges.contains {
        $0.kind == .inheritance && marks.latterName(of: $0.source) == edge.source
          && marks.latterName(of: $0.target) == edge.target
      }
      if !isOld { edges[position].mark = .added }
    }
  }
}
