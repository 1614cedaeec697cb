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
  /// The composite types by name, those that the entities use when some were asked for.
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
  /// - Parameters:
  ///   - name: the model's name.
  ///   - model: the model.
  ///   - names: the entities to show; nil for all. Composite types, configurations and fetch requests that have
  ///     nothing to do with them are left out.
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

  /// Everything there is to know of the model, one fact a line, entity by entity.
  public var text: String { outline.text }

  /// A line an entity.
  public var briefText: String { briefOutline.text }
}

extension ManagedObjectModel {
  /// The entities of these names and what belongs to them.
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
