import MappingModels
import ModelComparison
import ModelDescription
import StoreMigration

extension BundleHistory {
  /// How everything that goes on a step is recorded as meant.
  func consent(toLossesOf step: VersionStep) -> String {
    let entry = lock?.entries[step.destination.name]
    let command = entry?.state == .released ? "modelctl lock" : "modelctl lock --draft"
    let names = losses(of: step, without: entry?.allowedLosses ?? []).map { $0.names[0] }
    return LossConsent(names).advice(for: "\(command) \(lockArgument(step.destination.name))")
  }

  /// What to do about something that goes.
  ///
  /// Consent is never advised where an entity that goes may have moved to another bundle: its rows would be given up.
  func fix(for loss: VersionStep.Loss, in step: VersionStep, among losses: [VersionStep.Loss]) -> String {
    let moved = losses.compactMap { loss in
      loss.element.isEntity ? declaredElsewhere[loss.element.entityName ?? ""].map { (loss.names[0], $0) } : nil
    }
    if let bundle = loss.element.isEntity ? declaredElsewhere[loss.element.entityName ?? ""] : nil {
      return "\(bundle) has \(loss.names[0]) too: where it moved there, name both bundles in “unions” of "
        + ".modelctl.json, so that its rows are followed; where it is another, say so at it there: a userInfo entry "
        + "modelctl.ignore with the value data-loss"
    }
    if let (name, bundle) = moved.first {
      return "first decide what becomes of \(name), which \(bundle) has too; then what goes is recorded together"
    }
    let count = Set(losses.map { $0.names[0] }).count
    let lead =
      step.likelyRenames.contains { rename in losses.contains { $0.element == rename.old } }
      ? "first decide the likely renames; then, if all that goes is meant, "
      : "if \(count == 1 ? "that is" : "all that goes is") meant, "
    return lead + consent(toLossesOf: step)
  }
}

extension ModelElement {
  fileprivate var isEntity: Bool { if case .entity = self { true } else { false } }
}
