import MappingModels
import PersistentStores
package import StoreMigration

extension MigrationBlocked {
  /// The names that consent to every loss, those of values that would be changed among them.
  package var consentNames: [String] {
    var seen: Set<String> = []
    let names = losses.map(\.loss.loss.element) + blockers.filter(\.isLossOfValues).map { "\($0.obstacle.element)" }
    return names.filter { seen.insert($0).inserted }
  }

  /// True when the losses are so many that their names belong in a file.
  package var needsConsentFile: Bool { consentNames.count >= 5 }

  /// The options that consent to every loss together, so that nobody collects them by hand; nil for fewer than two, and
  /// for so many that a file is better.
  package var jointConsent: String? {
    guard consentNames.count > 1, !needsConsentFile else { return nil }
    let options = consentNames.map { "--allow-data-loss \(ShellWord($0).text)" }
    return "To consent to all of it: \(options.joined(separator: " "))"
  }
}
