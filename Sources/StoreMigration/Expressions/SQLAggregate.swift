import MappingModels
import ModelDescription

/// A collection operator as an aggregate function.
///
/// As in key-value coding a missing value counts as 0 in a sum and in an average, which are 0 when there are no members,
/// and does not count in a minimum or maximum.
struct SQLAggregate {
  /// The call of the function.
  let sql: SQLStatement

  init(
    _ collecting: CollectionOperator, of value: ExpressionPiece, giving type: AttributeType, place: SQLStatement
  ) {
    switch collecting {
    case .sum where type == .double: sql = "COALESCE(SUM(\(value.sql)), 0.0)"
    case .sum where value.type == .value(.integer64): sql = "modelctl_sum(\(value.sql), \(place))"
    case .sum: sql = "COALESCE(SUM(\(value.sql)), 0)"
    case .average: sql = "COALESCE(TOTAL(\(value.sql)) / COUNT(*), 0.0)"
    case .minimum: sql = "MIN(\(Self.collated(value)))"
    case .maximum: sql = "MAX(\(Self.collated(value)))"
    default: sql = "COUNT(*)"
    }
  }

  private static func collated(_ value: ExpressionPiece) -> SQLStatement {
    value.type == .value(.string) ? "\(value.sql) COLLATE \(name: StringCollation().name)" : value.sql
  }
}
