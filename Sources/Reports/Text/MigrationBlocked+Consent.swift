import MappingModels
import PersistentStores
package import StoreMigration

extension MigrationBlocked {
  /// The names that consent to every loss, those of values that would be changed among them, without entities that may only
  /// have moved to another bundle.
  package var consentNames: [String] {
    LossConsent(
      losses.filter(\.mergedBundles.isEmpty).map(\.loss.loss.element)
        + blockers.filter(\.isLossOfValues).map { "\($0.blocker.element)" }
    ).names
  }

  /// What somebody has to name: the losses that the lock file has not accepted, all where it has accepted none.
  private var consent: LossConsent { LossConsent(unrecordedNames ?? consentNames) }

  /// True when the names are so many that they belong in a file.
  package var needsConsentFile: Bool { consent.needsFile }

  /// How to consent to every loss together, so that nobody collects the names by hand; nil where one option says it
  /// already, and for so many names that a file is better.
  package var jointConsent: String? {
    guard !needsConsentFile else { return nil }
    guard unrecordedNames != nil else {
      return consent.names.count > 1 ? "To allow all of these losses: \(consent.options)" : nil
    }
    guard !consent.names.isEmpty else { return "\(acceptance). To allow all of these losses: \(LossConsent.lockOption)" }
    return "\(acceptance). To allow all of these losses: \(LossConsent.lockOption) \(consent.options)"
  }

  /// How much of what would be lost the lock file has accepted, in a sentence without its full stop.
  package var acceptance: String {
    let count = consentNames.count
    guard !consent.names.isEmpty else {
      return "The lock file allows \(count == 1 ? "this loss" : "these \(count) losses")"
    }
    return "The lock file allows \(count - consent.names.count) of these \(count) losses"
  }
}
