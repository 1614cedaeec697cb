import MappingModels

/// What stands behind the policy class of an entity mapping.
enum ResolvedPolicy {
  /// SQL, or the default, in its place.
  case standIn(PolicyStandIn)
  /// A policy in code.
  case code(PolicyRegistry.Factory)
}

extension ResolvedPolicy {
  /// Finds the policy of an entity mapping, nil for one without.
  ///
  /// What the user names for this run goes first, then code, then what the mapping file says.
  ///
  /// - Throws: ``MigrationRefusal/mapping(name:_:)`` when there is nothing.
  static func policy(
    of entity: EntityMapping, in mapping: MappingModel, _ options: MigrationOptions,
    _ registry: PolicyRegistry
  ) throws(MigrationRefusal) -> ResolvedPolicy? {
    guard let className = entity.policyClassName, !className.isEmpty else { return nil }
    if let standIn = PolicyName.find(className, in: options.policyStandIns) { return .standIn(standIn) }
    if let factory = registry.factory(for: className) { return .code(factory) }
    if let standIn = PolicyName.find(className, in: mapping.policyStandIns) { return .standIn(standIn) }
    throw .mapping(name: entity.name, .missingPolicy(className: className))
  }

  /// What stands in, nil for code.
  var standIn: PolicyStandIn? { if case .standIn(let standIn) = self { standIn } else { nil } }

  /// Makes the policy, nil for a stand-in.
  var factory: PolicyRegistry.Factory? { if case .code(let factory) = self { factory } else { nil } }
}
