import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

extension BundleHistory {
  /// What goes on a step and is not recorded as meant.
  func unrecordedLosses(of step: VersionStep) -> [VersionStep.Loss] {
    losses(of: step, without: lock?.entries[step.destination.name]?.allowedLosses ?? [])
  }

  /// How everything that goes on a step is recorded as meant.
  ///
  /// Consent is never advised where an entity that goes may have moved to another bundle: its rows would be given up.
  ///
  /// - Parameter losses: all that goes and is not recorded as meant.
  func consent(to losses: [VersionStep.Loss], of step: VersionStep) -> Advice {
    let isReleased = lock?.entries[step.destination.name]?.state == .released
    let command = isReleased ? "modelctl lock" : "modelctl lock --draft"
    if let moved = losses.lazy.compactMap(moved).first { return moved.advice }
    return LossConsent(losses.map { $0.names[0] }).advice(for: "\(command) \(lockArgument(step.destination.name))")
  }

  /// What to do about each thing that goes on a step.
  ///
  /// - Parameter losses: all that goes and is not recorded as meant.
  /// - Returns: the advice about each, in their order.
  func fixes(for losses: [VersionStep.Loss], of step: VersionStep) -> [Advice] {
    let firstMoved = losses.lazy.compactMap(moved).first
    let consent = consent(to: losses, of: step)
    let lost = Set(losses.map(\.element))
    let mayBeRenamed = step.likelyRenames.contains { lost.contains($0.old) }
    let meant = "if \(Set(losses.map { $0.names[0] }).count == 1 ? "that is" : "all that goes is") meant, "
    return losses.map { loss -> Advice in
      if let moved = moved(loss) { return moved.advice }
      if let firstMoved {
        return """
          first decide what becomes of \(firstMoved.name), which \(firstMoved.bundle) has too; then record all that goes
          """
      }
      if let mapping = loss.mapping {
        return "carry it over in \(ShellWord(path: mapping.path).text); or, \(meant)\(consent)"
      }
      return mayBeRenamed
        ? "first decide the likely renames; then, if all that goes is meant, \(consent)"
        : "\(meant)\(consent)"
    }
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
