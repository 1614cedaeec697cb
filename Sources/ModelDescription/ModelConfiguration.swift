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
