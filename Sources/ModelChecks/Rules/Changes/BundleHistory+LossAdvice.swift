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
    let (lost, renamed) = (Set(losses.map(\.element)), Set(step.likelyRenames.map(\.old)))
    let mayBeRenamed = !renamed.isDisjoint(with: lost)
    func recording(with element: ModelElement?) -> Advice {
      let meant = lossesToRecord(with: element, among: losses, of: step)
      let all = meant.count < losses.count ? "the other losses" : "all losses"
      let words = Set(meant.map { $0.names[0] }).count == 1 ? "this" : "\(all) of this step"
      return "if you intend \(words), \(consent(to: meant, of: step))"
    }
    let common = recording(with: nil)
    return losses.map { loss -> Advice in
      if let moved = moved(loss) { return moved.advice }
      if let firstMoved {
        return """
          first decide about \(firstMoved.name), because \(firstMoved.bundle) has it too; then record all losses
          """
      }
      let advice = renamed.contains(loss.element) ? recording(with: loss.element) : common
      if let mapping = loss.mapping { return "keep the data in \(mapping.path); or, \(advice)" }
      return mayBeRenamed ? "first decide the likely renames; then, \(advice)" : advice
    }
  }

  /// The losses that one command records with the loss of an element: without other elements that look renamed.
  ///
  /// The losses of a released version are recorded together, so none is left out there.
  func lossesToRecord(
    with element: ModelElement?, among losses: [VersionStep.Loss], of step: VersionStep
  ) -> [VersionStep.Loss] {
    guard !isMapped(step), lock?.entries[step.destination.name]?.state != .released else { return losses }
    let renamed = Set(step.likelyRenames.map(\.old))
    return losses.filter { $0.element == element || !renamed.contains($0.element) }
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
