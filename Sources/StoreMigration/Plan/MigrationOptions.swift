public import MappingModels

/// What the user allows and decides beyond the two models.
public struct MigrationOptions: Hashable, Sendable {
  /// Which of several rows with equal values stays when a uniqueness constraint is added.
  public enum DuplicatePolicy: String, Hashable, Sendable, CaseIterable {
    /// The row with the highest `Z_PK`.
    case keepNewest = "keep-newest"
    /// The row with the lowest `Z_PK`.
    case keepOldest = "keep-oldest"
  }

  /// The strategy to use, nil to choose by cost.
  public var strategy: MigrationStrategy?
  /// The policy for duplicates by destination entity.
  public var duplicatePolicies: [String: DuplicatePolicy]
  /// The destination relationships, as `Entity.relationship`, that keep one of several links.
  public var keepsFirst: Set<String>
  /// The names of what may be lost, as `DataLoss` gives them.
  public var allowedLosses: Set<String>
  /// True to migrate a store that CloudKit mirrors, even if its tables refer to entity numbers that change.
  public var allowsCloudKit: Bool
  /// True to migrate even if unknown tables may refer to entity numbers that change.
  public var allowsForeignReferences: Bool
  /// What is done in place of policy classes of a mapping model, by class name; it goes before policies in code.
  public var policyStandIns: [String: PolicyStandIn]
  /// True for a store that stands for one of another kind, whose `ExactValueTable` follows what becomes of attributes.
  package var followsExactValues = false

  /// Makes options; without arguments nothing is allowed and the cost decides.
  public init(
    strategy: MigrationStrategy? = nil,
    duplicatePolicies: [String: DuplicatePolicy] = [:],
    keepsFirst: Set<String> = [],
    allowedLosses: Set<String> = [],
    allowsCloudKit: Bool = false,
    allowsForeignReferences: Bool = false,
    policyStandIns: [String: PolicyStandIn] = [:]
  ) {
    (self.strategy, self.duplicatePolicies, self.keepsFirst) = (strategy, duplicatePolicies, keepsFirst)
    (self.allowedLosses, self.policyStandIns) = (allowedLosses, policyStandIns)
    (self.allowsCloudKit, self.allowsForeignReferences) = (allowsCloudKit, allowsForeignReferences)
  }

  /// True where a loss is allowed by its name, or by that of the composite attribute that it is an element of.
  package func allowsLoss(of element: String) -> Bool {
    if allowedLosses.contains(element) { return true }
    let path = element.split(separator: ".")
    return path.count > 2 && allowsLoss(of: path.dropLast().joined(separator: "."))
  }
}

/// How a plan is run so that a crash leaves the old store or the new one, whole.
public enum MigrationStrategy: String, Hashable, Sendable, CaseIterable, Encodable {
  /// In the store itself, in one transaction.
  case inPlace = "in place"
  /// In a copy that then takes the store's place; the original is the backup.
  case clone = "clone and swap"
}

/// Why a plan is run in place or in a copy.
public enum StrategyReason: Hashable, Sendable {
  case asked
  /// No step depends on the number of rows.
  case noRowsTouched
  case fewRowsTouched(Int)
  case manyRowsTouched(Int)
  /// A mapping model makes every row anew.
  case rowsMadeAnew
  /// Each of several stages is checked before the next.
  case severalStages(Int)
}

extension StrategyReason: CustomStringConvertible {
  /// The reason as a clause.
  public var description: String {
    switch self {
    case .asked: "as asked"
    case .noRowsTouched: "no step depends on the number of rows"
    case .fewRowsTouched(let count): "few rows are touched (\(count))"
    case .manyRowsTouched(let count): "many rows are rewritten (\(count)), which is faster in a copy without a journal"
    case .rowsMadeAnew: "a mapping model makes every row anew"
    case .severalStages(let count): "there are \(count) stages, and each is checked before the next"
    }
  }
}
