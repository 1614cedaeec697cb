import ModelComparison
public import ModelDescription

/// A custom mapping model that you write, in which inference completes all parts that you leave out.
public struct WrittenMappingModel: Hashable, Sendable {
  /// A part of a custom mapping model.
  public enum Part: Hashable, Sendable {
    case model
    /// The text of a `drop`, by the name in it.
    case drop(String)
    /// The replacement of a policy, by its class.
    case policy(String)
    /// An entity mapping, by its position.
    case entityMapping(Int)
    /// An attribute of an entity mapping, by their positions.
    case attribute(Int, of: Int)
    /// A relationship of an entity mapping, by their positions.
    case relationship(Int, of: Int)
  }

  /// The entity mappings in the order they run.
  public var entityMappings: [WrittenEntityMapping]
  /// True if inference maps the entities that no entity mapping mentions.
  public var infersUnmentioned: Bool
  /// The replacements of policy classes that only an app has, by class name.
  public var policyReplacements: [String: PolicyReplacement]
  /// The names of source data that is given up, as `Entity` or `Entity.property`.
  public var droppedData: Set<String>

  /// Creates a custom mapping model.
  public init(
    entityMappings: [WrittenEntityMapping] = [],
    infersUnmentioned: Bool = true,
    policyReplacements: [String: PolicyReplacement] = [:],
    droppedData: Set<String> = []
  ) {
    (self.entityMappings, self.infersUnmentioned) = (entityMappings, infersUnmentioned)
    (self.policyReplacements, self.droppedData) = (policyReplacements, droppedData)
  }

  /// Infers all parts that are left out.
  ///
  /// A property that a custom entity mapping does not name gets the value of the source property that it continues, by
  /// renaming identifier or name. A property that becomes mandatory gets its default value in rows without a value. A
  /// relationship gets the objects that the mapping of the source relationship's destination creates. Derived and
  /// transient properties are not mapped.
  ///
  /// - Returns: the custom entity mappings in their order, then the inferred entity mappings.
  /// - Throws: ``MappingResolutionError`` for the first part that is not valid for these models.
  public func resolved(
    from source: EntityHierarchy,
    to destination: EntityHierarchy
  ) throws(MappingResolutionError) -> MappingModel {
    try MappingResolver(written: self, pairing: ModelStep(from: source, to: destination).pairing).resolved()
  }

  /// Returns the mapping model that a migration runs: the resolved mapping model, or the inferred one if the file
  /// decides nothing.
  ///
  /// The inferred mapping model migrates the rows as if there were no file, without the conditions that only a save
  /// validates.
  ///
  /// - Parameters:
  ///   - source: the version that the rows have.
  ///   - destination: the version that the rows get.
  /// - Returns: the mapping model.
  /// - Throws: as ``resolved(from:to:)``.
  package func running(
    from source: EntityHierarchy, to destination: EntityHierarchy
  ) throws(MappingResolutionError) -> MappingModel {
    let decidesNothing =
      entityMappings.isEmpty && infersUnmentioned && droppedData.isEmpty && policyReplacements.isEmpty
    if decidesNothing, let inferred = try? MappingModel.inferred(from: source, to: destination) { return inferred }
    return try resolved(from: source, to: destination)
  }

  /// Infers all parts that are left out, and leaves empty the parts that inference cannot decide.
  ///
  /// - Returns: the mapping model, and the undecided parts.
  /// - Throws: ``MappingResolutionError`` for the first part that is not valid for these models.
  public func resolvedAsFarAsPossible(
    from source: EntityHierarchy,
    to destination: EntityHierarchy
  ) throws(MappingResolutionError) -> (model: MappingModel, undecided: [MappingResolutionError]) {
    let pairing = ModelStep(from: source, to: destination).pairing
    let resolver = MappingResolver(written: self, pairing: pairing, leavesUndecided: true)
    return (try resolver.resolved(), try resolver.undecided())
  }
}
