/// A Core Data model as a value: its entities, composite types, configurations and fetch request templates.
///
/// A model from a file may be broken, for example with an unknown parent or two entities of the same name. An
/// ``EntityHierarchy`` is made only of a sound model, and computations with a model take a hierarchy.
public struct ManagedObjectModel: Hashable, Sendable {
  /// The entities in the order of their source.
  public var entities: [EntityDescription]
  /// The composite attribute types that attributes refer to by name.
  public var composites: [CompositeDescription]
  /// The named configurations, each a subset of the entities.
  public var configurations: [ModelConfiguration]
  /// The fetch requests stored with the model.
  public var fetchRequests: [FetchRequestDescription]
  /// Your own version identifiers; they are not hashed.
  public var versionIdentifiers: [String]

  /// Makes a model of these parts.
  public init(
    entities: [EntityDescription],
    composites: [CompositeDescription] = [],
    configurations: [ModelConfiguration] = [],
    fetchRequests: [FetchRequestDescription] = [],
    versionIdentifiers: [String] = []
  ) {
    (self.entities, self.composites, self.configurations) = (entities, composites, configurations)
    (self.fetchRequests, self.versionIdentifiers) = (fetchRequests, versionIdentifiers)
  }

  /// Returns the model of a store with a configuration, which has only the entities of the configuration.
  ///
  /// - Returns: the reduced model; nil if there is no configuration of this name.
  public func restricted(toConfiguration configuration: String) -> ManagedObjectModel? {
    entityNames(inConfiguration: configuration).map { members in
      var model = self
      model.entities = entities.filter { members.contains($0.name) }
      return model
    }
  }

  /// The names of the entities of a configuration; nil if there is no configuration of this name.
  package func entityNames(inConfiguration configuration: String) -> Set<String>? {
    configurations.first { $0.name == configuration }.map { Set($0.entityNames) }
  }

  /// The model with only the settings in a store's own copy, and with all indexes in the same format.
  ///
  /// A store does not contain settings of the editor and classes of the app.
  package var storedForm: ManagedObjectModel {
    var model = self
    for position in model.entities.indices { model.entities[position] = model.entities[position].storedForm }
    for position in model.composites.indices {
      model.composites[position].elements = model.composites[position].elements.map(\.storedForm)
    }
    return model
  }
}

extension EntityDescription {
  fileprivate var storedForm: EntityDescription {
    var entity = self
    // An index of one attribute marks the attribute as indexed in what Core Data keeps.
    let indexed = Set(
      fetchIndexes.compactMap { index -> String? in
        guard index.elements.count == 1, case .property(let name)? = index.elements.first?.subject,
          index.elements[0].isAscending
        else { return nil }
        return name
      })
    for position in entity.attributes.indices where indexed.contains(entity.attributes[position].name) {
      entity.attributes[position].isIndexed = false
    }
    entity.fetchIndexes = entity.allFetchIndexes
    entity.compoundIndexes = []
    entity.className = nil
    entity.codeGeneration = nil
    entity.isSyncable = true
    entity.attributes = entity.attributes.map(\.storedForm)
    for position in entity.relationships.indices {
      entity.relationships[position].isIndexed = false
      entity.relationships[position].isSyncable = true
    }
    for position in entity.fetchedProperties.indices { entity.fetchedProperties[position].isSyncable = true }
    return entity
  }
}

extension AttributeDescription {
  fileprivate var storedForm: AttributeDescription {
    var attribute = self
    attribute.isIndexed = false
    attribute.isSyncable = true
    attribute.usesScalarValueType = nil
    // Where a store's own copy has it is not known.
    attribute.allowsCloudEncryption = false
    attribute.elements = attribute.elements.map(\.storedForm)
    return attribute
  }
}

/// A named group of attributes that a composite attribute stores together.
public struct CompositeDescription: Hashable, Sendable {
  /// The composite type's name.
  public var name: String
  /// Its attributes, which can themselves be composite.
  public var elements: [AttributeDescription]

  /// Makes a composite type.
  public init(name: String, elements: [AttributeDescription]) { (self.name, self.elements) = (name, elements) }
}

/// A named subset of a model's entities; a store opened with it contains only these entities.
public struct ModelConfiguration: Hashable, Sendable {
  /// The configuration's name.
  public var name: String
  /// The names of the member entities.
  public var entityNames: [String]

  /// Makes a configuration.
  public init(name: String, entityNames: [String]) { (self.name, self.entityNames) = (name, entityNames) }
}

/// A fetch request stored with a model, or inside a fetched property.
public struct FetchRequestDescription: Hashable, Sendable {
  /// The name of the template.
  public var name: String
  /// The entity it fetches.
  public var entityName: String
  /// The predicate's text.
  public var predicate: String?
  /// Every other setting as the source writes it (`fetchLimit`, `resultType`, …).
  public var settings: [String: String]

  /// Makes a fetch request.
  public init(name: String, entityName: String, predicate: String? = nil, settings: [String: String] = [:]) {
    (self.name, self.entityName, self.predicate, self.settings) = (name, entityName, predicate, settings)
  }
}
