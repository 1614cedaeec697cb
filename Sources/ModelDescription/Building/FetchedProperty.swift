/// A fetched property of an entity in code.
public struct FetchedProperty: EntityComponent {
  /// The name that Xcode uses for the fetch request of a fetched property.
  public static let requestName = "fetchedPropertyFetchRequest"

  private let request: FetchRequestTemplate
  private var property: FetchedPropertyDescription
  private var isSyncable: Bool?

  private init(_ name: String, _ request: FetchRequestTemplate) {
    property = FetchedPropertyDescription(name: name)
    self.request = request
  }

  /// Describes a fetched property.
  ///
  /// - Parameter settings: every other setting of the fetch request as model files write it, such as `fetchLimit`.
  public init(
    _ name: String, of entity: String, predicate: String? = nil, requestName: String = Self.requestName,
    settings: [String: String] = [:]
  ) {
    self.init(name, FetchRequestTemplate(requestName, of: entity, predicate: predicate, settings: settings))
  }

  /// Describes a fetched property that fetches the entity of a type.
  ///
  /// - Parameter settings: every other setting of the fetch request as model files write it, such as `fetchLimit`.
  public init<Described: EntityDescribing>(
    _ name: String, of entity: Described.Type, predicate: String? = nil, requestName: String = Self.requestName,
    settings: [String: String] = [:]
  ) {
    self.init(name, FetchRequestTemplate(requestName, of: entity, predicate: predicate, settings: settings))
  }

  /// Makes it optional, as Xcode writes every fetched property.
  public func optional(_ isOptional: Bool = true) -> Self { with { $0.property.isOptional = isOptional } }

  /// Adds userInfo entries.
  public func userInfo(_ entries: [String: String]) -> Self { with { $0.property.userInfo = entries } }

  /// Sets the obsolete sync flag of the editor.
  public func syncable(_ isSyncable: Bool = true) -> Self { with { $0.isSyncable = isSyncable } }

  /// Adds the property to an entity.
  public func add(to draft: inout EntityDraft) {
    var property = property
    property.fetchRequest = request.request
    property.isSyncable = isSyncable ?? draft.propertiesAreSyncable
    draft.entity.fetchedProperties.append(property)
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

/// A fetch request stored with a model, in code.
public struct FetchRequestTemplate: ModelComponent {
  private let name: String
  private let entity: EntityReference
  private let predicate: String?
  private let settings: [String: String]

  private init(_ name: String, _ entity: EntityReference, _ predicate: String?, _ settings: [String: String]) {
    (self.name, self.entity, self.predicate, self.settings) = (name, entity, predicate, settings)
  }

  /// Describes a fetch request.
  ///
  /// - Parameters:
  ///   - name: the name of the template.
  ///   - settings: every other setting as model files write it, such as `fetchLimit`.
  public init(_ name: String, of entity: String, predicate: String? = nil, settings: [String: String] = [:]) {
    self.init(name, EntityReference(entity), predicate, settings)
  }

  /// Describes a fetch request for the entity of a type.
  ///
  /// - Parameters:
  ///   - name: the name of the template.
  ///   - settings: every other setting as model files write it, such as `fetchLimit`.
  public init<Described: EntityDescribing>(
    _ name: String, of entity: Described.Type, predicate: String? = nil, settings: [String: String] = [:]
  ) {
    self.init(name, EntityReference(entity), predicate, settings)
  }

  /// Adds the fetch request to a model.
  public func add(to model: inout ManagedObjectModel) { model.fetchRequests.append(request) }

  var request: FetchRequestDescription {
    FetchRequestDescription(name: name, entityName: entity.name, predicate: predicate, settings: settings)
  }
}
