public import ModelDescription

/// Something about a mapping model that a developer should know before it runs.
public struct MappingFinding: Hashable, Sendable {
  /// What follows from a finding.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The mapping cannot run, or would give a store that cannot be saved.
    case error
    /// It runs, and probably does something else than was meant.
    case warning
    /// It runs; this is what happens to something the mapping does not mention.
    case note

    /// Orders the worst first.
    public static func < (first: Severity, second: Severity) -> Bool {
      (allCases.firstIndex(of: first) ?? 0) < (allCases.firstIndex(of: second) ?? 0)
    }
  }

  /// What a property gets that nothing fills.
  public enum Outcome: Hashable, Sendable {
    case defaultValue(AttributeValue)
    case noValue
    case noObjects
  }

  /// What is the matter.
  public enum Kind: Hashable, Sendable {
    /// The entity mapping names neither a source nor a destination.
    case noEntities
    /// The mapping was made for another definition of an entity.
    case otherVersion(MappingSide, entity: String)
    /// A model has no such entity.
    case unknownEntity(MappingSide, String, near: [String])
    /// The destination entity has no such property.
    case unknownProperty(String, of: String, near: [String])
    /// An attribute is filled as a relationship, or the other way round.
    case wrongPropertyKind(String, of: String, isAttribute: Bool)
    /// The destination property is transient, so that no store keeps its value.
    case notStored(String, of: String)
    /// Another entity mapping has the same name.
    case duplicateName
    /// Another property mapping of the same entity mapping fills the same property.
    case duplicateProperty(String)
    /// Objects of an abstract entity would be made.
    case abstractDestination(String)
    /// No entity mapping reads the objects of an entity.
    case uncoveredSource(String, isInDestination: Bool)
    /// No entity mapping makes objects of an entity.
    case uncoveredDestination(String)
    /// Nothing fills a property, which may be as it should.
    case unfilled(String, of: String, gets: Outcome)
    /// Nothing fills a property that must have a value.
    case unfilledRequired(String, of: String)
    /// An expression has no meaning for the models.
    case expression(ExpressionTypeError)
    /// A filter has no meaning for the source model.
    case filter(ExpressionTypeError)
    /// A policy class that nobody implements or replaces.
    case missingPolicy(String)
    /// An expression calls a function of a policy, and the entity mapping has none.
    case functionWithoutPolicy(selector: String)
    /// What stands in for a policy class lacks a function that an expression calls.
    case missingFunction(selector: String, policy: String)
    /// A relationship is filled with objects of an entity that it does not lead to.
    case otherObjects(mapping: String?, makes: String, relationship: String, wants: String)
    /// No entity mapping reads the objects that a relationship leads to.
    case unmappedObjects(String, relationship: String)
    /// The objects of entities change places: each becomes the next.
    case entityCycle([String])
  }

  /// What follows from it.
  public var severity: Severity
  /// The name of the entity mapping, nil when the finding is of the whole.
  public var mapping: String?
  /// The destination property.
  public var property: String?
  /// What is the matter.
  public var kind: Kind

  /// Makes a finding.
  public init(_ severity: Severity, mapping: String? = nil, property: String? = nil, _ kind: Kind) {
    (self.severity, self.mapping, self.property, self.kind) = (severity, mapping, property, kind)
  }
}
