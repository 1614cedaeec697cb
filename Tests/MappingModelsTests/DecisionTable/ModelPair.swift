import MappingModels
import ModelComparison
import ModelDescription
import VersionHashing

/// Two versions of a small model with all results about the step between them.
struct ModelPair {
  let source: EntityHierarchy
  let destination: EntityHierarchy
  let step: ModelStep
  var difference: ModelDifference { step.difference }

  init(_ former: [EntityDescription], _ latter: [EntityDescription]) throws {
    source = try EntityHierarchy(ManagedObjectModel(entities: former))
    destination = try EntityHierarchy(ManagedObjectModel(entities: latter))
    step = ModelStep(from: source, to: destination)
  }

  /// One entity `Order` with these attributes, before and after.
  init(_ former: [AttributeDescription], to latter: [AttributeDescription]) throws {
    try self.init(
      [EntityDescription(name: "Order", attributes: former)],
      [EntityDescription(name: "Order", attributes: latter)]
    )
  }

  /// The entities whose computed version hash has no equal under the same name, sorted; the oracle of `difference`.
  func entitiesWithNewHash() throws -> [String] {
    let former = try VersionHashes(of: source).entities
    return try VersionHashes(of: destination).entities.filter { former[$0.key] != $0.value }.keys.sorted()
  }

  func mapping(_ options: InferenceOptions = InferenceOptions()) throws(InferenceRefusal) -> MappingModel {
    try .inferred(from: source, to: destination, options: options)
  }

  func failure(_ options: InferenceOptions = InferenceOptions()) -> InferenceRefusal? {
    do {
      _ = try mapping(options)
      return nil
    } catch {
      return error
    }
  }

  func attribute(_ path: String, of entity: String = "Order") throws -> AttributeMapping? {
    try mapping().mapping(toDestination: entity)?.attribute(path)
  }

  func relationship(_ name: String, of entity: String) throws -> RelationshipMapping? {
    try mapping().mapping(toDestination: entity)?.relationship(name)
  }

  func requirements(_ options: InferenceOptions = InferenceOptions()) throws -> [MappingRequirement] {
    try mapping(options).requirements(source: source, destination: destination)
  }

  /// The losses as `element: kind`.
  func losses() throws -> [String] {
    try mapping().losses(source: source, destination: destination).map { "\($0.element): \($0.kind)" }
  }

  /// The verdict about each change of an element, with its conditions.
  func inferability(of element: String) -> [String] {
    step.changes.filter { $0.element.description == element }.map { change in
      let verdict = step.meaning(of: change).verdict
      switch verdict {
      case .noMigration: return "no migration"
      case .inferable: return "inferable"
      case .dependsOnRows: return verdict.condition(of: change) ?? ""
      case .refused, .withheld, .custom: return "refused"
      }
    }
  }

  /// The changes for which the step is refused.
  var refused: [Change] {
    step.changes.filter { if case .refused = step.meaning(of: $0).verdict { true } else { false } }
  }

  var effects: [DataEffect] { step.changes.map { step.meaning(of: $0).effect } }
}

extension AttributeDescription {
  static func text(_ name: String, _ change: (inout AttributeDescription) -> Void = { _ in }) -> Self {
    var attribute = AttributeDescription(name: name, type: .string, isOptional: true)
    change(&attribute)
    return attribute
  }

  static func number(
    _ name: String,
    _ type: AttributeType = .integer32,
    _ change: (inout AttributeDescription) -> Void = { _ in }
  ) -> Self {
    var attribute = AttributeDescription(name: name, type: type, isOptional: true)
    change(&attribute)
    return attribute
  }
}

extension RelationshipDescription {
  static func toOne(_ name: String, _ destination: String, inverse: String?, optional: Bool = true) -> Self {
    RelationshipDescription(
      name: name,
      destinationEntityName: destination,
      inverseName: inverse,
      inverseEntityName: inverse.map { _ in destination },
      isOptional: optional,
      minCount: optional ? 0 : 1,
      maxCount: 1
    )
  }

  static func toMany(_ name: String, _ destination: String, inverse: String?, ordered: Bool = false) -> Self {
    RelationshipDescription(
      name: name,
      destinationEntityName: destination,
      inverseName: inverse,
      inverseEntityName: inverse.map { _ in destination },
      isOptional: true,
      isOrdered: ordered
    )
  }
}
