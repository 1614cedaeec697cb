public import ModelDescription

/// The reason that a custom mapping model is not valid for two models, and the part that is wrong.
public struct MappingResolutionError: Error, Hashable, Sendable {
  /// The source model or the destination model.
  public enum Side: String, Hashable, Sendable {
    case source
    case destination
  }

  /// The reason of a resolution error.
  public enum Reason: Hashable, Sendable {
    /// An entity mapping names no source and no destination.
    case noEntity
    /// The model lacks an entity of this name.
    case unknownEntity(String, Side, near: [String])
    /// The destination entity lacks a property of this name.
    case unknownProperty(String, entity: String, near: [String])
    /// The destination property is a relationship, and the mapping names it as an attribute.
    case relationshipAsAttribute(String, entity: String)
    /// The destination property is an attribute, and the mapping names it as a relationship.
    case attributeAsRelationship(String, entity: String)
    /// Another entity mapping has the name.
    case duplicateName(String)
    /// An inferred entity mapping has the name.
    case nameOfInferredMapping(String)
    /// A property is mapped twice.
    case duplicateProperty(String)
    /// A mapping without a destination entity lists properties.
    case propertiesWithoutDestination
    /// A mapping without a source entity has a filter.
    case filterWithoutSource
    /// A relationship refers to an entity mapping that does not exist.
    case unknownMapping(String, near: [String])
    /// A relationship names a mapping without source objects, and no source relationship continues as it.
    case noSourceRelationship(String, entity: String)
    /// The key path does not give objects of a source entity.
    case noObjects(at: ValueExpression)
    /// No mapping, or several mappings, create the objects of a key path.
    case severalMappings([String], entity: String)
    /// The value is not inferred, because the types do not convert.
    case incompatibleTypes(String, TypeConversion)
    /// The value is not inferred, because several source properties could continue as the property.
    case ambiguousProperty(String, sources: [String])
    /// Entities without a mapping are not inferred, because several claim each other by a renaming identifier.
    case ambiguousEntity(String, sources: [String])
    /// The dropped element is not in the source model.
    case unknownDrop(String, near: [String])
  }

  /// The reason of the error.
  public let reason: Reason
  /// The part that is wrong.
  public let part: WrittenMappingModel.Part

  /// Creates an error.
  public init(_ reason: Reason, at part: WrittenMappingModel.Part) { (self.reason, self.part) = (reason, part) }
}

extension MappingResolutionError: AdvisedError {
  /// Nil, because only the reader of a file knows the location of the part.
  public var place: String? { nil }

  /// The cause as a sentence.
  public var cause: String { words.cause }

  /// The text to write instead.
  public var advice: Advice? { words.advice }

  /// The cause and the advice.
  package var words: ErrorWords {
    switch reason {
    case .noEntity: .init("the entity mapping names no entity", "write source=\"…\", destination=\"…\" or both")
    case .unknownEntity(let name, let side, let near):
      .init(CommonWords.unknown("entity", name, in: "the \(side.rawValue) model", near: near), "correct the name")
    case .unknownProperty(let name, let entity, let near):
      .init(
        CommonWords.unknown("property", name, in: "the destination entity \(entity)", near: near), "correct the name")
    case .relationshipAsAttribute(let name, let entity):
      .init("\(entity).\(name) is a relationship", "write <relationship name=\"\(name)\" …/>")
    case .attributeAsRelationship(let name, let entity):
      .init("\(entity).\(name) is an attribute", "write <attribute name=\"\(name)\" …/>")
    case .duplicateName(let name):
      .init("two entity mappings have the name “\(name)”", "give one of them another name=\"…\"")
    case .nameOfInferredMapping(let name):
      .init("an inferred entity mapping also has the name “\(name)”", "give this mapping another name=\"…\"")
    case .duplicateProperty(let name): .init("“\(name)” is mapped twice", "remove one of the mappings")
    case .propertiesWithoutDestination:
      .init("an entity mapping without a destination creates no objects, so it cannot map properties")
    case .filterWithoutSource:
      .init("an entity mapping without a source reads no objects", "remove where=\"…\", or add source=\"…\"")
    case .unknownMapping(let name, let near):
      .init(CommonWords.unknown("entity mapping", name, in: "the mapping model", near: near), "correct the name")
    case .noSourceRelationship(let name, let entity):
      .init(
        "the source entity \(entity) has no relationship that \(name) continues",
        "name the source with keyPath=\"$source.…\"")
    case .noObjects(let keyPath):
      .init(
        "\(keyPath) gives no objects of the source model", "write a key path of relationships that begins with $source")
    case .severalMappings(let names, let entity):
      names.isEmpty
        ? .init("no entity mapping creates these objects from \(entity)", "add a mapping, or write empty=\"yes\"")
        : .init("\(names.joined(separator: " and ")) create objects from \(entity)", "choose one with mapping=\"…\"")
    case .incompatibleTypes(let name, let conversion):
      .init(
        "\(name) changes from \(conversion.from.name) to \(conversion.to.name), and this is not inferred",
        "write value=\"…\", sql=\"…\" or default=\"yes\"\(inItsOwnMapping)")
    case .ambiguousProperty(let name, let sources):
      .init(Self.ambiguity(name, sources), "choose one with value=\"$source.…\"\(inItsOwnMapping)")
    case .ambiguousEntity(let name, let sources):
      .init(Self.ambiguity(name, sources), "write an entity mapping for \(name)")
    case .unknownDrop(let name, let near):
      .init("the source model has no “\(name)” to drop\(NearNames.clause(near))", "correct the name")
    }
  }

  private static func ambiguity(_ name: String, _ sources: [String]) -> String {
    "renaming identifiers do not pair \(name) and \(sources.prefix(10).joined(separator: ", ")) uniquely"
  }

  /// An addition to the advice if the mapping model does not mention the entity.
  private var inItsOwnMapping: String { part == .model ? " in an entityMapping of its own" : "" }
}
