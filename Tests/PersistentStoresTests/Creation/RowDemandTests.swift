import GRDB
import ModelDescription
import PersistentStores
import TestSupport
import Testing

/// Rows that later versions accept, too.
@Suite("Rows that every version accepts")
struct RowDemandTests {
  private static func model(
    least: Int, most: Int, count: AttributeType = .string, optional: Bool = false
  ) throws -> EntityHierarchy {
    try EntityHierarchy(
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Order",
          attributes: [AttributeDescription(name: "count", type: count)],
          relationships: [
            RelationshipDescription(
              name: "rows", destinationEntityName: "Row", inverseName: "order", inverseEntityName: "Row",
              isOptional: optional, minCount: least, maxCount: most),
            RelationshipDescription(
              name: "tags", destinationEntityName: "Tag", inverseName: "orders", inverseEntityName: "Tag",
              isOptional: optional, minCount: least, maxCount: most),
          ]),
        EntityDescription(
          name: "Row",
          relationships: [
            RelationshipDescription(
              name: "order", destinationEntityName: "Order", inverseName: "rows", inverseEntityName: "Order",
              isOptional: optional, minCount: optional ? 0 : 1, maxCount: 1)
          ]),
        EntityDescription(
          name: "Tag",
          relationships: [
            RelationshipDescription(
              name: "orders", destinationEntityName: "Order", inverseName: "tags", inverseEntityName: "Order",
              isOptional: optional)
          ]),
      ]))
  }

  /// The least and the most links of an order, and all texts.
  private static func links(_ hierarchy: EntityHierarchy, _ rows: SyntheticRows) throws -> [[Int]] {
    let folder = try TemporaryFolder()
    let creator = try StoreCreator(of: hierarchy)
    try creator.create(at: folder.path("a.sqlite"), filling: rows)
    let queue = try DatabaseQueue(path: folder.path("a.sqlite"))
    let tags = PropertyAddress(entity: "Order", property: "tags")
    guard case .join(let name, let source, _, _, _)? = creator.layout.storage(ofRelationship: tags, in: hierarchy)
    else {
      return []
    }
    let orders = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM ZORDER") ?? 0 }
    let tagged = try queue.read { try Int.fetchAll($0, sql: "SELECT count(*) FROM \(name) GROUP BY \(source)") }
    let counted = try queue.read {
      try Int.fetchAll($0, sql: "SELECT count(*) FROM ZROW WHERE ZORDER NOT NULL GROUP BY ZORDER")
    }
    let texts = try queue.read { try String.fetchAll($0, sql: "SELECT ZCOUNT FROM ZORDER") }
    return [counted, tagged].map { $0 + Array(repeating: 0, count: max(0, orders - $0.count)) }
      + [texts.compactMap { Int($0) }, [orders]]
  }

  @Test("Counts of links that the model requires are kept", arguments: [(1, 0), (2, 3), (3, 3), (2, 0)], [4, 20, 33])
  func counts(bounds: (least: Int, most: Int), rows: Int) throws {
    let found = try Self.links(
      try Self.model(least: bounds.least, most: bounds.most), SyntheticRows(seed: 1, rowsPerEntity: rows))
    for counts in found.prefix(2) {
      #expect(counts.allSatisfy { $0 >= bounds.least && (bounds.most == 0 || $0 <= bounds.most) }, "\(counts)")
    }
    #expect(found[3][0] > 0)
  }

  @Test("Counts and numbers that a later version requires are kept for rows that it must accept")
  func laterVersions() throws {
    let first = try Self.model(least: 0, most: 0, optional: true)
    let later = try Self.model(least: 2, most: 3, count: .integer16)
    var rows = SyntheticRows(seed: 1, rowsPerEntity: 20)
    #expect(try Self.links(first, rows)[2].isEmpty)
    (rows.gaps, rows.demands) = (.none, RowDemands(of: first, passing: [later]))
    let found = try Self.links(first, rows)
    for counts in found.prefix(2) { #expect(counts.allSatisfy { (2...3).contains($0) }, "\(counts)") }
    #expect(found[2].count == found[3][0])
  }

  /// Letters, or letters and cards below them, that refer to a picture, with or without an inverse.
  private static func pictures(inverse: Bool, cards: Bool, required: Bool = false) throws -> EntityHierarchy {
    var entities = [
      EntityDescription(
        name: "Letter",
        relationships: [
          RelationshipDescription(
            name: "picture", destinationEntityName: "Picture", inverseName: inverse ? "letter" : nil,
            inverseEntityName: inverse ? "Picture" : nil, isOptional: !required, maxCount: 1)
        ]),
      EntityDescription(
        name: "Picture",
        relationships: inverse
          ? [
            RelationshipDescription(
              name: "letter", destinationEntityName: "Letter", inverseName: "picture", inverseEntityName: "Letter",
              isOptional: true, maxCount: 1)
          ] : []),
    ]
    if cards { entities.append(EntityDescription(name: "Card", superentityName: "Letter")) }
    return try EntityHierarchy(ManagedObjectModel(entities: entities))
  }

  /// How many letters refer to each picture, most first.
  private static func owners(_ hierarchy: EntityHierarchy, _ rows: SyntheticRows) throws -> [Int] {
    let folder = try TemporaryFolder()
    try StoreCreator(of: hierarchy).create(at: folder.path("a.sqlite"), filling: rows)
    return try DatabaseQueue(path: folder.path("a.sqlite")).read { database in
      try Int.fetchAll(
        database,
        sql: "SELECT count(*) AS n FROM ZLETTER WHERE ZPICTURE NOT NULL GROUP BY ZPICTURE ORDER BY n DESC")
    }
  }

  @Test("Two entities of as many rows are not one: the links are spread over all")
  func sameNumberOfRows() throws {
    let owners = try Self.owners(
      try Self.pictures(inverse: false, cards: false, required: true), SyntheticRows(seed: 1, rowsPerEntity: 20))
    #expect(owners == Array(repeating: 1, count: 20))
  }

  @Test("If a later version has a to-one inverse, no two rows link to the same row")
  func laterInverse() throws {
    let first = try Self.pictures(inverse: false, cards: true)
    let later = try Self.pictures(inverse: true, cards: true)
    var rows = SyntheticRows(seed: 1, rowsPerEntity: 20)
    #expect(try Self.owners(first, rows).first == 2)
    rows.demands = RowDemands(of: first, passing: [first, later])
    #expect(try Self.owners(first, rows) == Array(repeating: 1, count: 20))
    rows.demands = RowDemands(of: first, passing: [first, first])
    #expect(try Self.owners(first, rows).first == 2)
  }
}
