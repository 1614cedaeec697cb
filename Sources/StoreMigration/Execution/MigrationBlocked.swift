public import MappingModels
public import ModelDescription

/// The blockers of a migration: rows of the store, losses that are not allowed, and changes that cannot be inferred.
public struct MigrationBlocked: Hashable, Sendable {
  /// Rows that block the migration.
  public struct BlockingRows: Hashable, Sendable {
    /// The reason why they block it.
    public var blocker: PlanCheck.Blocker
    /// The number of rows.
    public var count: Int
    /// The `Z_PK` of the first rows, at most five.
    public var firstKeys: [Int64]
  }

  /// Existing data that would be lost.
  public struct UnconsentedLoss: Hashable, Sendable {
    /// The loss.
    public var loss: PlannedLoss
    /// The number of rows, values or links.
    public var count: Int
    /// The bundles to migrate with together if a different bundle also has the deleted entity, and both can be merged.
    ///
    /// Empty unless the caller that reads bundles sets it.
    public var mergedBundles: [String] = []
    /// True if a direct migration keeps the data, because only a version in between lacks its place.
    ///
    /// False unless the caller that plans again sets it.
    public var isKeptDirectly = false
  }

  /// The changes that cannot be inferred; `InferenceRefusal` itself is thrown if there is no other blocker.
  public internal(set) var failures: [InferenceRefusal] = []
  /// The rows that block the migration.
  public var blockers: [BlockingRows]
  /// The losses that are not allowed.
  public var losses: [UnconsentedLoss]
  /// The names of losses that the project's lock file does not allow.
  ///
  /// Nil if the lock file allows none of the losses, and unless the caller that reads lock files sets it.
  public var unrecordedNames: [String]?

  /// True if nothing blocks the migration.
  public var isEmpty: Bool { failures.isEmpty && blockers.isEmpty && losses.isEmpty }
}

extension MigrationBlocked.BlockingRows {
  /// True if allowing the loss removes the blocker, because existing values would change.
  package var isLossOfValues: Bool { if case .requirement(.fits) = blocker { true } else { false } }
}

extension MigrationBlocked: AdvisedError {
  /// Nil: the caller knows the store.
  public var place: String? { nil }
  /// The causes of all blockers, one per line.
  public var cause: String {
    (failures.map(\.words.cause) + blockers.map(\.cause) + losses.map(\.cause)).joined(separator: "\n")
  }
  /// Nil: each blocker has its own remedy.
  public var advice: Advice? { nil }

  /// Every blocker with its remedy in words, one per line.
  public var description: String {
    (failures.map(\.description) + blockers.map(\.description) + losses.map(\.description)).joined(separator: "\n")
  }

  /// Every blocker with its remedy and the options for it, one per line.
  public var text: String {
    (failures.map(\.words.sentence) + blockers.map(\.text) + losses.map(\.text)).joined(separator: "\n")
  }
}

extension MigrationBlocked.BlockingRows: CustomStringConvertible {
  /// The element, Core Data's words, the rows and the meaning.
  public var cause: String {
    let code = blocker.code.map { " (\($0))" } ?? ""
    let keys = firstKeys.map(String.init).joined(separator: ", ")
    let more = count > firstKeys.count ? ", …" : ""
    return """
      \(blocker.element): \(blocker.reason)\(code). \(count) \(count == 1 ? "row" : "rows"), Z_PK \(keys)\(more): \
      \(blocker.explanation)
      """
  }

  /// The cause, and the remedy in words.
  public var description: String { MigrationBlocked.sentence(cause, blocker.remedy?.words) }

  /// The cause, and the remedy with its option.
  package var text: String { MigrationBlocked.sentence(cause, blocker.remedy?.text) }

  /// The cause, and the remedy for a later migration with its option.
  package var textForMigration: String {
    guard let remedy = blocker.remedy else { return cause }
    return remedy.hasOption ? "\(cause). When you migrate, \(remedy.text)" : text
  }
}

extension MigrationBlocked.UnconsentedLoss: CustomStringConvertible {
  /// The loss and its amount.
  public var cause: String { "\(loss.loss.element): data would be lost (\(amount)): \(loss.loss.sentence)" }

  /// The option that allows the loss, after those for the bundles to migrate with together.
  public var remedy: Advice {
    var allowing: Advice = "allow the loss: \(option: LossConsent.optionName, loss.loss.element)"
    if isKeptDirectly {
      allowing = """
        keep it by a migration that skips the versions in between, one of which lacks it: \(option: "--direct"); or \
        \(allowing)
        """
    }
    guard let other = mergedBundles.last else { return allowing }
    let options = mergedBundles.map { path -> Advice in
      "\(option: "--model", path.hasPrefix("-") ? "./\(path)" : path)"
    }
    return """
      migrate with both bundles if \(loss.loss.element) moved to \(other), which has it too: \
      \(options.dropFirst().reduce(options[0]) { "\($0) \($1)" }); or \(allowing)
      """
  }

  /// The loss, and the remedy in words.
  public var description: String { MigrationBlocked.sentence(cause, remedy.words) }

  /// The loss, and the remedy with its options.
  package var text: String { MigrationBlocked.sentence(cause, remedy.text) }

  /// The name and the amount, such as `Continent, 2 rows`.
  package var words: String { "\(loss.loss.element), \(amount)" }

  /// The amount that would be lost, such as `3 rows`.
  package var amount: String { loss.loss.kind.amount(count) }
}

extension MigrationBlocked {
  fileprivate static func sentence(_ cause: String, _ remedy: String?) -> String {
    remedy.map { "\(cause). \($0.prefix(1).uppercased())\($0.dropFirst())" } ?? cause
  }
}

extension Advice {
  fileprivate var hasOption: Bool { parts.contains { if case .option = $0 { true } else { false } } }
}
