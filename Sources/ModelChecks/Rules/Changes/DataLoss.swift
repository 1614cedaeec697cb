import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

extension Rule {
  static let dataLoss = Rule(
    id: "data-loss",
    severity: .error,
    purpose: "A change that loses data is recorded in the lock file as meant.",
    explanation: """
      An entity or attribute that goes takes its rows or values with it when a user's store is migrated, and no backup \
      is kept. If that is meant, record it: the name goes into the lock file, where a reviewer sees it, and it is the \
      name that migrate --allow-data-loss asks for. If it is not, give what is renamed a renaming identifier, or carry \
      the data over in a mapping model.
      """
  ) { history in
    (history.steps + history.mappedLeaps).flatMap { step in
      let allowed = history.lock?.entries[step.latter.name]?.allowedLosses ?? []
      let losses = losses(of: step).filter { !$0.names.contains(where: allowed.contains) }
      var seen: Set<String> = []
      let consent = losses.map { $0.names[0] }.filter { seen.insert($0).inserted }
        .map { "--allow-data-loss \(ShellWord($0).text)" }.joined(separator: " ")
      return losses.map { loss in
        var issue = RuleIssue(
          loss.element, "\(step.name): \(loss.sentence)",
          fix: "if \(seen.count == 1 ? "that is" : "all that goes is") meant, record it: "
            + "modelctl lock --draft \(history.lockArgument(step.latter.name)) \(consent)", at: loss.location)
        issue.silencers = step.heirs(ofFormer: loss.element, at: loss.location)
        return issue
      }
    }
  }

  /// Something that goes, with the names under which one can consent, the one to give first.
  private struct Loss {
    let names: [String]
    let sentence: String
    let element: ModelElement
    let location: SourceLocation
  }

  private static func losses(of step: VersionStep) -> [Loss] {
    let losses = step.forecasts.flatMap(\.losses).map { loss in
      let place = step.place(ofFormer: ModelElement(consent: loss.element))
      return Loss(
        names: [loss.element] + (loss.otherElement.map { [$0] } ?? []), sentence: loss.sentence, element: place.element,
        location: place.location)
    }
    var seen: Set<ModelElement> = []
    let narrowings = step.conditions.compactMap { condition -> Loss? in
      guard case .fits(let entity, let attribute, _) = condition.requirement else { return nil }
      let element = step.latter.declaration(of: condition.requirement.element)
      guard seen.insert(element).inserted else { return nil }
      let lineage = step.latter.known.hierarchy.lineage(of: entity).map { "\($0.name).\(attribute)" }
      let declared = lineage.first { $0.hasPrefix("\(element.entityName ?? "").") } ?? "\(entity).\(attribute)"
      return Loss(
        names: [declared] + lineage.filter { $0 != declared }, sentence: condition.requirement.explanation,
        element: element, location: step.location(of: element))
    }
    return losses + narrowings
  }
}

extension ModelElement {
  /// The entity or property that a name such as `Order` or `Order.note` says.
  fileprivate init(consent name: String) {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    self = parts.count == 2 ? .property(entity: parts[0], name: parts[1]) : .entity(name)
  }
}
