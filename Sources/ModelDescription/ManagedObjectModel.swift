/// A Core Data model as a value: its entities and everything declared beside them.
///
/// A model read from a file may be broken (an unknown parent, two entities of one name); ``EntityHierarchy`` is the
/// proof that it is not, and everything that computes with a model starts from one.
public struct ManagedObjectModel: Hashable, Sendable {
  /// The entities in the order of their source.
  public var entities: [EntityDescription]
  /// The composite attribute types that attributes refer to by name.
  public var composites: [CompositeDescription]
  /// The named configurations, each a subset of the entities.
  public var configurations: [ModelConfiguration]
  /// The fetch requests stored with the model.
  public var fetchRequests: [FetchRequestDescription]
  /// The developer's own version identifiers; they enter no hash.
  public var versionIdentifiers: [String]

  /// Makes a model of these parts.
  public init(
    entities: [EntityDescription],
    composites: [CompositeDescription] = [],
    configurations: [ModelConfiguration] = [],
    fetchRequests: [FetchRequestDescription] = [],
    versionIdentifiers: [String] = []
  ) {
    self.entities = entities
    self.composites = composites
    self.configurations = configurations
    self.fetchRequests = fetchRequests
    self.versionIdentifiers = versionIdentifiers
  }
}

extension ManagedObjectModel {
  /// Returns the model a store of one configuration holds: only that configuration's entities.
  ///
  /// - Parameter configuration: the name of the configuration.
  /// - Returns: the reduced model, or nil when there is no configuration of that name.
  public func restricted(toConfiguration configuration: String) -> ManagedObjectModel? {
    guard let configuration = configurations.first(where: { $0.name == configuration }) else { return nil }
    let members = Set(configuration.entityNames)
    var model = self
    model.entities = entities.filter { members.contains($0.name) }
    return model
  }
}

/// A named group of attributes that a composite attribute stores together.
public struct CompositeDescription: Hashable, Sendable {
  /// The composite type's name.
  public var name: String
  /// Its attributes, which may themselves be composite.
  public var elements: [AttributeDescription]

  /// Makes a composite type.
  public init(name: String, elements: [AttributeDescription]) {
    self.name = name
    self.elements = elements
  }
}

/// A named subset of a model's entities; a store opened with it holds only those.
public struct ModelConfiguration: Hashable, Sendable {
  /// The configuration's name.
  public var name: String
  /// The names of the member entities.
  public var entityNames: [String]

  /// Makes a configuration.
  public init(name: String, entityNames: [String]) {
    self.name = name
    self.entityNames = entityNames
  }
}
