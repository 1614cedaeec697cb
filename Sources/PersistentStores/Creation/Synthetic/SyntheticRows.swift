import Foundation
import GRDB

/// Synthetic rows for a new store.
///
/// They are valid for the model, and equal for equal seeds.
///
/// Every entity that is not abstract gets the same number of rows, or fewer if there are too few destination objects
/// for required links. Relationships are set on both sides by arithmetic, so memory use does not grow with the number
/// of rows. Regular expressions of string attributes are ignored.
public struct SyntheticRows: Hashable, Sendable {
  /// The seed of the values.
  public var seed: UInt64
  /// The number of rows of each entity, from 0 to ``maximumRowsPerEntity``.
  public let rowsPerEntity: Int
  /// Which optional values are missing.
  public var gaps = Gaps.random
  /// The demands of later versions on the rows.
  public var demands = RowDemands()

  /// Which optional values are missing.
  public enum Gaps: Hashable, Sendable {
    /// One of eight, at random.
    case random
    /// Random gaps, and one gap in the first eight rows of an entity, so that stores with few rows have gaps too.
    case certain
    /// No gaps and no optional links; values differ as far as their type allows.
    ///
    /// A migration refuses fewer of these rows.
    case none
  }

  /// The maximum number of rows of a single entity.
  public static let maximumRowsPerEntity = 100_000_000

  /// Describes rows; a number outside the allowed range is moved into it.
  public init(seed: UInt64, rowsPerEntity: Int) {
    self.seed = seed
    self.rowsPerEntity = min(max(0, rowsPerEntity), Self.maximumRowsPerEntity)
  }
}

/// Writes synthetic rows with one prepared statement for each entity and each join table.
struct SyntheticRowWriter {
  let plan: SyntheticPlan
  let staged: StagedStore
  let watch: CreationWatch

  func write(to database: Database) throws {
    var written = 0
    for entity in plan.entities { try write(entity, to: database, &written) }
    for join in plan.joins { try write(join, to: database, &written) }
    try watch.report(written, of: plan.total)
  }

  private func write(_ entity: SyntheticPlan.EntityRows, to database: Database, _ written: inout Int) throws {
    let statement = try insertion(into: entity.table, ["Z_PK", "Z_ENT", "Z_OPT"] + entity.columns, database)
    for position in 0..<entity.rows.count {
      let primaryKey = entity.rows.primaryKey(at: position)
      var values: [DatabaseValue] = [primaryKey.databaseValue, entity.number.databaseValue, 1.databaseValue]
      values.reserveCapacity(3 + entity.columns.count)
      for source in entity.sources {
        try append(source, primaryKey: primaryKey, position: position, to: &values)
      }
      try statement.execute(arguments: StatementArguments(values))
      try advance(&written)
    }
  }

  private func append(
    _ source: SyntheticPlan.Source, primaryKey: Int, position: Int, to values: inout [DatabaseValue]
  ) throws {
    switch source {
    case .attribute(let attribute):
      if let file = attribute.externalFile(primaryKey: primaryKey, position: position) {
        try staged.writeExternal(file.content, named: file.name)
        values.append(file.reference)
      } else {
        values.append(attribute.value(primaryKey: primaryKey, position: position))
      }
    case .toOne(let pattern, let entityNumbers, let isOrdered):
      let target = pattern.target(ofPrimaryKey: primaryKey)
      values.append(target?.primaryKey.databaseValue ?? .null)
      if let entityNumbers {
        let number = target.flatMap { target in entityNumbers.first { target.primaryKey <= $0.end }?.number }
        values.append(number?.databaseValue ?? .null)
      }
      if isOrdered { values.append(target.map { Self.order($0.rank) } ?? .null) }
    }
  }

  private func write(_ join: SyntheticPlan.JoinRows, to database: Database, _ written: inout Int) throws {
    let statement = try insertion(into: join.table.name, join.table.columns.map(\.name), database)
    for position in 0..<join.pattern.count {
      let link = join.pattern.link(at: position)
      let values: [DatabaseValue] = join.table.columns.map { column in
        switch column.role {
        case .joinSource: link.source.databaseValue
        case .joinDestination: link.destination.databaseValue
        case .joinSourceOrder: Self.order(link.sourceRank)
        case .joinDestinationOrder: Self.order(link.destinationRank)
        default: .null
        }
      }
      try statement.execute(arguments: StatementArguments(values))
      try advance(&written)
    }
  }

  /// The value of an order column: multiples of 1024 from 2048 on, as Core Data appends.
  ///
  /// Each two neighbors are swapped, so the order always differs from that of the primary keys.
  private static func order(_ rank: Int) -> DatabaseValue { (((rank ^ 1) + 2) * 1024).databaseValue }

  private func insertion(into table: String, _ columns: [String], _ database: Database) throws -> Statement {
    let names = columns.map { SQLIdentifier($0).quoted }.joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return try database.makeStatement(sql: "INSERT INTO \(SQLIdentifier(table).quoted) (\(names)) VALUES (\(marks))")
  }

  private func advance(_ written: inout Int) throws {
    written += 1
    if written % CreationWatch.interval == 0 { try watch.report(written, of: plan.total) }
  }
}
