import MappingModels
import MigrationSQL
import ModelDescription

/// Refuses SQL in place of a policy that nothing would ever ask for.
enum StandInChecks {
  /// - Throws: ``MigrationRefusal/mapping(name:_:path:)`` for an attribute that no object of the policy has, and for a
  ///   function that no expression calls.
  static func check(_ context: PlanningContext) throws(MigrationRefusal) {
    let groups = Dictionary(grouping: context.entities.filter { $0.policy?.standIn != nil }) {
      $0.policy?.className ?? ""
    }
    for (className, entities) in groups.sorted(by: { $0.key < $1.key }) {
      guard let first = entities.first, let standIn = first.policy?.standIn else { continue }
      let attributes = Set(
        entities.flatMap { context.destination.hierarchy.allAttributes(of: $0.destination).keys })
      let selectors = entities.reduce(into: Set<String>()) { $0.formUnion(Self.selectors(of: $1.mapping)) }
      let unused =
        standIn.attributes.keys.sorted().filter { path in
          !attributes.contains(path.split(separator: ".").first.map(String.init) ?? path)
        }.map { ($0, attributes) }
        + standIn.functions.keys.sorted().filter { !selectors.contains($0) }.map { ($0, selectors) }
      guard let (name, known) = unused.first else { continue }
      throw .mapping(
        name: first.mapping.name,
        .unusedStandIn(name, className: className, near: NearNames.nearest(to: name, among: known.sorted())))
    }
  }

  private static func selectors(of mapping: EntityMapping) -> Set<String> {
    var selectors = mapping.filter?.policySelectors ?? []
    for property in mapping.propertyMappings {
      if case .expression(let expression) = property.value { selectors.formUnion(expression.policySelectors) }
    }
    return selectors
  }
}
