/// A diagram of a model, or of the changes between two models: boxes, lines and their marks.
///
/// Renderers of every format use this value. They show each mark in words too, and never by colour alone.
public struct Diagram: Hashable, Sendable {
  /// The change of a part of the diagram between two versions.
  public enum Mark: String, Hashable, Sendable, CaseIterable {
    case added
    case removed
    case changed
  }

  /// A line in a box: an attribute or a fetched property.
  public struct Row: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its type.
    public var type: String
    /// Whether the value is optional.
    public var isOptional: Bool
    /// The change of the row.
    public var mark: Mark?
    /// The change in words; nil if the mark is enough.
    public var note: String?
  }

  /// A box: an entity.
  public struct Node: Hashable, Sendable {
    /// The entity's name, followed by `(former)` if a different entity now has this name.
    public var name: String
    /// The entity's name.
    public var entity: String
    /// Whether the entity is abstract.
    public var isAbstract: Bool
    /// Its declared properties, by name.
    public var rows: [Row]
    /// The change of the entity or of a part of it.
    public var mark: Mark?
    /// The change in words; nil if the mark is enough.
    public var note: String?
    /// The number of omitted rows.
    public var omittedRowCount = 0
  }

  /// An end of a line: its relationship, and the number of its objects per object of the opposite end.
  public struct End: Hashable, Sendable {
    /// The relationship to this end.
    public var name: String
    /// The least number of objects.
    public var minimum: Int
    /// The greatest number, 0 for any.
    public var maximum: Int
    /// The change of the relationship.
    public var mark: Mark?
    /// The change in words; nil if the mark is enough.
    public var note: String?
  }

  /// A line between two boxes.
  public struct Edge: Hashable, Sendable {
    /// The kind of a line.
    public enum Kind: Hashable, Sendable {
      /// A relationship, with its inverse if it has one.
      case relationship
      /// The source inherits from the target.
      case inheritance
    }

    /// The kind of the line.
    public var kind: Kind
    /// The name of the box it begins at.
    public var source: String
    /// The name of the destination's box.
    public var target: String
    /// The end at the source, nil for a relationship without an inverse.
    public var sourceEnd: End?
    /// The end at the target, nil for inheritance.
    public var targetEnd: End?
    /// The change of the line.
    public var mark: Mark?
  }

  /// Its title, such as `v6` or `v1 to v2`.
  public var title: String
  /// The boxes, each with a name of its own.
  public var nodes: [Node]
  /// The lines; both ends are boxes.
  public var edges: [Edge]
  /// Whether the diagram shows a difference and may have marks.
  public var isDifference: Bool

  /// Creates a diagram.
  public init(title: String, nodes: [Node], edges: [Edge], isDifference: Bool = false) {
    (self.title, self.nodes, self.edges, self.isDifference) = (title, nodes, edges, isDifference)
  }

  /// The entities with these names and their linked entities, with the lines between them.
  public func focused(on names: Set<String>) -> Diagram {
    var part = self
    part.edges = edges.filter { names.contains($0.source) || names.contains($0.target) }
    let kept = names.union(part.edges.flatMap { [$0.source, $0.target] })
    part.nodes = nodes.filter { kept.contains($0.name) }
    return part
  }

  /// The numbers of boxes and lines in words.
  public var summary: String {
    let relationships = edges.filter { $0.kind == .relationship }.count
    let inheritance = edges.count - relationships
    let counts = [
      Quantity.text(nodes.count, "entity", "entities"), Quantity.text(relationships, "relationship"),
      inheritance == 0 ? nil : Quantity.text(inheritance, "inheritance", "inheritances"),
    ]
    let marks = Mark.allCases.compactMap { mark in
      let count = nodes.filter { $0.mark == mark }.count
      return count == 0 ? nil : "\(count) \(mark.rawValue)"
    }
    let words = counts.compactMap { $0 }.joined(separator: ", ")
    return marks.isEmpty ? words : "\(words); entities: \(marks.joined(separator: ", "))"
  }

  /// The summary, and each change.
  var description: String { ([summary] + changes).joined(separator: ". ") }

  /// The changes in words, each by its entity and property.
  var changes: [String] {
    let ofNodes = nodes.flatMap { node -> [String] in
      let own = node.note ?? (node.mark == .changed ? nil : node.mark?.rawValue)
      let isWhole = node.mark == .added || node.mark == .removed
      let rows =
        isWhole
        ? []
        : node.rows.compactMap { row in
          (row.note ?? row.mark?.rawValue).map { "\(node.name).\(row.name): \($0)" }
        }
      return (own.map { ["\(node.name): \($0)"] } ?? []) + rows
    }
    return ofNodes + edges.flatMap(\.changes)
  }

  /// The keys of boxes for languages with restricted names: `e1`, `e2` and so on.
  func keys() -> [String: String] {
    var keys: [String: String] = [:]
    for (position, node) in nodes.enumerated() { keys[node.name] = "e\(position + 1)" }
    return keys
  }
}

extension Diagram.Row {
  /// The row as diagrams show it: the name, the type with a question mark if it is optional, and the change.
  var words: (name: String, type: String, remark: String?) {
    let remark = (note ?? mark?.rawValue).map(Diagram.clipped)
    return (Diagram.clipped(name), Diagram.clipped(type) + (isOptional ? "?" : ""), remark)
  }
}

extension Diagram.Node {
  /// The remarks above the name: whether the entity is abstract, and its change.
  var remarks: [String] { (isAbstract ? ["abstract"] : []) + [note ?? mark?.rawValue].compactMap { $0 } }
}

extension Diagram.End {
  /// The number of objects, such as `0..1` or `1..*`.
  var count: String {
    let most = maximum == 0 ? "*" : String(maximum)
    return String(minimum) == most ? most : "\(minimum)..\(most)"
  }
}

extension Diagram.Edge {
  /// The relationships of a line, with the change of a single relationship; empty for inheritance.
  var names: [String] {
    [targetEnd, sourceEnd].compactMap { $0 }.map { end in
      let remark = end.note ?? (end.mark == mark ? nil : end.mark?.rawValue)
      return Diagram.clipped(end.name) + (remark.map { " (\(Diagram.clipped($0)))" } ?? "")
    }
  }

  /// The relationships on a single line, after the change of the line.
  var words: String { (mark.map { "\($0.rawValue) " } ?? "") + names.joined(separator: " / ") }
}

extension Diagram {
  /// A name shortened for diagrams; texts have the complete name.
  static func clipped(_ name: String) -> String {
    let line = PrintableText.line(name)
    return line.count > 80 ? line.prefix(79) + "…" : line
  }

  /// The changes and their linked entities, of which only names are shown, so that the diagram is small.
  ///
  /// A changed entity has its changed rows; an added or removed entity has all rows. Entities that are only linked to a
  /// change do not have rows. The number of omitted rows is shown instead.
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
  /// The number of omitted rows in words; nil if there are none.
  var omission: String? {
    guard omittedRowCount > 0 else { return nil }
    return Quantity.text(omittedRowCount, rows.isEmpty ? "attribute" : "more attribute")
  }
}
