import MappingModels
import PersistentStores
package import StoreMigration

extension MigrationBlocked {
  /// The names that allow every loss, including changes of values, without entities that may only have moved to another
  /// bundle.
  package var consentNames: [String] {
    LossConsent(
      losses.filter(\.mergedBundles.isEmpty).map(\.loss.loss.element)
        + blockers.filter(\.isLossOfValues).map { "\($0.blocker.element)" }
    ).names
  }

  /// The names to give: the losses that the lock file does not allow, or all losses if it allows none of them.
  private var consent: LossConsent { LossConsent(unrecordedNames ?? consentNames) }

  /// True if there are too many names for a command line.
  package var needsConsentFile: Bool { consent.needsFile }

  /// The options that allow every loss; nil for a single loss, and if there are too many names for a command line.
  package var jointConsent: String? {
    guard !needsConsentFile else { return nil }
    guard unrecordedNames != nil else {
      return consent.names.count > 1 ? "To allow all losses: \(consent.options)" : nil
    }
    guard !consent.names.isEmpty else { return "\(acceptance). To allow all losses: \(LossConsent.lockOption)" }
    return "\(acceptance). To allow all losses: \(LossConsent.lockOption) \(consent.options)"
  }

  /// The number of losses that the lock file allows, in a sentence without its full stop.
  package var acceptance: String {
    let count = consentNames.count
    guard !consent.names.isEmpty else {
      return "The lock file allows \(count == 1 ? "this loss" : "these \(count) losses")"
    }
    return "The lock file allows \(count - consent.names.count) of these \(count) losses"
  }
}
