/// Rows to fill a new store with: valid by the model, and the same for the same seed.
///
/// Every entity that is not abstract gets the same number of rows, or fewer where links are required that there would be
/// too few of. Relationships are set on both sides by arithmetic,
/// so that memory does not grow with the rows. Regular expressions of string attributes are not followed.
public struct SyntheticRows: Hashable, Sendable {
  /// What the values depend on, besides the model.
  public var seed: UInt64
  /// How many rows each entity gets, from 0 to ``maximumRowsPerEntity``.
  public let rowsPerEntity: Int
  /// Which optional values are missing.
  public var gaps = Gaps.random
  /// What later versions ask of the rows.
  public var demands = RowDemands()

  /// Which optional values are missing.
  public enum Gaps: Hashable, Sendable {
    /// One of eight, at random.
    case random
    /// Those, and each in one of the first eight rows of an entity, so that few rows have gaps too.
    case certain
    /// None, nor an optional link, and values differ as far as their type allows: such rows meet fewer of the refusals
    /// that a migration has for gaps and duplicates.
    case none
  }

  /// The most rows of one entity.
  public static let maximumRowsPerEntity = 100_000_000

  /// Describes rows; a number outside the allowed range is moved into it.
  public init(seed: UInt64, rowsPerEntity: Int) {
    self.seed = seed
    self.rowsPerEntity = min(max(0, rowsPerEntity), Self.maximumRowsPerEntity)
  }
}
