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
  /// True to go on although tables of CloudKit mirroring or unknown ones refer to entity numbers.
  public var isForced: Bool
  /// What is done in place of policy classes of a mapping model, by class name; it goes before policies in code.
  public var policyStandIns: [String: PolicyStandIn]

  /// Makes options; without arguments nothing is allowed and the cost decides.
  public init(
    strategy: MigrationStrategy? = nil,
    duplicatePolicies: [String: DuplicatePolicy] = [:],
    keepsFirst: Set<String> = [],
    allowedLosses: Set<String> = [],
    isForced: Bool = false,
    policyStandIns: [String: PolicyStandIn] = [:]
  ) {
    self.strategy = strategy
    self.duplicatePolicies = duplicatePolicies
    self.keepsFirst = keepsFirst
    self.allowedLosses = allowedLosses
    self.isForced = isForced
    self.policyStandIns = policyStandIns
  }

  /// True where a loss is allowed by its name, or by that of the composite attribute that it is an element of.
  package func allowsLoss(of element: String) -> Bool {
    if allowedLosses.contains(element) { return true }
    let path = element.split(separator: ".")
    return path.count > 2 && allowsLoss(of: path.dropLast().joined(separator: "."))
  }
}
