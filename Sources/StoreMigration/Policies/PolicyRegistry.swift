import MappingModels

/// The policies that a program provides, by the name of their class in mapping models.
public struct PolicyRegistry: Sendable {
  /// Creates a policy for a single entity mapping.
  public typealias Factory = @Sendable () -> any EntityMigrationPolicy

  private var factories: [String: Factory] = [:]

  /// Creates a registry without policies.
  public init() {}

  /// Adds a policy.
  ///
  /// - Parameters:
  ///   - className: the name in mapping models, with its module, such as `LoopKit.X`, or without it.
  ///   - factory: creates a policy; it is called once for each entity mapping.
  public mutating func register(_ className: String, _ factory: @escaping Factory) { factories[className] = factory }

  var isEmpty: Bool { factories.isEmpty }

  /// The factory of a class; a name without a module matches the class in any module.
  func factory(for className: String) -> Factory? { PolicyName.find(className, in: factories) }
}
