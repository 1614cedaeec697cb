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
  ///   - name: the name it is looked up by.
  ///   - entity: the name of the entity it fetches.
  ///   - predicate: the predicate's text.
  ///   - settings: every other setting as model files write it, such as `fetchLimit`.
  public init(_ name: String, of entity: String, predicate: String? = nil, settings: [String: String] = [:]) {
    self.init(name, EntityReference(entity), predicate, settings)
  }

  /// Describes a fetch request for the entity of a type.
  ///
  /// - Parameters:
  ///   - name: the name it is looked up by.
  ///   - entity: the type that describes the entity it fetches.
  ///   - predicate: the predicate's text.
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
