import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import StoreMigration

extension Finding {
  /// Takes an Xcode mapping model whose versions were edited later, with all differences and their consequence.
  ///
  /// - Parameters:
  ///   - inspection: the mapping model; it has drifted.
  ///   - location: the location of its start.
  init(driftOf inspection: MappingInspection, at location: SourceLocation, for reader: MigrationReader) {
    let edited = [
      (MappingSide.source, inspection.sourceHere), (MappingSide.destination, inspection.destinationHere),
    ].compactMap { side, version in
      inspection.drift.contains { $0.side == side } ? version?.name : nil
    }.joined(separator: " and ")
    let (severity, consequence) = Self.consequence(of: inspection, for: reader)
    let limit = TextWidth.listed(Self.shownDrifts)
    let shown = inspection.drift.prefix(limit).map(\.sentence).joined(separator: "; ")
    let more = inspection.drift.count - limit
    let rest = more > 0 ? "; and \(more) more" : ""
    let listing: Advice = more > 0 ? "; to list all differences: \(run: "modelctl", "mapping", "check")" : ""
    self.init(
      rule: MappingRule.drift.rawValue, severity: severity, element: .model, location: location,
      message:
        "\(edited) was edited after this mapping model was made, so \(reader.name) \(consequence); differences: "
        + shown + rest,
      fix: "restore the model, or make the mapping model again from the current models\(listing)")
  }

  private static let shownDrifts = 8

  private static func consequence(of inspection: MappingInspection, for reader: MigrationReader) -> (Severity, String) {
    guard let source = inspection.sourceHere, let destination = inspection.destinationHere else {
      return (.note, "does not use it any more")
    }
    let step = "\(source.name) → \(destination.name)"
    guard reader == .coreData else { return (.error, "refuses \(step)") }
    if let refusal = ModelStep(from: source.hierarchy, to: destination.hierarchy).refusals.first {
      return (.error, "does not use it any more and cannot infer \(step) either (\(refusal.words.cause))")
    }
    let made = ModelStep(from: inspection.source.hierarchy, to: inspection.destination.hierarchy)
    let work = MappingWork(of: inspection.model, in: made)
    let lost = work.text.map { "; unlike inference, it \($0)" } ?? ""
    return (.warning, "does not use it any more and infers \(step) instead\(lost)")
  }

  /// Takes the entities of a mapping file whose hashes differ from the stated hashes, as one finding.
  ///
  /// - Parameter drifts: one finding for each entity, in the order of the file; at least one.
  init?(ofStatedHashes drifts: [Finding]) {
    guard let first = drifts.first else { return nil }
    self = first
    guard drifts.count > 1 else { return }
    element = .model
    message = drifts.map(\.message).joined(separator: "; ")
  }
}

/// The work of a mapping model that inference between the same two models does not do.
struct MappingWork {
  /// The clauses of its work, such as `runs the policy class OrderPolicy for Order`.
  let clauses: [String]

  /// Compares a mapping model with what is inferred.
  init(of mapping: MappingModel, in step: ModelStep) {
    let pairing = step.pairing
    var clauses: [String] = []
    for entity in mapping.entityMappings {
      let name = entity.destination ?? entity.source ?? entity.name
      if let policy = entity.policyClassName { clauses.append("runs the policy class \(policy) for \(name)") }
      if entity.filter != nil, let read = entity.source { clauses.append("reads only some objects of \(read)") }
      guard let read = entity.source, let made = entity.destination else { continue }
      if pairing.destination(ofSource: read) != made { clauses.append("makes \(made) from \(read)") }
      let names = pairing.attributes(ofDestination: made).sourceNames
      let links = pairing.relationships(ofDestination: made).sourceNames
      let filled =
        entity.attributeMappings.filter { !$0.isCopy(of: names[$0.name]) }
        + entity.relationshipMappings.filter { !$0.isCopy(of: links[$0.name]) }
      clauses += filled.map { "fills \(made).\($0.name)" }
    }
    self.clauses = clauses
  }

  /// The clauses as one list, shortened at its end; nil if there are no clauses.
  var text: String? {
    guard !clauses.isEmpty else { return nil }
    let shown = clauses.prefix(5).joined(separator: ", ")
    guard clauses.count > 5 else { return shown }
    return "\(shown) and does \(clauses.count == 6 ? "one more thing" : "\(clauses.count - 5) more things")"
  }
}

extension PropertyMapping {
  /// True if it lacks a value, or the value that inference gives: the value or the objects of a single source property.
  fileprivate func isCopy(of property: String?) -> Bool {
    if case .sql = value { return false }
    guard let expression = value.expression else { return true }
    guard let property else { return false }
    return expression.isCopy(of: property)
  }
}

extension ValueExpression {
  /// True for the value of a source property, also with a constant for nil, and for the objects made from its objects.
  fileprivate func isCopy(of property: String) -> Bool {
    let read = ValueExpression.sourceValue(property.split(separator: ".").map(String.init))
    if self == read || madeObjects?.sources == read || self == .objects(madeFromRelationship: property) { return true }
    guard case .conditional(.comparison(let comparison), then: .constant, else: let value) = self else { return false }
    let nilTests = [ExpressionComparison(value, .equal, .null), ExpressionComparison(.null, .equal, value)]
    return nilTests.contains(comparison) && value.isCopy(of: property)
  }
}
