public import ModelDescription

/// Something about a mapping model that a developer should know before it runs.
public struct MappingFinding: Hashable, Sendable {
  /// The severity of a finding.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The mapping cannot run, or would give a store that cannot be saved.
    case error
    /// The mapping runs, and probably not as you intend.
    case warning
    /// The mapping runs; the note reports the effect on an element that the mapping does not mention.
    case note

    /// Orders the worst first.
    public static func < (first: Severity, second: Severity) -> Bool {
      (allCases.firstIndex(of: first) ?? 0) < (allCases.firstIndex(of: second) ?? 0)
    }
  }

  /// The result for a property that nothing fills.
  public enum Outcome: Hashable, Sendable {
    case defaultValue(AttributeValue)
    case noValue
    case noObjects
  }

  /// The kind of a finding.
  public enum Kind: Hashable, Sendable {
    /// The entity mapping names no source and no destination.
    case noEntities
    /// The mapping was made for a different version of an entity.
    case otherVersion(MappingSide, entity: String)
    /// A model lacks this entity.
    case unknownEntity(MappingSide, String, near: [String])
    /// The destination entity lacks this property.
    case unknownProperty(String, of: String, near: [String])
    /// An attribute is filled as a relationship, or a relationship as an attribute.
    case wrongPropertyKind(String, of: String, isAttribute: Bool)
    /// The destination property is transient, so that no store keeps its value.
    case notStored(String, of: String)
    /// Another entity mapping has the same name.
    case duplicateName
    /// Another property mapping of the same entity mapping fills the same property.
    case duplicateProperty(String)
    /// The mapping would create objects of an abstract entity.
    case abstractDestination(String)
    /// No entity mapping reads the objects of an entity.
    case uncoveredSource(String, isInDestination: Bool)
    /// No entity mapping makes objects of an entity.
    case uncoveredDestination(String)
    /// Nothing fills a property, which may be intended.
    case unfilled(String, of: String, gets: Outcome)
    /// Nothing fills a property that must have a value.
    case unfilledRequired(String, of: String)
    /// An expression is not valid for the models.
    case expression(ExpressionTypeError)
    /// A filter is not valid for the source model.
    case filter(ExpressionTypeError)
    /// A policy class has no implementation and no replacement.
    case missingPolicy(String)
    /// An expression calls a function of a policy, and the entity mapping names no policy class.
    case functionWithoutPolicy(selector: String)
    /// The replacement of a policy class lacks a function that an expression calls.
    case missingFunction(selector: String, policy: String)
    /// A relationship is filled with objects of an entity that it cannot hold.
    case otherObjects(mapping: String?, makes: String, relationship: String, wants: String)
    /// No entity mapping reads the objects of a relationship.
    case unmappedObjects(String, relationship: String)
    /// The objects of entities change places: each becomes the next.
    case entityCycle([String])
  }

  /// The severity.
  public var severity: Severity
  /// The name of the entity mapping; nil if the finding is about the complete mapping model.
  public var mapping: String?
  /// The destination property.
  public var property: String?
  /// The kind.
  public var kind: Kind

  /// Creates a finding.
  public init(_ severity: Severity, mapping: String? = nil, property: String? = nil, _ kind: Kind) {
    (self.severity, self.mapping, self.property, self.kind) = (severity, mapping, property, kind)
  }
}
