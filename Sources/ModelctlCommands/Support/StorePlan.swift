import ArgumentParser
import ModelKit

/// The plan of one store, with what stands in its way in the words of this command.
struct StorePlan {
  let prepared: PreparedMigration
  private let blocked: MigrationBlocked
  private let request: MigrationRequest
  private let target: MigrationTarget
  private let consent: Consent
  /// The store that was named.
  private let store: String

  /// Plans a migration; one that cannot be planned is reported.
  ///
  /// - Throws: an exit code.
  static func make(
    _ request: MigrationRequest, of store: String, mirror: StoreMirror?, for target: MigrationTarget, _ consent: Consent
  ) throws -> StorePlan {
    do {
      let (prepared, found) = try mirror?.plan(request) ?? StoreMigrator(request).plan()
      return StorePlan(
        prepared: prepared, blocked: found.namingOtherBundles(for: target), request: request, target: target,
        consent: consent, store: store)
    } catch {
      Console.standardError(ErrorMessage.text(error, about: store))
      throw CommandExit.code(for: error)
    }
  }

  /// Writes the plan, and ends the command with an error where something stands in the way.
  ///
  /// - Parameters:
  ///   - output: in which forms, and where.
  ///   - isFull: true to print long binary values whole.
  /// - Throws: ``CommandError/unwritable(path:reason:)``, and an exit code when something stands in the way.
  func write(to output: OutputOptions, isFull: Bool) throws {
    var blocked = blocked
    blocked.unrecordedNames = consent.unrecordedNames(of: blocked, request, for: target)
    let report = PlanReport(path: store, prepared, blocked, .measured(prepared, for: request))
    // The text is SQL that runs as it stands, so nothing in it is written otherwise.
    try output.write(.plan) { form in
      switch form {
      case .text: isFull ? report.text : report.shortText
      case .json: try JSONText.encode(report)
      }
    }
    guard !blocked.isEmpty else { return }
    let count = Quantity.text(report.blockers.count, "obstacle")
    let advice = ErrorMessage.consentFile(blocked, store).map { "  \($0)\n" } ?? ""
    Console.standardError("error: \(store): refused as it stands: \(count), listed at the end of the plan\n\(advice)")
    throw CommandExit.failure
  }

  /// Writes the names of what would be lost, those consented to already among them, and reports everything else that
  /// stands in the way.
  ///
  /// - Throws: ``CommandError``, and an exit code when something else stands in the way.
  func writeLosses(to path: String) throws {
    try LossFile(path: path).write(blocked, consent, of: store)
    var rest = blocked
    rest.losses.removeAll(where: \.mergedBundles.isEmpty)
    rest.blockers.removeAll(where: \.isLossOfValues)
    guard rest.isEmpty else {
      Console.standardError(ErrorMessage.text(rest, about: store))
      throw CommandExit.failure
    }
  }
}
