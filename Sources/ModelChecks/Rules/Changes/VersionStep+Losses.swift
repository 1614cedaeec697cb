import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import StoreMigration

extension VersionStep {
  /// A loss of data, with the names that allow it; messages show the first name.
  struct Loss {
    let names: [String]
    let sentence: String
    let element: ModelElement
    var location: SourceLocation
    /// The custom mapping model that loses the data; nil if the loss follows from the models.
    var mapping: KnownMapping?
  }

  /// The losses of the step, computed when a rule first reads them.
  var losses: [Loss] { lossCache.value { findLosses() } }

  private func findLosses() -> [Loss] {
    let ambiguous = ambiguousNames
    let losses = foreseen.flatMap { mapping, forecast in
      forecast.losses.filter { !ambiguous.contains($0.element) }.map { loss in
        let place = place(ofSource: ModelElement(consent: loss.element))
        return Loss(
          names: [loss.element] + (loss.otherElement.map { [$0] } ?? []), sentence: loss.sentence,
          element: place.element, location: place.location, mapping: mapping)
      }
    }
    var seen: Set<ModelElement> = []
    let narrowings = conditions.compactMap { condition -> Loss? in
      guard case .fits(let entity, let attribute, _) = condition.requirement else { return nil }
      let element = destination.hierarchy.declaration(of: condition.requirement.element)
      guard seen.insert(element).inserted else { return nil }
      let lineage = destination.hierarchy.lineage(of: entity).map { "\($0.name).\(attribute)" }
      let declared = lineage.first { $0.hasPrefix("\(element.entityName ?? "").") } ?? "\(entity).\(attribute)"
      return Loss(
        names: [declared] + lineage.filter { $0 != declared }, sentence: condition.requirement.explanation,
        element: element, location: location(of: element))
    }
    let named = Set(losses.flatMap(\.names))
    return losses + narrowings + configurationLosses.filter { !named.contains($0.names[0]) }
  }

  /// The losses of stores of a configuration because the configuration no longer has an entity.
  private var configurationLosses: [Loss] {
    let configurations = destination.hierarchy.model.configurations
    var seen: Set<String> = []
    return source.hierarchy.model.configurations.flatMap { configuration -> [Loss] in
      guard let now = configurations.first(where: { $0.name == configuration.name }) else { return [] }
      return configuration.entityNames.compactMap { name in
        let place = place(ofSource: .entity(name))
        guard case .entity(let successor) = place.element, destination.hierarchy.entity(named: successor) != nil,
          source.hierarchy.entity(named: name)?.isAbstract == false, !now.entityNames.contains(successor),
          seen.insert(name).inserted
        else { return nil }
        let holders = configurations.filter { $0.entityNames.contains(successor) }.map(\.name)
        let gain = holders.isEmpty ? "" : ", and those of \(NameList.text(holders)) get it"
        return Loss(
          names: [name], sentence: "stores of configuration \(configuration.name) lose \(name)\(gain)",
          element: place.element, location: place.location)
      }
    }
  }

  /// The data that custom mapping models of the step drop by name; the lock file need not allow these losses.
  var droppedNames: Set<String> { Set(foreseen.flatMap { $0.mapping?.model.droppedData ?? [] }) }

  /// The elements whose losses are unknown until it is clear which element continues which.
  private var ambiguousNames: Set<String> {
    guard !failures.isEmpty else { return [] }
    return difference.hints.reduce(into: []) { names, hint in
      guard case .ambiguousPairing(let ambiguity) = hint else { return }
      guard case .property(let entity, _) = ambiguity.element else { return names.formUnion(ambiguity.sources) }
      let source = sourceName(of: entity)
      names.formUnion(ambiguity.sources.map { "\(source).\($0)" })
    }
  }
}
