import MappingModels
import ModelComparison
import ModelDescription

/// What a mapping model does that inference between the same two models does not do.
struct MappingWork {
  /// What it does, one clause for each thing, such as `runs the policy class OrderPolicy for Order`.
  let clauses: [String]

  /// Compares a mapping model with what is inferred.
  ///
  /// - Parameters:
  ///   - mapping: the mapping model.
  ///   - source: the model of the stores that are migrated.
  ///   - destination: the model they are migrated to.
  init(of mapping: MappingModel, from source: EntityHierarchy, to destination: EntityHierarchy) {
    let pairing = EntityPairing(from: source, to: destination)
    var clauses: [String] = []
    for entity in mapping.entityMappings {
      let name = entity.destination ?? entity.source ?? entity.name
      if let policy = entity.policyClassName { clauses.append("runs the policy class \(policy) for \(name)") }
      if entity.filter != nil, let read = entity.source { clauses.append("takes only some objects of \(read)") }
      guard let read = entity.source, let made = entity.destination else { continue }
      if pairing.destination(ofSource: read) != made { clauses.append("makes \(made) of \(read)") }
      let names = pairing.attributes(ofDestination: made).sourceNames
      let links = pairing.relationships(ofDestination: made).sourceNames
      let filled =
        entity.attributeMappings.filter { !$0.isCopy(of: names[$0.name]) }
        + entity.relationshipMappings.filter { !$0.isCopy(of: links[$0.name]) }
      clauses += filled.map { "fills \(made).\($0.name)" }
    }
    self.clauses = clauses
  }

  /// The clauses as one list, the end of a long one left out; nil when there is none.
  var text: String? {
    guard !clauses.isEmpty else { return nil }
    let shown = clauses.prefix(5).joined(separator: ", ")
    return clauses.count > 5 ? "\(shown) and does \(clauses.count - 5) more things" : shown
  }
}

extension PropertyMapping {
  /// True when it gives nothing, or what inference gives: the value or the objects of one source property.
  fileprivate func isCopy(of property: String?) -> Bool {
    if case .sql = value { return false }
    guard let expression = value.expression else { return true }
    guard let property else { return false }
    return expression.isCopy(of: property)
  }
}

extension ValueExpression {
  /// True for the value of a source property, a constant in the place of nil or not, and for the objects made of its
  /// objects.
  fileprivate func isCopy(of property: String) -> Bool {
    let read = ValueExpression.sourceValue(property.split(separator: ".").map(String.init))
    if self == read || madeObjects?.sources == read || self == .objects(madeFromRelationship: property) { return true }
    guard case .conditional(.comparison(let comparison), then: .constant, else: let value) = self else { return false }
    let nilTests = [ExpressionComparison(value, .equal, .null), ExpressionComparison(.null, .equal, value)]
    return nilTests.contains(comparison) && value.isCopy(of: property)
  }
}
