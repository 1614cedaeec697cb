public import MappingModels
import ModelDescription

extension Diagram {
  /// Creates a diagram of the changes between two versions: the newer version, with the removed parts of the older
  /// version.
  public init(from: String, to: String, _ step: ModelStep) {
    let marks = DifferenceMarks(step)
    let old = Diagram(name: from, model: step.source)
    self.init(name: to, model: step.destination)
    title = "\(from) to \(to)"
    isDifference = true
    nodes = nodes.map(marks.marked)
    edges = edges.map(marks.marked)
    let places = addNodes(of: old, marks)
    addEdges(of: old, marks, places)
    nodes.sort { $0.name < $1.name }
  }

  /// Adds removed entities and rows.
  ///
  /// - Returns: the box of each entity of the older version, by its name there.
  private mutating func addNodes(of old: Diagram, _ marks: DifferenceMarks) -> [String: String] {
    var positions = Dictionary(nodes.enumerated().map { ($1.name, $0) }) { first, _ in first }
    var places: [String: String] = [:]
    for var node in old.nodes {
      let name = marks.destinationName(of: node.name)
      if !marks.isRemoved(node.name), let position = positions[name] {
        places[node.name] = name
        nodes[position].rows += node.rows.filter { marks.isRemoved($0.name, of: node.name) }.map { row in
          var row = row
          row.mark = .removed
          return row
        }
      } else {
        let name = node.name
        // Another entity may have taken the name.
        while positions[node.name] != nil { node.name += " (former)" }
        node.mark = .removed
        positions[node.name] = nodes.count
        places[name] = node.name
        nodes.append(node)
      }
    }
    return places
  }

  /// Adds removed lines between the boxes of their ends, and marks new inheritance.
  private mutating func addEdges(of old: Diagram, _ marks: DifferenceMarks, _ places: [String: String]) {
    var sourcePairs: Set<[String]> = []
    let destinationPairs = Set(edges.filter { $0.kind == .inheritance }.map { [$0.source, $0.target] })
    var gone: [Edge] = []
    for var edge in old.edges {
      let (source, target) = (edge.source, edge.target)
      edge.source = places[source] ?? source
      edge.target = places[target] ?? target
      switch edge.kind {
      case .inheritance:
        sourcePairs.insert([edge.source, edge.target])
        guard !destinationPairs.contains([edge.source, edge.target]) else { continue }
      case .relationship:
        guard edge.keepRemoved(source: source, target: target, marks) else { continue }
      }
      edge.mark = .removed
      edge.sourceEnd?.mark = .removed
      edge.targetEnd?.mark = .removed
      gone.append(edge)
    }
    for position in edges.indices where edges[position].kind == .inheritance {
      if !sourcePairs.contains([edges[position].source, edges[position].target]) { edges[position].mark = .added }
    }
    edges += gone
  }
}

extension Diagram.Edge {
  /// Keeps only the removed ends; false if there are none.
  ///
  /// The rest of a relationship that lost its inverse, or has another destination, is in the newer version.
  fileprivate mutating func keepRemoved(source entity: String, target: String, _ marks: DifferenceMarks) -> Bool {
    let isForwardGone = targetEnd.map { marks.isRemoved($0.name, of: entity) } ?? false
    let isBackGone = sourceEnd.map { marks.isRemoved($0.name, of: target) } ?? false
    guard !isForwardGone else {
      if !isBackGone { sourceEnd = nil }
      return true
    }
    guard isBackGone else { return false }
    (source, self.target) = (self.target, source)
    (sourceEnd, targetEnd) = (nil, sourceEnd)
    return true
  }
}
