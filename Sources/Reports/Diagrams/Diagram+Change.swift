extension Diagram {
  /// What changed, and what it is linked to: of the rest only the names, so that the picture stays small.
  ///
  /// A changed entity keeps the rows that changed, a new one or one that is gone all of its rows. Entities that are only
  /// linked to a change have none. The number of rows that are left out stands in their place.
  public var changedPart: Diagram {
    let changed = Set(nodes.filter { $0.mark != nil }.map(\.name))
    let between = edges.filter { $0.mark != nil && !changed.contains($0.source) && !changed.contains($0.target) }
    var part = focused(on: changed.union(between.map(\.source)))
    part.nodes = part.nodes.map { node in
      var node = node
      guard node.mark != .added, node.mark != .removed else { return node }
      let rows = node.rows.filter { $0.mark != nil || $0.note != nil }
      node.omittedRowCount += node.rows.count - rows.count
      node.rows = rows
      return node
    }
    return part
  }
}

extension Diagram.Node {
  /// The rows that are left out in words, nil for none.
  var omission: String? {
    guard omittedRowCount > 0 else { return nil }
    return Quantity.text(omittedRowCount, rows.isEmpty ? "attribute" : "more attribute")
  }
}
