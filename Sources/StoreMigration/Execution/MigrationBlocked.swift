public import MappingModels

/// What stands in the way of a migration: in the rows of the store, and in the models where there is more than that.
public struct MigrationBlocked: Error, Hashable, Sendable {
  /// Rows that a check found.
  public struct BlockingRows: Hashable, Sendable {
    /// What they are in the way of.
    public var blocker: PlanCheck.Blocker
    /// How many there are.
    public var count: Int
    /// The `Z_PK` of the first of them, at most five.
    public var firstKeys: [Int64]
  }

  /// Data that would be lost and is there.
  public struct UnconsentedLoss: Hashable, Sendable {
    /// What would be lost.
    public var loss: PlannedLoss
    /// How many rows, values or links.
    public var count: Int
    /// The bundles to migrate with together, where another than the store's has the entity that goes too.
    ///
    /// None when nobody looked; the caller that reads bundles sets them.
    public var mergedBundles: [String] = []
  }

  /// What cannot be inferred; `InferenceRefusal` itself is thrown where nothing else is in the way.
  public internal(set) var failures: [InferenceRefusal] = []
  /// The rows in the way.
  public var blockers: [BlockingRows]
  /// The losses nobody consented to.
  public var losses: [UnconsentedLoss]
  /// The names that are left to consent to beside those that the project has recorded as meant.
  ///
  /// Nil when none of the losses is recorded, or nobody looked; the caller that reads lock files sets it.
  public var unrecordedNames: [String]?

  /// True when nothing stands in the way.
  public var isEmpty: Bool { failures.isEmpty && blockers.isEmpty && losses.isEmpty }
}

extension MigrationBlocked.BlockingRows {
  /// True when consent to a loss lifts it, because the values are there and would be others.
  package var isLossOfValues: Bool {
    if case .requirement(.fits) = blocker { true } else { false }
  }
}
