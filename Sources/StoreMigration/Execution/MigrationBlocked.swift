public import MappingModels
import ModelDescription

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
  package var isLossOfValues: Bool { if case .requirement(.fits) = blocker { true } else { false } }
}

extension MigrationBlocked: CustomStringConvertible {
  /// Every blocker with its rows and the option that helps.
  public var description: String { sentences.joined(separator: "\n") }

  /// The same, a sentence each without its full stop.
  package var sentences: [String] {
    failures.map(\.words.sentence) + blockers.map(\.description) + losses.map(\.description)
  }
}

extension MigrationBlocked.BlockingRows: CustomStringConvertible {
  /// The place, Core Data's words, ours, the rows and the option that helps.
  public var description: String { sentence(leadingToOption: "To go on") }

  /// The same with other words before the option.
  ///
  /// - Parameter lead: what the option does, or which command takes it.
  /// - Returns: the sentence, without its full stop.
  package func sentence(leadingToOption lead: String) -> String {
    let code = blocker.code.map { " (\($0))" } ?? ""
    let keys = firstKeys.map(String.init).joined(separator: ", ")
    let more = count > firstKeys.count ? ", …" : ""
    let remedy = blocker.remedy.map { ". \(lead): \($0)" } ?? ""
    return """
      \(blocker.element): \(blocker.reason)\(code). \(count) \(count == 1 ? "row" : "rows"), Z_PK \(keys)\(more): \
      \(blocker.explanation)\(remedy)
      """
  }
}

extension MigrationBlocked.UnconsentedLoss: CustomStringConvertible {
  /// What would be lost, how much, and the option that consents.
  public var description: String {
    "\(loss.loss.element): data would be lost (\(amount)): \(loss.loss.sentence). \(advice)"
  }

  /// Consent is never advised where another bundle has the entity: its rows may only have moved.
  private var advice: String {
    guard let other = mergedBundles.last else { return "To consent: \(remedy)" }
    return """
      \(other) has \(loss.loss.element) too: where it moved there, its rows are followed with: \(remedy); where it is \
      another, see: modelctl check --explain data-loss
      """
  }

  /// The options that consent, or that name the bundles to migrate with together.
  package var remedy: String {
    mergedBundles.isEmpty
      ? LossConsent.option(loss.loss.element)
      : mergedBundles.map { "--model \(ShellWord(path: $0).text)" }.joined(separator: " ")
  }

  /// How much would be lost, such as `3 rows`.
  package var amount: String { loss.loss.kind.amount(count) }
}
