import MappingModels
import PersistentStores
package import StoreMigration

extension MigrationBlocked {
  /// The names that allow every loss, including losses of changed values.
  package var consentNames: [String] {
    LossConsent(
      losses.map(\.loss.loss.element)
        + blockers.filter(\.isLossOfValues).map { "\($0.blocker.element)" }
    ).names
  }

  /// The losses that the user must name: losses that the lock file does not allow, or all losses.
  private var consent: LossConsent { LossConsent(unrecordedNames ?? consentNames) }

  /// Whether there are so many names that a file is better.
  package var needsConsentFile: Bool { consent.needsFile }

  /// The options that allow every loss together; nil if one option already does, or if there are so many names that a
  /// file is better.
  package var jointConsent: String? {
    guard !needsConsentFile else { return nil }
    guard unrecordedNames != nil else {
      return consent.names.count > 1 ? "To allow all of these losses: \(consent.options)" : nil
    }
    let options = LossConsent.lockOption + (consent.names.isEmpty ? "" : " \(consent.options)")
    return "\(acceptance). To allow all of these losses: \(options)"
  }

  /// The number of losses that the lock file allows, in a sentence without a full stop.
  package var acceptance: String {
    let count = consentNames.count
    guard !consent.names.isEmpty else {
      return "The lock file allows \(count == 1 ? "this loss" : "these \(count) losses")"
    }
    return "The lock file allows \(count - consent.names.count) of these \(count) losses"
  }
}
