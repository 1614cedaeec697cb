import ModelComparison
public import ModelDescription

/// A mapping model as somebody writes it by hand: it says what inference does not, and leaves the rest to it.
public struct WrittenMappingModel: Hashable, Sendable {
  /// A place in a written mapping model.
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
  /// True when entities that no entity mapping mentions are mapped as inference maps them.
  public var infersUnmentioned: Bool
  /// What is done in place of policy classes that only an app has, by class name.
  public var policyStandIns: [String: PolicyStandIn]
  /// The names of source data that is given up, as `Entity` or `Entity.property`.
  public var droppedData: Set<String>

  /// Makes a written mapping model.
  public init(
    entityMappings: [WrittenEntityMapping] = [],
    infersUnmentioned: Bool = true,
    policyStandIns: [String: PolicyStandIn] = [:],
    droppedData: Set<String> = []
  ) {
    (self.entityMappings, self.infersUnmentioned) = (entityMappings, infersUnmentioned)
    (self.policyStandIns, self.droppedData) = (policyStandIns, droppedData)
  }

  /// Decides everything that is not written, as inference does.
  ///
  /// A property that a written entity mapping does not name gets the value of the property it continues, by renaming
  /// identifier or name; one that becomes mandatory gets its default where that is empty. A relationship leads to the
  /// objects that the mapping of the source relationship's destination makes. Derived and transient properties are not
  /// mapped.
  ///
  /// - Returns: the written entity mappings in their order, then those that are inferred.
  /// - Throws: ``MappingResolutionError`` with the place of the first thing that means nothing for these models.
  public func resolved(
    from source: EntityHierarchy,
    to destination: EntityHierarchy
  ) throws(MappingResolutionError) -> MappingModel {
    try MappingResolver(written: self, pairing: ModelStep(from: source, to: destination).pairing).resolved()
  }

  /// What a migration runs: the resolved mapping model, and what inference makes if nothing is decided.
  ///
  /// The rows are then migrated as they are without the file, and what only a save validates is not asked of them.
  ///
  /// - Parameters:
  ///   - source: the version that the rows have.
  ///   - destination: the version that they get.
  /// - Returns: the mapping model.
  /// - Throws: as ``resolved(from:to:)``.
  package func running(
    from source: EntityHierarchy, to destination: EntityHierarchy
  ) throws(MappingResolutionError) -> MappingModel {
    let decidesNothing = entityMappings.isEmpty && infersUnmentioned && droppedData.isEmpty && policyStandIns.isEmpty
    if decidesNothing, let inferred = try? MappingModel.inferred(from: source, to: destination) { return inferred }
    return try resolved(from: source, to: destination)
  }

  /// The same where inference cannot decide everything: what it cannot is left empty.
  ///
  /// - Returns: the mapping model, and what nobody has decided, each with its place.
  /// - Throws: ``MappingResolutionError`` with the place of the first thing that means nothing for these models.
  public func resolvedAsFarAsPossible(
    from source: EntityHierarchy,
    to destination: EntityHierarchy
  ) throws(MappingResolutionError) -> (model: MappingModel, undecided: [MappingResolutionError]) {
    let pairing = ModelStep(from: source, to: destination).pairing
    let resolver = MappingResolver(written: self, pairing: pairing, leavesUndecided: true)
    return (try resolver.resolved(), try resolver.undecided())
  }
}
