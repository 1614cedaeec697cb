public import GRDB

/// The objects of a store as plain values, read with nothing but the model and the file's own tables.
///
/// It shares no code with layouts, plans or verification: names are made here once more from the rules of the format.
public struct ObjectGraph: Equatable, Sendable {
  /// A link from an object to another, both by `Z_PK`.
  public struct Link: Hashable, Sendable {
    /// The object that has the relationship.
    public let near: Int64
    /// The object that it leads to.
    public let far: Int64

    /// Names both ends.
    public init(near: Int64, far: Int64) { (self.near, self.far) = (near, far) }
  }

  /// The value of every stored attribute by entity, `Z_PK` and leaf path.
  public var rows: [String: [Int64: [String: DatabaseValue]]] = [:]
  /// The links of every stored relationship, by declaring entity and name, from its own side.
  public var links: [String: Set<Link>] = [:]
  /// The other ends of every ordered relationship in their order, by declaring entity and name and by `Z_PK`.
  public var orders: [String: [Int64: [Int64]]] = [:]

  /// Makes a graph without objects.
  public init() {}

  /// Finds the entity of a row.
  ///
  /// - Parameters:
  ///   - key: its `Z_PK`.
  ///   - entities: those that are asked.
  /// - Returns: the first one that has it.
  public func entity(ofRow key: Int64, among entities: [String]) -> String? {
    entities.first { rows[$0]?[key] != nil }
  }
}

extension ObjectGraph {
  /// The differences from another graph, one per line.
  public func differences(from other: ObjectGraph) -> [String] {
    var found: [String] = []
    for entity in Set(rows.keys).union(other.rows.keys).sorted() where rows[entity] != other.rows[entity] {
      let (mine, theirs) = (rows[entity] ?? [:], other.rows[entity] ?? [:])
      guard Set(mine.keys) == Set(theirs.keys) else {
        found.append("\(entity): rows \(mine.keys.sorted()) and \(theirs.keys.sorted())")
        continue
      }
      for (key, values) in mine.sorted(by: { $0.key < $1.key }) {
        for (path, value) in values where theirs[key]?[path] != value {
          found.append("\(entity).\(path) of \(key): \(value) and \(String(describing: theirs[key]?[path]))")
        }
      }
    }
    for name in Set(links.keys).union(other.links.keys).sorted() where links[name] != other.links[name] {
      let (mine, theirs) = (links[name] ?? [], other.links[name] ?? [])
      found.append("\(name): \(mine.subtracting(theirs).count) links more, \(theirs.subtracting(mine).count) fewer")
    }
    for name in Set(orders.keys).union(other.orders.keys).sorted() where orders[name] != other.orders[name] {
      found.append("\(name): another order")
    }
    return found
  }
}
