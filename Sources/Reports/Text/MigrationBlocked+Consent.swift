import MappingModels
package import StoreMigration

extension MigrationBlocked {
  /// The options that consent to every loss together, so that nobody collects them by hand; nil for fewer than two.
  package var jointConsent: String? {
    guard losses.count > 1 else { return nil }
    let options = losses.map { "--allow-data-loss \($0.loss.loss.element)" }
    return "To consent to all of it: \(options.joined(separator: " "))"
  }
}
