public import ModelDescription

/// Why a written mapping model means nothing for two models, and where.
public struct MappingResolutionError: Error, Hashable, Sendable {
  /// One of the two models.
  public enum Side: String, Hashable, Sendable {
    case source
    case destination
  }

  /// What is wrong.
  public enum Cause: Hashable, Sendable {
    /// An entity mapping names neither a source nor a destination.
    case noEntity
    /// The model has no entity of this name.
    case unknownEntity(String, Side, near: [String])
    /// The destination entity has no property of this name.
    case unknownProperty(String, entity: String, near: [String])
    /// The destination property is a relationship and is written as an attribute.
    case relationshipAsAttribute(String, entity: String)
    /// The destination property is an attribute and is written as a relationship.
    case attributeAsRelationship(String, entity: String)
    /// A second entity mapping has the name.
    case duplicateName(String)
    /// An entity mapping has the name of one that is inferred.
    case nameOfInferredMapping(String)
    /// A property is mapped twice.
    case duplicateProperty(String)
    /// A mapping without a destination entity lists properties.
    case propertiesWithoutDestination
    /// A mapping without a source entity has a filter.
    case filterWithoutSource
    /// A relationship refers to an entity mapping that does not exist.
    case unknownMapping(String, near: [String])
    /// A relationship names a mapping and no source objects, and the source has no relationship it continues.
    case noSourceRelationship(String, entity: String)
    /// The key path leads to no source entity.
    case noObjects(at: ValueExpression)
    /// Not exactly one mapping makes the objects of a key path.
    case severalMappings([String], entity: String)
    /// The value cannot be inferred, because the types do not convert.
    case incompatibleTypes(String, TypeConversion)
    /// The value cannot be inferred, because several source properties claim to be continued by it.
    case ambiguousProperty(String, sources: [String])
    /// The entities that are not mentioned cannot be inferred, because several claim each other by a renaming identifier.
    case ambiguousEntity(String, sources: [String])
    /// What is dropped is not in the source model.
    case unknownDrop(String, near: [String])
  }

  /// What is wrong.
  public let cause: Cause
  /// Where.
  public let place: WrittenMappingModel.Place

  /// Makes an error.
  public init(_ cause: Cause, at place: WrittenMappingModel.Place) { (self.cause, self.place) = (cause, place) }
}

extension MappingResolutionError: CustomStringConvertible {
  /// The cause and what to write instead.
  public var description: String { words.sentence }

  /// The cause, and what to write instead.
  package var words: ErrorWords {
    switch cause {
    case .noEntity: .init("an entity mapping without entities", "write source=\"…\", destination=\"…\" or both")
    case .unknownEntity(let name, let side, let near):
      .init("the \(side.rawValue) model has no entity “\(name)”", Self.advice(near))
    case .unknownProperty(let name, let entity, let near):
      .init("the destination entity \(entity) has no property “\(name)”", Self.advice(near))
    case .relationshipAsAttribute(let name, let entity):
      .init("\(entity).\(name) is a relationship", "write <relationship name=\"\(name)\" …/>")
    case .attributeAsRelationship(let name, let entity):
      .init("\(entity).\(name) is an attribute", "write <attribute name=\"\(name)\" …/>")
    case .duplicateName(let name):
      .init("a second entity mapping named “\(name)”", "give one of them another name=\"…\"")
    case .nameOfInferredMapping(let name):
      .init("an entity mapping that is inferred has the name “\(name)” too", "give this one another name=\"…\"")
    case .duplicateProperty(let name): .init("“\(name)” is mapped twice", "take one away")
    case .propertiesWithoutDestination:
      .init("an entity mapping without a destination makes no objects, so that no property can be mapped")
    case .filterWithoutSource:
      .init("an entity mapping without a source reads no objects", "take where=\"…\" away or add source=\"…\"")
    case .unknownMapping(let name, let near): .init("no entity mapping is named “\(name)”", Self.advice(near))
    case .noSourceRelationship(let name, let entity):
      .init(
        "the source entity \(entity) has no relationship that \(name) continues",
        "say from where with keyPath=\"$source.…\"")
    case .noObjects(let keyPath):
      .init("\(keyPath) leads to no objects of the source model", "a key path goes over relationships from $source")
    case .severalMappings(let names, let entity):
      names.isEmpty
        ? .init("no entity mapping makes such objects of \(entity)", "add one, or write empty=\"yes\"")
        : .init("\(names.joined(separator: " and ")) make objects of \(entity)", "choose one with mapping=\"…\"")
    case .incompatibleTypes(let name, let conversion):
      .init(
        "\(name) changes from \(conversion.from.name) to \(conversion.to.name), which is not inferred",
        "write value=\"…\", sql=\"…\" or default=\"yes\"\(inItsOwnMapping)")
    case .ambiguousProperty(let name, let sources):
      .init(Self.ambiguity(name, sources), "say which with value=\"$source.…\"\(inItsOwnMapping)")
    case .ambiguousEntity(let name, let sources):
      .init(Self.ambiguity(name, sources), "write an entity mapping for \(name)")
    case .unknownDrop(let name, let near):
      .init("the source model has no “\(name)” that could be dropped", Self.advice(near))
    }
  }

  private static func ambiguity(_ name: String, _ sources: [String]) -> String {
    "renaming identifiers do not pair \(name) and \(sources.prefix(10).joined(separator: ", ")) with each other alone"
  }

  /// Where an entity is not mentioned, its mapping is to be written first.
  private var inItsOwnMapping: String { place == .model ? " in an entityMapping of its own" : "" }

  private static func advice(_ near: [String]) -> Advice? {
    near.isEmpty ? nil : "\(NearNames.words(near))"
  }
}
