import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import StoreMigration

/// A step to a version that can still change, with the facts that rules need about it.
struct VersionStep: Sendable {
  let source: LoadedVersion
  let destination: LoadedVersion
  /// The path of a store from the source to the destination; nil if there is no path.
  let path: MigrationPath?
  /// The conditions and losses of each part of the path; if the step cannot be inferred, of the rest of the step.
  ///
  /// Empty if a custom mapping model cannot be planned.
  var forecasts: [PathPartForecast] { foreseen.map(\.forecast) }
  /// The forecasts, each with its custom mapping model.
  let foreseen: [(mapping: KnownMapping?, forecast: PathPartForecast)]
  /// The causes why the step cannot be inferred, each with its location; empty if there is a path.
  let failures: [InferenceRefusal]
  /// The difference of the two versions and the inferred mapping.
  let step: ModelStep
  var difference: ModelDifference { step.difference }
  private var pairing: EntityPairing { step.pairing }
  private let continuationCache = OncePerKey<String, Continuations>()
  let lossCache = Once<[Loss]>()

  /// Inspects a step.
  ///
  /// - Parameter findsAll: whether to find the other conditions and losses too if the step cannot be inferred.
  init(
    from source: LoadedVersion, to destination: LoadedVersion, by pathFinder: MigrationPathFinder, findsAll: Bool = true
  ) {
    (self.source, self.destination) = (source, destination)
    let direct = pathFinder.step(from: source, to: destination)
    var (path, failures): (MigrationPath?, [InferenceRefusal]) = (nil, [])
    var parts: [PathPart] = []
    if source.versionHashes != destination.versionHashes {
      do {
        path = try pathFinder.migrationPath(from: source, to: destination, among: [source, destination])
        parts = path?.parts ?? []
      } catch is InferenceRefusal where findsAll {
        failures = direct.refusals
        parts = direct.mapping.map { [PathPart([], from: source, to: destination, by: $0)] } ?? []
      } catch {
        parts = []
      }
    }
    (self.path, self.failures, step) = (path, failures, direct)
    foreseen = parts.compactMap { part in (try? PathPartForecast(of: part)).map { (part.writtenMapping, $0) } }
  }

  /// Such as `v2 → v3`.
  var name: String { "\(source.name) → \(destination.name)" }

  /// The conditions on the rows, without those on elements that cannot be inferred.
  var conditions: [PathPartForecast.Condition] {
    let blocked = Set(failures.map { destination.hierarchy.declaration(of: $0.element) })
    return forecasts.flatMap(\.conditions).filter {
      blocked.isEmpty || !blocked.contains(destination.hierarchy.declaration(of: $0.requirement.element))
    }
  }

  /// The location of an element of the destination; for an inherited element, of its declaration.
  func location(of element: ModelElement) -> SourceLocation {
    destination.location(of: destination.hierarchy.declaration(of: element))
  }

  /// The destination element that continues a source element, with its location.
  ///
  /// If the element is removed, it is the element itself, at its entity or at the start of the model.
  func place(ofSource element: ModelElement) -> (element: ModelElement, location: SourceLocation) {
    if let successor = successor(of: element) { return (successor, destination.location(of: successor)) }
    let declared = source.hierarchy.declaration(of: element)
    return (declared, destination.location(of: holder(ofGone: declared) ?? .model))
  }

  /// The entity of the destination at which an entry silences a finding about a property of the source.
  func destinationLocations(ofSource element: ModelElement) -> [ElementLocation] {
    holder(ofGone: element).map { [ElementLocation(path: destination.file.path, element: $0)] } ?? []
  }

  /// The element of the destination at which an entry silences a finding in a different file.
  func elementLocation(of element: ModelElement) -> ElementLocation {
    ElementLocation(path: destination.file.path, element: element)
  }

  /// The entity of the destination that had a property of the source; nil for other elements.
  private func holder(ofGone element: ModelElement) -> ModelElement? {
    guard case .property(let entity, _) = element else { return nil }
    return pairing.destination(ofSource: entity).map { .entity($0) }
  }

  /// True for a new property of an entity that the source has too.
  func isNew(_ element: ModelElement) -> Bool {
    guard case .property(let entity, let name) = element else { return false }
    return continuations(in: entity).sources[name] == nil
  }

  /// The source name of a property of the destination or of a path into it; nil for a new property.
  func sourcePath(of path: String, in entity: String) -> String? {
    let name = String(path.prefix { $0 != "." })
    return continuations(in: entity).sources[name].map { $0 + path.dropFirst(name.count) }
  }

  /// The source name of an entity of the destination; its own name if it is new.
  func sourceName(of entity: String) -> String { pairing.source(ofDestination: entity) ?? entity }

  /// The element of the destination that continues an element of the source.
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

  /// The source properties that the properties of a destination entity continue, computed once.
  private func continuations(in entity: String) -> Continuations {
    continuationCache.value(for: entity) {
      let former = pairing.source(ofDestination: entity)
      return Continuations(
        pairing.carriedAttributes(ofDestination: entity, from: former),
        pairing.carriedRelationships(ofDestination: entity, from: former))
    }
  }
}

extension LoadedVersion {
  /// The command that changes a setting of an element of the version.
  func setting(_ element: ModelElement, _ setting: String) -> [String] {
    ["modelctl", "edit", "set", "\(element)", setting, "--in", ShellWord.argument(file.path)]
  }

  /// The command that gives an entity or property a version hash modifier that it does not have.
  func modifying(_ element: ModelElement) -> [String] {
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
  /// A condition that rows may not meet, with its name in the lock file.
  struct Blocker {
    /// Such as `Order.total`, or `Order(number, date)` for a uniqueness constraint.
    let name: String
    let condition: PathPartForecast.Condition
    let element: ModelElement
  }

  /// The possible blockers of the step, each element once.
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
  fileprivate init?(_ condition: PathPartForecast.Condition, in destination: LoadedVersion) {
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

/// The pairs of properties of a single entity in both versions, attributes and relationships together.
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
  /// The changes that do not reach existing rows; changes of an index once per element.
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
