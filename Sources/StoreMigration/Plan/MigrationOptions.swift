public import MappingModels

/// The decisions of the user that a migration needs in addition to the two models.
public struct MigrationOptions: Hashable, Sendable {
  /// The row that is kept of several rows with equal values when a uniqueness constraint is added.
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
  /// The names of the allowed losses, as in `DataLoss`.
  public var allowedLosses: Set<String>
  /// True to migrate a store that CloudKit mirrors, even if its tables refer to entity numbers that change.
  public var allowsCloudKit: Bool
  /// True to migrate even if unknown tables may refer to entity numbers that change.
  public var allowsForeignReferences: Bool
  /// Replacements for policy classes of a mapping model, by class name; they take precedence over policies in code.
  public var policyReplacements: [String: PolicyReplacement]
  /// True for a copy of a store of a different type, whose `ExactValueTable` follows the attributes.
  package var followsExactValues = false

  /// Creates options; the defaults allow no loss and choose the strategy by cost.
  public init(
    strategy: MigrationStrategy? = nil,
    duplicatePolicies: [String: DuplicatePolicy] = [:],
    keepsFirst: Set<String> = [],
    allowedLosses: Set<String> = [],
    allowsCloudKit: Bool = false,
    allowsForeignReferences: Bool = false,
    policyReplacements: [String: PolicyReplacement] = [:]
  ) {
    (self.strategy, self.duplicatePolicies, self.keepsFirst) = (strategy, duplicatePolicies, keepsFirst)
    (self.allowedLosses, self.policyReplacements) = (allowedLosses, policyReplacements)
    (self.allowsCloudKit, self.allowsForeignReferences) = (allowsCloudKit, allowsForeignReferences)
  }

  /// True if a loss is allowed by its name or by the name of its composite attribute.
  package func allowsLoss(of element: String) -> Bool {
    if allowedLosses.contains(element) { return true }
    let path = element.split(separator: ".")
    return path.count > 2 && allowsLoss(of: path.dropLast().joined(separator: "."))
  }
}

/// The way in which a plan runs; with each, a crash leaves the complete old store or the complete new store.
public enum MigrationStrategy: String, Hashable, Sendable, CaseIterable, Encodable {
  /// In the store itself, in a single transaction.
  case inPlace = "in place"
  /// In a copy that then replaces the store; the original becomes the backup.
  case clone = "clone and swap"
}

/// The reason for a strategy.
public enum StrategyReason: Hashable, Sendable {
  case asked
  /// No step depends on the number of rows.
  case noRowsTouched
  case fewRowsTouched(Int)
  case manyRowsTouched(Int)
  /// A mapping model creates every row again.
  case rowsMadeAnew
  /// Each of several stages is checked before the next.
  case severalStages(Int)
}

extension StrategyReason: CustomStringConvertible {
  /// The reason as a clause.
  public var description: String {
    switch self {
    case .asked: "as requested"
    case .noRowsTouched: "no step depends on the number of rows"
    case .fewRowsTouched(let count): "few rows are touched (\(count))"
    case .manyRowsTouched(let count): "many rows are rewritten (\(count)), which is faster in a copy without a journal"
    case .rowsMadeAnew: "a mapping model creates every row again"
    case .severalStages(let count): "there are \(count) stages, and each is checked before the next"
    }
  }
}
