import MappingModels
import ModelDescription
import StoreMigration

extension VersionStep {
  /// Something that rows may stand in the way of, with the name under which the lock file records it.
  struct Blocker {
    /// Such as `Order.total`, or `Order(number, date)` for a uniqueness constraint.
    let name: String
    let condition: HopForecast.Condition
    let element: ModelElement
  }

  /// What rows may stand in the way on the step, each element once.
  var blockers: [Blocker] {
    var seen: Set<String> = []
    return conditions.compactMap { condition in
      guard let blocker = Blocker(condition, in: destination), seen.insert(blocker.name).inserted else { return nil }
      return blocker
    }
  }
}

extension VersionStep.Blocker {
  /// Takes a condition; nil for a narrowing, which is a loss.
  fileprivate init?(_ condition: HopForecast.Condition, in destination: CheckedVersion) {
    self.condition = condition
    switch condition.requirement {
    case .fits: return nil
    case .unique(let entity, let properties):
      element = .entity(entity)
      name = "\(entity)(\(properties.joined(separator: ", ")))"
    default:
      element = destination.declaration(of: condition.requirement.element)
      name = "\(element)"
    }
  }
}
