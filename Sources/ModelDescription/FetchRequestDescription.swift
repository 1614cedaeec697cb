/// A fetch request stored with a model, or inside a fetched property.
public struct FetchRequestDescription: Hashable, Sendable {
  /// The name it is looked up by.
  public var name: String
  /// The entity it fetches.
  public var entityName: String
  /// The predicate's text.
  public var predicate: String?
  /// Every other setting as the source wrote it (`fetchLimit`, `resultType`, …).
  public var settings: [String: String]

  /// Makes a fetch request.
  public init(name: String, entityName: String, predicate: String? = nil, settings: [String: String] = [:]) {
    self.name = name
    self.entityName = entityName
    self.predicate = predicate
    self.settings = settings
  }
}
