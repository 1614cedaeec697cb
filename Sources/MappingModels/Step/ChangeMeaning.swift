package import ModelComparison
package import ModelDescription

/// The meaning of a change in its step, from the step's refusals, requirements and outcome.
public struct ChangeMeaning: Hashable, Sendable {
  /// The result of inference for a change.
  public enum Verdict: Hashable, Sendable {
    /// The change makes no new version.
    case noMigration
    /// It infers it.
    case inferable
    /// It infers it, and the rows decide whether it runs.
    case dependsOnRows([MappingRequirement])
    /// It refuses the step because of this change.
    case refused(InferenceRefusal)
    /// It refuses the step because of a different change.
    case withheld(InferenceRefusal)
    /// A mapping model is used instead of inference.
    case custom
  }

  /// The result of inference.
  public let verdict: Verdict
  /// The effect on the rows.
  public let effect: DataEffect

  package init(verdict: Verdict, effect: DataEffect) { (self.verdict, self.effect) = (verdict, effect) }

  /// The meaning of a change that does not change the version and affects no row.
  package static let none = ChangeMeaning(verdict: .noMigration, effect: .none)

  /// Returns the meanings of all changes of a step.
  ///
  /// - Parameter isRestInferred: true if everything that is not refused is inferred, as with a custom mapping model.
  static func all(of step: ModelStep, isRestInferred: Bool = false) -> [Change: ChangeMeaning] {
    let effects = ChangeEffects(step)
    let join = RowJoin(step, isNeeded: isRestInferred || step.isInferred)
    let refusals = RefusalJoin(step)
    let meanings = step.changes.enumerated().map { position, change -> (Change, ChangeMeaning) in
      let base = effects.effect(of: change)
      // The effect on the rows is unknown if inference does not decide about them.
      let idle = ChangeMeaning(verdict: .noMigration, effect: base == .existingValuesStay ? .none : base)
      switch step.outcome {
      case .inferred:
        return (change, inferred(change, base, join.losses[position] ?? [], join.requirements[position] ?? []))
      case .custom: return (change, change.changesHash ? ChangeMeaning(verdict: .custom, effect: .mapped) : idle)
      case .refused(let all):
        if !change.changesHash { return (change, idle) }
        if let refusal = refusals.refusal(of: change) { return (change, refused(by: refusal)) }
        if isRestInferred {
          return (change, inferred(change, base, join.losses[position] ?? [], join.requirements[position] ?? []))
        }
        return (change, all.first.map { ChangeMeaning(verdict: .withheld($0), effect: .unmapped) } ?? idle)
      }
    }
    return Dictionary(meanings) { first, _ in first }
  }

  private static func inferred(
    _ change: Change, _ base: DataEffect, _ losses: [DataLoss], _ requirements: [MappingRequirement]
  ) -> ChangeMeaning {
    let verdict: Verdict =
      !change.changesHash ? .noMigration : requirements.isEmpty ? .inferable : .dependsOnRows(requirements)
    let lost = losses.filter { if case .narrowing = $0.kind { false } else { true } }
    let name = change.sourceElement?.description
    if let first = lost.first {
      let isWhole = lost.allSatisfy { $0.kind == first.kind && ($0.element == name || $0.otherElement == name) }
      return ChangeMeaning(verdict: verdict, effect: isWhole ? .lost(first.kind) : .losses(lost))
    }
    guard change.changesHash, let first = requirements.first else {
      return ChangeMeaning(verdict: verdict, effect: base)
    }
    return ChangeMeaning(verdict: verdict, effect: .demanded(first, isNew: change.kind.isComing))
  }

  /// Returns the meaning of a refused change, with the effect that a conversion would have, because the step does not
  /// run.
  private static func refused(by refusal: InferenceRefusal) -> ChangeMeaning {
    let effect: DataEffect =
      switch refusal.kind {
      case .incompatibleTypes(let conversion): conversion.isCastable ? .convertible : .noConversion
      case .mergedRoots(let roots, _): .keysOfRootsClash(roots)
      case .ambiguous, .respelled, .unsuitableFill: .unmapped
      }
    return ChangeMeaning(verdict: .refused(refusal), effect: effect)
  }
}

extension ModelStep {
  /// The changes that make a new version or affect a row; their meaning is not needed for that.
  package var notableChanges: [Change] {
    let effects = ChangeEffects(self)
    return changes.filter { $0.changesHash || effects.effect(of: $0) != .none }
  }
}

/// Finds which changes a step is refused for.
private struct RefusalJoin {
  private let destination: EntityHierarchy
  private var byElement: [ModelElement: InferenceRefusal] = [:]
  private var bySourceElement: [ModelElement: InferenceRefusal] = [:]
  /// The types that are refused, of elements that may have other changes.
  private var types: Set<ModelElement> = []
  private var roots: [String: InferenceRefusal] = [:]

  init(_ step: ModelStep) {
    destination = step.destination
    for refusal in step.refusals {
      let element = step.destination.declaration(of: refusal.element)
      switch refusal.kind {
      case .mergedRoots(_, let root): roots[root] = refusal
      case .incompatibleTypes:
        types.insert(element)
        add(refusal, element, &byElement)
      case .respelled, .unsuitableFill: add(refusal, element, &byElement)
      case .ambiguous(let ambiguity):
        for name in ambiguity.destinations {
          add(refusal, step.destination.declaration(of: refusal.element.named(name)), &byElement)
        }
        let entity = refusal.element.entityName.flatMap(step.pairing.source(ofDestination:)) ?? ""
        for name in ambiguity.sources {
          let source = refusal.element.named(name, of: entity)
          add(refusal, step.source.declaration(of: source), &bySourceElement)
        }
      }
    }
  }

  private func add(
    _ refusal: InferenceRefusal, _ element: ModelElement, _ refusals: inout [ModelElement: InferenceRefusal]
  ) {
    if refusals[element] == nil { refusals[element] = refusal }
  }

  /// Returns the refusal of a change; nil if other changes are refused.
  func refusal(of change: Change) -> InferenceRefusal? {
    if case .changed(.superentity, _, _) = change.kind, case .entity(let name) = change.element,
      let refusal = roots[destination.rootName(of: name)]
    {
      return refusal
    }
    if let source = change.sourceElement, let refusal = bySourceElement[source] { return refusal }
    guard change.kind != .removed, let refusal = byElement[change.element] else { return nil }
    guard types.contains(change.element) else { return refusal }
    switch change.kind {
    case .changed(.type, _, _), .changed(.elements, _, _), .changed(.composite, _, _), .changed(.transient, _, _):
      return refusal
    default: return nil
    }
  }
}

extension ModelElement {
  /// The element of the same kind with a different name.
  fileprivate func named(_ name: String, of entity: String? = nil) -> ModelElement {
    if case .property(let owner, _) = self { .property(entity: entity ?? owner, name: name) } else { .entity(name) }
  }
}

/// Finds the changes that cause a step's requirements and losses; each of them has at least one change.
private struct RowJoin {
  /// The requirements by the positions of the changes.
  private(set) var requirements: [Int: [MappingRequirement]] = [:]
  /// The losses by the positions of the changes.
  private(set) var losses: [Int: [DataLoss]] = [:]
  private let changes: [Change]
  private let hashed: [Int]

  init(_ step: ModelStep, isNeeded: Bool) {
    changes = step.changes
    let all = changes
    hashed = changes.indices.filter { all[$0].changesHash }
    guard isNeeded, !step.difference.isSameVersion else { return }
    let byElement = Dictionary(grouping: hashed) { all[$0].element }
    for requirement in step.requirements {
      let entity = requirement.element.entityName ?? ""
      let places = step.destination.lineage(of: entity).map { ModelElement.entity($0.name) }
      let own = byElement[step.destination.declaration(of: requirement.element)] ?? []
      let others = requirement.properties.flatMap { name in
        byElement[step.destination.declaration(of: .property(entity: entity, name: name))] ?? []
      }
      for position in found(own, about: requirement.aspects, others, places.map { byElement[$0] ?? [] }) {
        requirements[position, default: []].append(requirement)
      }
    }
    // An entity whose name and hash another has now loses its rows as well.
    let losing = changes.indices.filter { all[$0].changesHash || all[$0].kind == .removed }
    let bySource = Dictionary(grouping: losing) { all[$0].sourceElement ?? .model }
    for loss in step.lossesBesideRefusals {
      let names = [loss.element, loss.otherElement].compactMap { $0 }.map(ModelElement.init(consent:))
      let own = names.flatMap { bySource[step.source.declaration(of: $0)] ?? [] }
      let entity = names[0].entityName ?? ""
      let places = step.source.lineage(of: entity).map { ModelElement.entity($0.name) }
      for position in Set(found(own, about: loss.kind.aspects, [], places.map { bySource[$0] ?? [] })) {
        losses[position, default: []].append(loss)
      }
    }
  }

  /// Returns the changes that may be the cause.
  ///
  /// These are the matching changes of the element, or all its changes; if it has none, the changes of the other
  /// elements, of the entity, of its nearest ancestor, or all changes.
  private func found(_ own: [Int], about aspects: Set<Aspect>, _ others: [Int], _ places: [[Int]]) -> [Int] {
    let fitting = own.filter { changes[$0].kind.isAbout(aspects) }
    let choices = [fitting, others] + (own.isEmpty ? places : [own]) + places
    return choices.first { !$0.isEmpty } ?? hashed
  }
}

extension ModelElement {
  /// Reads the element from the name of a loss: `Entity` or `Entity.property`.
  package init(consent name: String) {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    self = parts.count == 2 ? .property(entity: parts[0], name: parts[1]) : .entity(name)
  }
}

extension MappingRequirement {
  /// The settings whose change makes the requirement.
  fileprivate var aspects: Set<Aspect> {
    switch self {
    case .mandatoryAttribute: [.optional, .transient, .derivation, .elements, .type]
    case .mandatoryRelationship: [.optional, .transient, .destination, .toMany]
    case .unique: [.uniquenessConstraints]
    case .fits: [.type, .elements, .transient]
    case .atMostOne, .oneOwner: [.toMany, .inverse, .destination, .transient]
    case .noRowsOfAbstract: [.abstract]
    }
  }

  /// The properties besides the element that it is about.
  fileprivate var properties: [String] { if case .unique(_, let names) = self { names } else { [] } }
}

extension DataLoss.Kind {
  /// The settings whose change makes the loss.
  fileprivate var aspects: Set<Aspect> {
    switch self {
    case .entityRemoved: []
    case .attributeRemoved, .attributeBecameRelationship, .relationshipBecameAttribute: [.transient, .elements, .type]
    case .relationshipRemoved, .linksDropped: [.transient, .destination, .inverse]
    case .orderLost: [.ordered, .toMany]
    case .narrowing: [.type, .elements]
    }
  }
}

extension Change.Kind {
  fileprivate func isAbout(_ aspects: Set<Aspect>) -> Bool {
    switch self {
    case .added, .removed, .moved, .attributeBecameRelationship, .relationshipBecameAttribute: true
    case .changed(let aspect, _, _): aspects.contains(aspect)
    default: false
    }
  }

  /// True for a property that the rows did not have.
  fileprivate var isComing: Bool {
    switch self {
    case .added, .attributeBecameRelationship, .relationshipBecameAttribute, .changed(.transient, _, _): true
    default: false
    }
  }
}

extension ChangeMeaning.Verdict {
  /// Returns the reason that the change is not inferred, or the condition for the rows; nil for any other verdict.
  package func condition(of change: Change) -> String? {
    switch self {
    case .inferable, .noMigration, .custom: return nil
    case .refused(let refusal): return refusal.reason
    case .withheld(let refusal): return "\(refusal.element): \(refusal.reason)"
    case .dependsOnRows(let requirements):
      var seen: Set<String> = []
      return requirements.map { $0.condition(of: change) }.filter { seen.insert($0).inserted }
        .joined(separator: ", and ")
    }
  }
}

extension MappingRequirement {
  /// Returns the requirement as a clause after “if” in a sentence about a change.
  fileprivate func condition(of change: Change) -> String {
    var isOwn = false
    if case .property(_, let name) = change.element, case .property(_, let path) = element {
      isOwn = name == path.prefix { $0 != "." }
    }
    switch self {
    case .mandatoryAttribute, .mandatoryRelationship:
      let content = if case .mandatoryAttribute = self { "value" } else { "link" }
      if isOwn, change.kind.isComing { return "the entity has no rows" }
      return isOwn ? "no row lacks a \(content)" : "no row lacks a \(content) of \(element)"
    case .unique: return "no two rows have the same values"
    case .fits(_, _, let conversions):
      let type = conversions.last?.to.name ?? ""
      return isOwn ? "every value fits \(type)" : "every value of \(element) fits \(type)"
    case .atMostOne: return "no object has several links"
    case .oneOwner: return "no object is linked from several objects"
    case .noRowsOfAbstract: return "no row is of exactly this entity"
    }
  }
}
