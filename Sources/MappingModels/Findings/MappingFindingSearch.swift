public import ModelDescription
import VersionHashing

extension MappingModel {
  /// Returns all errors, warnings and notes about the mapping for two models.
  ///
  /// - Parameter hasPolicy: returns true if a policy class of a name is implemented; replacements need not be.
  /// - Returns: the findings in the order of the entity mappings and their properties, then findings about the complete
  ///   mapping.
  public func findings(
    from source: EntityHierarchy, to destination: EntityHierarchy, hasPolicy: (String) -> Bool = { _ in false }
  ) -> [MappingFinding] {
    let policies = Set(entityMappings.compactMap(\.policyClassName)).filter(hasPolicy)
    var search = MappingFindingSearch(self, source: source, destination: destination, policies: policies)
    return search.findings()
  }
}

/// Finds the errors, warnings and notes of a mapping model, by entity mapping.
struct MappingFindingSearch {
  let mapping: MappingModel
  let source: EntityHierarchy
  let destination: EntityHierarchy
  /// The policy classes that are implemented.
  let policies: Set<String>
  /// The relationships that some mapping gives objects, by destination entity.
  let filledRelationships: [String: Set<String>]
  private let sourceHashes: VersionHashes?
  private let destinationHashes: VersionHashes?
  var found: [MappingFinding] = []

  init(_ mapping: MappingModel, source: EntityHierarchy, destination: EntityHierarchy, policies: Set<String>) {
    (self.mapping, self.source, self.destination, self.policies) = (mapping, source, destination, policies)
    var filled: [String: Set<String>] = [:]
    for entity in mapping.entityMappings {
      guard let name = entity.destination else { continue }
      for relationship in entity.relationshipMappings where relationship.value != .unset {
        filled[name, default: []].insert(relationship.name)
      }
    }
    filledRelationships = filled
    sourceHashes = try? VersionHashes(of: source)
    destinationHashes = try? VersionHashes(of: destination)
  }

  mutating func findings() -> [MappingFinding] {
    var names: Set<String> = []
    for entity in mapping.entityMappings {
      if !names.insert(entity.name).inserted { add(.error, entity, .duplicateName) }
      check(entity)
    }
    findUncoveredEntities()
    findEntityCycles()
    return found
  }

  mutating func add(
    _ severity: MappingFinding.Severity, _ entity: EntityMapping?, property: String? = nil,
    _ kind: MappingFinding.Kind
  ) {
    found.append(MappingFinding(severity, mapping: entity?.name, property: property, kind))
  }

  private mutating func check(_ entity: EntityMapping) {
    guard entity.source != nil || entity.destination != nil else {
      add(.error, entity, .noEntities)
      return
    }
    let hasSource = check(
      .source, entity.source, stated: entity.sourceVersionHash, sourceHashes, in: source, of: entity)
    let hasDestination = check(
      .destination, entity.destination, stated: entity.destinationVersionHash, destinationHashes, in: destination,
      of: entity)
    checkPolicy(of: entity)
    if hasSource, let name = entity.source { checkFilter(of: entity, source: name) }
    guard hasDestination, let name = entity.destination else { return }
    let sourceEntity = hasSource ? entity.source.flatMap { source.entity(named: $0) } : nil
    if sourceEntity?.isAbstract == false, destination.entity(named: name)?.isAbstract == true {
      add(.error, entity, .abstractDestination(name))
    }
    checkProperties(of: entity, destination: name, source: sourceEntity?.name)
  }

  /// True if the mapping names the entity and the model has it.
  private mutating func check(
    _ side: MappingSide, _ name: String?, stated: VersionHash?, _ hashes: VersionHashes?, in model: EntityHierarchy,
    of entity: EntityMapping
  ) -> Bool {
    guard let name else { return false }
    guard model.entity(named: name) != nil else {
      let near = NearNames.nearest(to: name, among: model.model.entities.map(\.name))
      add(.error, entity, .unknownEntity(side, name, near: near))
      return false
    }
    if let stated, let hash = hashes?.entities[name], hash != stated {
      add(.error, entity, .otherVersion(side, entity: name))
    }
    return true
  }

  private mutating func checkFilter(of entity: EntityMapping, source name: String) {
    guard let filter = entity.filter else { return }
    let typing = ExpressionTyping(
      source: source, entity: name, role: .filter, destination: destination, mapping: mapping)
    do {
      try typing.checkCondition(filter)
    } catch {
      add(.error, entity, .filter(error))
    }
  }

  /// Finds entities without an entity mapping; abstract entities lack objects.
  mutating func findUncoveredEntities() {
    let read = Set(mapping.entityMappings.compactMap(\.source))
    for entity in source.numberedEntities where !entity.isAbstract && !read.contains(entity.name) {
      guard !mapping.droppedData.contains(entity.name) else { continue }
      let remains = destination.entity(named: entity.name) != nil
      add(.warning, nil, .uncoveredSource(entity.name, isInDestination: remains))
    }
    let made = Set(mapping.entityMappings.compactMap(\.destination))
    for entity in destination.numberedEntities where !entity.isAbstract && !made.contains(entity.name) {
      add(.note, nil, .uncoveredDestination(entity.name))
    }
  }

  /// Finds circles of entities whose objects become objects of the next entity, if no entity keeps its own objects.
  mutating func findEntityCycles() {
    var next: [String: [String]] = [:]
    for entity in mapping.entityMappings {
      if let from = entity.source, let to = entity.destination { next[from, default: []].append(to) }
    }
    var seen: Set<String> = []
    for start in mapping.entityMappings.compactMap(\.source) where !seen.contains(start) {
      var path: [String] = []
      var entity = start
      // Objects of an entity with several destinations are split, so they do not change places.
      while seen.insert(entity).inserted, let ways = next[entity], ways.count == 1 {
        path.append(entity)
        entity = ways[0]
      }
      guard let position = path.firstIndex(of: entity), path.count - position > 1 else { continue }
      add(.warning, nil, .entityCycle(Array(path[position...])))
    }
  }

  /// Finds destination properties that no property mapping fills.
  mutating func findUnfilled(of entity: EntityMapping, destination name: String, filled: Set<String>) {
    let replacement = self.replacement(of: entity)
    for (path, attribute) in destination.storedAttributes(of: name).sorted(by: { $0.key < $1.key }) {
      guard attribute.derivation == nil, !filled.contains(path), !filled.contains(attribute.attribute.name),
        replacement?.attributes[path] == nil
      else { continue }
      if let value = attribute.defaultValue {
        add(.note, entity, property: path, .unfilled(path, of: name, gets: .defaultValue(value)))
      } else if attribute.isOptional {
        add(.note, entity, property: path, .unfilled(path, of: name, gets: .noValue))
      } else {
        addUnfilledRequired(path, of: name, entity)
      }
    }
    for (link, relationship) in destination.storedRelationships(of: name).sorted(by: { $0.key < $1.key }) {
      guard !filled.contains(link), !isFilledByInverse(relationship) else { continue }
      if relationship.isToMany || relationship.isOptional {
        add(.note, entity, property: link, .unfilled(link, of: name, gets: .noObjects))
      } else {
        addUnfilledRequired(link, of: name, entity)
      }
    }
  }

  /// Here it is unknown which properties a policy class of the app fills.
  private mutating func addUnfilledRequired(_ property: String, of name: String, _ entity: EntityMapping) {
    guard !mayBeOverruled(entity) else { return }
    let severity: MappingFinding.Severity = isImplemented(entity.policyClassName) ? .warning : .error
    add(severity, entity, property: property, .unfilledRequired(property, of: name))
  }

  /// True if a mapping fills the inverse, which creates the same links.
  private func isFilledByInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = relationship.inverseName, let other = relationship.destinationEntityName else { return false }
    return destination.family(of: other).contains { filledRelationships[$0.name]?.contains(inverse) == true }
  }

  func replacement(of entity: EntityMapping) -> PolicyReplacement? {
    entity.policyClassName.flatMap { mapping.policyReplacements[$0] }
  }

  func isImplemented(_ policy: String?) -> Bool { policy.map(policies.contains) ?? false }

  /// True if a policy class of the app may give more objects and values than the expressions, and it has no
  /// replacement.
  func mayBeOverruled(_ entity: EntityMapping) -> Bool {
    entity.policyClassName != nil && replacement(of: entity) == nil && !isImplemented(entity.policyClassName)
  }

  mutating func checkPolicy(of entity: EntityMapping) {
    guard let name = entity.policyClassName, !policies.contains(name), mapping.policyReplacements[name] == nil else {
      return
    }
    add(.error, entity, .missingPolicy(name))
  }

  /// Finds functions of a policy that are not implemented; a missing class is reported once.
  mutating func checkFunctions(in expression: ValueExpression, of property: String, _ entity: EntityMapping) {
    for selector in PolicyCalls.selectors(in: expression) {
      guard let policy = entity.policyClassName else {
        add(.error, entity, property: property, .functionWithoutPolicy(selector: selector))
        continue
      }
      guard let replacement = mapping.policyReplacements[policy], !policies.contains(policy),
        replacement.functions[selector] == nil, replacement.attributes[property] == nil
      else { continue }
      add(.error, entity, property: property, .missingFunction(selector: selector, policy: policy))
    }
  }
}

/// Finds the functions of a policy that an expression calls.
enum PolicyCalls {
  /// Returns the selectors in their order, each once; parts below the depth limit of expressions are ignored.
  static func selectors(in expression: ValueExpression) -> [String] {
    var found: [String] = []
    collect(expression, depth: 0, into: &found)
    return found
  }

  private static func collect(_ expression: ValueExpression, depth: Int, into found: inout [String]) {
    guard depth < ExpressionTyping.depthLimit else { return }
    if case .invocation(.variable("entityPolicy"), let selector, _) = expression, !found.contains(selector) {
      found.append(selector)
    }
    for part in expression.parts { collect(part, depth: depth + 1, into: &found) }
  }
}
