public import ModelDescription

/// A model for people, as text that reads well aloud, and for programs.
public struct ModelReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The model's name.
  public let model: String
  /// The identifiers that a developer gave the version.
  public let versionIdentifiers: [String]
  /// The entities by name.
  public let entities: [Entity]
  /// The composite types by name; for selected entities, only the composite types that they use.
  public let composites: [Composite]
  /// The configurations by name.
  public let configurations: [Configuration]
  /// The fetch requests by name.
  public let fetchRequests: [FetchRequest]
  /// The model as a document to read.
  public let outline: Outline
  /// The same with a line an entity.
  public let briefOutline: Outline

  private enum CodingKeys: CodingKey {
    case version, model, versionIdentifiers, entities, composites, configurations, fetchRequests
  }

  /// Describes a model, or some of its entities.
  ///
  /// - Parameter names: the entities to show; nil for all. Unrelated composite types, configurations and fetch requests
  ///   are left out.
  public init(name: String, model: ManagedObjectModel, entities names: Set<String>? = nil) {
    let part = names.map(model.restricted(toEntities:)) ?? model
    self.model = name
    versionIdentifiers = part.versionIdentifiers.sorted()
    entities = part.entities.sorted { $0.name < $1.name }.map(Entity.init)
    composites = part.composites.sorted { $0.name < $1.name }.map(Composite.init)
    configurations = part.configurations.sorted { $0.name < $1.name }.map(Configuration.init)
    fetchRequests = part.fetchRequests.sorted { $0.name < $1.name }.map(FetchRequest.init)
    let builder = ModelOutline(part, name: name, entityCount: model.entities.count)
    outline = builder.outline
    briefOutline = builder.briefOutline
  }

  /// The complete model, one fact per line, entity by entity.
  public var text: String { outline.text }

  /// A line an entity.
  public var briefText: String { briefOutline.text }

  /// An entity with the properties it declares itself.
  public struct Entity: Encodable, Hashable, Sendable {
    let name: String
    let className: String?
    let parent: String?
    let isAbstract: Bool
    let attributes: [Attribute]
    let relationships: [Relationship]
    let fetchedProperties: [FetchedProperty]
    let uniquenessConstraints: [[String]]
    let indexes: [Index]
    let compoundIndexes: [[String]]
    let renamingIdentifier: String?
    let versionHashModifier: String?
    let codeGeneration: String?
    let userInfo: [String: String]
  }

  /// An attribute, or an element of a composite type.
  public struct Attribute: Encodable, Hashable, Sendable {
    let name: String
    let type: String
    let composite: String?
    let elements: [Attribute]?
    let isOptional: Bool
    let isTransient: Bool
    let defaultValue: Value?
    let minimum: Value?
    let maximum: Value?
    let regularExpression: String?
    let derivation: String?
    let derivationFilter: String?
    let allowsExternalStorage: Bool
    let isPreservedInHistory: Bool
    let allowsCloudEncryption: Bool
    let isIndexed: Bool
    let isIndexedBySpotlight: Bool
    let valueTransformer: String?
    let valueClass: String?
    let usesScalar: Bool?
    let renamingIdentifier: String?
    let versionHashModifier: String?
    let userInfo: [String: String]
  }

  /// A relationship.
  public struct Relationship: Encodable, Hashable, Sendable {
    let name: String
    let destination: String?
    let inverse: String?
    let inverseEntity: String?
    let isToMany: Bool
    let isOrdered: Bool
    let isOptional: Bool
    let isTransient: Bool
    let minCount: Int
    let maxCount: Int
    let deleteRule: String
    let isIndexed: Bool
    let renamingIdentifier: String?
    let versionHashModifier: String?
    let userInfo: [String: String]
  }

  /// A fetched property.
  public struct FetchedProperty: Encodable, Hashable, Sendable {
    let name: String
    let isOptional: Bool
    let fetchRequest: FetchRequest?
    let userInfo: [String: String]
  }

  /// A fetch request of the model or of a fetched property.
  public struct FetchRequest: Encodable, Hashable, Sendable {
    let name: String
    let entity: String
    let predicate: String?
    let settings: [String: String]
  }

  /// A fetch index.
  public struct Index: Encodable, Hashable, Sendable {
    /// The subject and the order of an index element.
    struct Element: Encodable, Hashable {
      let property: String?
      let expression: String?
      let isAscending: Bool
      let isRTree: Bool
    }

    let name: String
    let elements: [Element]
    let predicate: String?
  }

  /// A composite type.
  public struct Composite: Encodable, Hashable, Sendable {
    let name: String
    let elements: [Attribute]
  }

  /// A configuration.
  public struct Configuration: Encodable, Hashable, Sendable {
    let name: String
    let entities: [String]
  }
}

extension ManagedObjectModel {
  /// The model with only these entities and their parts.
  fileprivate func restricted(toEntities names: Set<String>) -> ManagedObjectModel {
    var part = self
    part.entities = entities.filter { names.contains($0.name) }
    var used = Set(part.entities.flatMap(\.attributes).compactMap(\.compositeName))
    var found: Set<String> = []
    while found != used {
      found = used
      used.formUnion(composites.filter { found.contains($0.name) }.flatMap(\.elements).compactMap(\.compositeName))
    }
    part.composites = composites.filter { found.contains($0.name) }
    part.configurations = configurations.filter { !names.isDisjoint(with: $0.entityNames) }
    part.fetchRequests = fetchRequests.filter { names.contains($0.entityName) }
    return part
  }
}

/// All settings of a model, one per line, to compare two states line by line.
///
/// The text does not depend on the model's name or on the order of the file. Settings of the editor are left out: the
/// diagram, whether elements synchronise, and scalar types of generated code. Renaming identifiers equal to the
/// element's own name are left out too, because they do not have an effect.
public struct CompleteModelText: Hashable, Sendable {
  /// The text; line breaks in values are escaped.
  public let text: String

  /// Describes a model.
  public init(_ model: ManagedObjectModel) {
    let outline = ModelOutline(
      model.withoutIdleIdentifiers, name: "model", entityCount: model.entities.count, isComplete: true
    ).outline
    let parts = outline.parts.flatMap { part in
      ["", Self.line(part)] + part.parts.map { "  \(Self.line($0))" }
    }
    text = (([outline.title] + outline.facts).map(PrintableText.line) + parts).joined(separator: "\n") + "\n"
  }

  private static func line(_ part: Outline) -> String {
    PrintableText.line(([part.title] + part.facts).joined(separator: ", "))
  }
}
