import ModelDescription

/// Collects everything that cannot be inferred, what is inherited once.
final class InferenceRefusalCollector {
  private(set) var failures: [InferenceRefusal] = []
  private var elements: Set<ModelElement> = []

  /// Takes a failure unless it is known of the same property in an entity above.
  func add(_ failure: InferenceRefusal, in hierarchy: EntityHierarchy) {
    if case .property(let entity, let name) = failure.element,
      hierarchy.lineage(of: entity).contains(where: {
        $0.name != entity && elements.contains(.property(entity: $0.name, name: name))
      })
    {
      return
    }
    elements.insert(failure.element)
    if !failures.contains(failure) { failures.append(failure) }
  }
}
