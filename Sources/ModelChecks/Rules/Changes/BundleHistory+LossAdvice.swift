import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

extension BundleHistory {
  /// The losses of a step that the lock file does not allow.
  func unrecordedLosses(of step: VersionStep) -> [VersionStep.Loss] {
    losses(of: step, without: lock?.entries[step.destination.name]?.allowedLosses ?? [])
  }

  /// The advice to record all losses of a step as allowed.
  ///
  /// If a removed entity may have moved to another bundle, the advice never allows the loss: the rows would be lost.
  ///
  /// - Parameter losses: all losses that the lock file does not allow.
  func consent(to losses: [VersionStep.Loss], of step: VersionStep) -> Advice {
    let isReleased = lock?.entries[step.destination.name]?.state == .released
    let command = ["modelctl", "lock"] + (isReleased ? [] : ["--draft"]) + [lockArgument(step.destination.name)]
    if let moved = losses.lazy.compactMap(moved).first { return moved.advice }
    return LossConsent(losses.map { $0.names[0] }).advice(for: command)
  }

  /// The advice about each loss of a step.
  ///
  /// - Parameter losses: all losses that the lock file does not allow.
  /// - Returns: the advice about each, in their order.
  func fixes(for losses: [VersionStep.Loss], of step: VersionStep) -> [Advice] {
    let firstMoved = losses.lazy.compactMap(moved).first
    let consent = consent(to: losses, of: step)
    let lost = Set(losses.map(\.element))
    let mayBeRenamed = step.likelyRenames.contains { lost.contains($0.old) }
    let meant = "if you intend \(Set(losses.map { $0.names[0] }).count == 1 ? "this" : "all losses of this step"), "
    return losses.map { loss -> Advice in
      if let moved = moved(loss) { return moved.advice }
      if let firstMoved {
        return """
          first decide about \(firstMoved.name), because \(firstMoved.bundle) has it too; then record all losses
          """
      }
      if let mapping = loss.mapping {
        return "keep the data in \(mapping.path); or, \(meant)\(consent)"
      }
      return mayBeRenamed
        ? "first decide the likely renames; then, if you intend all losses of this step, \(consent)"
        : "\(meant)\(consent)"
    }
  }

  /// The lost entity, if a different bundle of the project has an entity of its name; nil for any other loss.
  func moved(_ loss: VersionStep.Loss) -> MovedEntity? {
    // If the project names the bundles as merged, modelctl follows the rows as far as a path leads.
    guard case .entity(let name) = loss.element, unions.isEmpty else { return nil }
    return declaredElsewhere[name].map { MovedEntity(name: name, bundle: $0) }
  }
}

extension ModelElement {
  var isEntity: Bool { if case .entity = self { true } else { false } }
}
