import MappingModels
import ModelComparison
import ModelDescription
import PersistentStores
import StoreMigration

extension BundleHistory {
  /// How everything that goes on a step is recorded as meant.
  ///
  /// Consent is never advised where an entity that goes may have moved to another bundle: its rows would be given up.
  func consent(toLossesOf step: VersionStep) -> String {
    let entry = lock?.entries[step.destination.name]
    let command = entry?.state == .released ? "modelctl lock" : "modelctl lock --draft"
    let losses = losses(of: step, without: entry?.allowedLosses ?? [])
    if let moved = losses.lazy.compactMap(moved).first { return moved.advice }
    return LossConsent(losses.map { $0.names[0] }).advice(
      for: "\(command) \(lockArgument(step.destination.name))")
  }

  /// What to do about something that goes.
  func fix(for loss: VersionStep.Loss, in step: VersionStep, among losses: [VersionStep.Loss]) -> String {
    if let moved = moved(loss) { return moved.advice }
    if let moved = losses.lazy.compactMap(moved).first {
      return "first decide what becomes of \(moved.name), which \(moved.bundle) has too; then record all that goes"
    }
    let count = Set(losses.map { $0.names[0] }).count
    let carrying = loss.mapping.map { "carry it over in \(ShellWord(path: $0.path).text); or, " } ?? ""
    let lead =
      carrying.isEmpty && step.likelyRenames.contains { rename in losses.contains { $0.element == rename.old } }
      ? "first decide the likely renames; then, if all that goes is meant, "
      : "\(carrying)if \(count == 1 ? "that is" : "all that goes is") meant, "
    return lead + consent(toLossesOf: step)
  }

  /// The entity that a loss is, where another bundle of the project has one of its name.
  func moved(_ loss: VersionStep.Loss) -> MovedEntity? {
    // Where the bundles are named as merged, its rows are followed as far as a path leads.
    guard case .entity(let name) = loss.element, unions.isEmpty else { return nil }
    return declaredElsewhere[name].map { MovedEntity(name: name, bundle: $0) }
  }
}

extension ModelElement {
  var isEntity: Bool { if case .entity = self { true } else { false } }
}
