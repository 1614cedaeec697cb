import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import StoreMigration

/// A step to a version that can still change, with everything that rules ask about it.
struct VersionStep: Sendable {
  let source: LoadedVersion
  let destination: LoadedVersion
  /// How a store gets from the one to the other, nil when it cannot.
  let route: MigrationRoute?
  /// What each hop of the route asks and gives up, and where nothing can be inferred, what is asked and given up besides.
  ///
  /// There is none where a written mapping model cannot be planned.
  var forecasts: [HopForecast] { foreseen.map(\.forecast) }
  /// The same, each with the written mapping model of its hop.
  let foreseen: [(mapping: KnownMapping?, forecast: HopForecast)]
  /// Why nothing can be inferred, each cause with its place; empty where a route leads from the one to the other.
  let failures: [InferenceRefusal]
  /// What happens between the two.
  let step: ModelStep
  var difference: ModelDifference { step.difference }
  private var pairing: EntityPairing { step.pairing }
  private let continuationMemory = OncePerKey<String, Continuations>()
  let lossMemory = Once<[Loss]>()

  /// Looks into a step.
  ///
  /// - Parameter findsAll: whether to go on where the step cannot be inferred, to what else stands in the way.
  init(from source: LoadedVersion, to destination: LoadedVersion, by routes: MigrationRoutes, findsAll: Bool = true) {
    (self.source, self.destination) = (source, destination)
    let straight = routes.step(from: source, to: destination)
    var (route, failures): (MigrationRoute?, [InferenceRefusal]) = (nil, [])
    var hops: [MigrationHop] = []
    if source.versionHashes != destination.versionHashes {
      do {
        route = try routes.route(from: source, to: destination, among: [source, destination])
        hops = route?.hops ?? []
      } catch is InferenceRefusal where findsAll {
        failures = straight.refusals
        hops = straight.mapping.map { [MigrationHop([], from: source, to: destination, by: $0)] } ?? []
      } catch {
        hops = []
      }
    }
    (self.route, self.failures, step) = (route, failures, straight)
    foreseen = hops.compactMap { hop in (try? HopForecast(of: hop)).map { (hop.writtenMapping, $0) } }
  }

  /// Such as `v2 → v3`.
  var name: String { "\(source.name) → \(destination.name)" }

  /// What the rows must meet on the way, without what cannot be inferred anyway.
  var conditions: [HopForecast.Condition] {
    let blocked = Set(failures.map { destination.hierarchy.declaration(of: $0.element) })
    return forecasts.flatMap(\.conditions).filter {
      blocked.isEmpty || !blocked.contains(destination.hierarchy.declaration(of: $0.requirement.element))
    }
  }

  /// The place of an element of the newer version, of the declaration where it is inherited.
  func location(of element: ModelElement) -> SourceLocation {
    destination.location(of: destination.hierarchy.declaration(of: element))
  }

  /// What an element of the older version has become, with its place in the newer one; the element itself when it is
  /// gone, at the entity that had it, or where the model begins.
  func place(ofSource element: ModelElement) -> (element: ModelElement, location: SourceLocation) {
    if let successor = successor(of: element) { return (successor, destination.location(of: successor)) }
    let declared = source.hierarchy.declaration(of: element)
    return (declared, destination.location(of: holder(ofGone: declared) ?? .model))
  }

  /// Where an entry of the newer version silences a finding about a property of the older one: at the entity.
  func destinationPlaces(ofSource element: ModelElement) -> [ModelPlace] {
    holder(ofGone: element).map { [ModelPlace(path: destination.file.path, element: $0)] } ?? []
  }

  /// The place in the newer version at which an entry silences what is found elsewhere.
  func modelPlace(of element: ModelElement) -> ModelPlace { ModelPlace(path: destination.file.path, element: element) }

  /// The entity of the newer version that had a property of the older one; nil for other elements.
  private func holder(ofGone element: ModelElement) -> ModelElement? {
    guard case .property(let entity, _) = element else { return nil }
    return pairing.destination(ofSource: entity).map { .entity($0) }
  }

  /// True for a property that continues none of the older version, of an entity that does.
  func isNew(_ element: ModelElement) -> Bool {
    guard case .property(let entity, let name) = element else { return false }
    return continuations(in: entity).sources[name] == nil
  }

  /// What a property of the newer version, or a path into it, was called before; nil for a new one.
  func sourcePath(of path: String, in entity: String) -> String? {
    let name = String(path.prefix { $0 != "." })
    return continuations(in: entity).sources[name].map { $0 + path.dropFirst(name.count) }
  }

  /// What an entity of the newer version was called before; its own name where it is new.
  func sourceName(of entity: String) -> String { pairing.source(ofDestination: entity) ?? entity }

  /// The element of the newer version that continues one of the older.
  private func successor(of element: ModelElement) -> ModelElement? {
    switch element {
    case .entity(let name): return pairing.destination(ofSource: name).map { .entity($0) }
    case .property(let entity, let path):
      guard let successor = pairing.destination(ofSource: entity) else { return nil }
      let name = String(path.prefix { $0 != "." })
      return continuations(in: successor).destinations[name].map {
        destination.hierarchy.declaration(of: .property(entity: successor, name: $0))
      }
    default: return nil
    }
  }

  /// What the properties of an entity of the newer version continue, found out for the first that asks.
  private func continuations(in entity: String) -> Continuations {
    continuationMemory.value(for: entity) {
      let former = pairing.source(ofDestination: entity)
      return Continuations(
        pairing.carriedAttributes(ofDestination: entity, from: former),
        pairing.carriedRelationships(ofDestination: entity, from: former))
    }
  }
}

extension LoadedVersion {
  /// The command that changes a setting of an element of the version.
  func setting(_ element: ModelElement, _ setting: String) -> String {
    "modelctl edit set \(element.word) \(ShellWord(setting).text) --in \(ShellWord(path: file.path).text)"
  }

  /// The command that gives an entity or property a version hash modifier that it does not have.
  func modifying(_ element: ModelElement) -> String {
    let holder = hierarchy.entity(named: element.entityName ?? "")
    let taken: String? =
      if case .property(_, let property) = element {
        holder?.attributes.first { $0.name == property }?.versionHashModifier
          ?? holder?.relationships.first { $0.name == property }?.versionHashModifier
      } else { holder?.versionHashModifier }
    return setting(element, "modifier=\(taken == name ? "\(name).1" : name)")
  }
}

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
  fileprivate init?(_ condition: HopForecast.Condition, in destination: LoadedVersion) {
    self.condition = condition
    switch condition.requirement {
    case .fits: return nil
    case .unique(let entity, let properties):
      element = .entity(entity)
      name = "\(entity)(\(properties.joined(separator: ", ")))"
    default:
      element = destination.hierarchy.declaration(of: condition.requirement.element)
      name = "\(element)"
    }
  }
}

/// Which properties of one entity, of either kind, continue which.
private struct Continuations: Sendable {
  /// The names in the older version by those in the newer one.
  let sources: [String: String]
  /// The names in the newer version by those in the older one.
  let destinations: [String: String]

  init(_ attributes: PropertyPairing, _ relationships: PropertyPairing) {
    sources = attributes.sourceNames.merging(relationships.sourceNames) { attribute, _ in attribute }
    destinations = attributes.destinationNames.merging(relationships.destinationNames) { attribute, _ in attribute }
  }
}

extension VersionStep {
  /// The changes that reach no existing row, of an index once for each element.
  func unreachedChanges(where accepts: (Aspect) -> Bool) -> [(change: Change, aspect: Aspect)] {
    var unreached: [ModelElement: Set<Aspect>] = [:]
    for case .doesNotReachExistingRows(let element, let aspect, _) in difference.hints where accepts(aspect) {
      unreached[element, default: []].insert(aspect)
    }
    var seen: Set<ModelElement> = []
    return difference.changes.compactMap { change in
      let aspect: Aspect
      switch change.kind {
      case .changed(let changed, _, _): aspect = changed
      case .added, .removed: aspect = .indexElements
      default: return nil
      }
      guard unreached[change.element]?.contains(aspect) == true else { return nil }
      return aspect.isIndex && !seen.insert(change.element).inserted ? nil : (change, aspect)
    }
  }
}
