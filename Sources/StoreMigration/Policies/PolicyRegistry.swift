/// The policies that a program brings along, by the name of the class they stand for.
public struct PolicyRegistry: Sendable {
  /// Makes a policy for one entity mapping.
  public typealias Factory = @Sendable () -> any EntityMigrationPolicy

  private var factories: [String: Factory] = [:]

  /// Makes a registry without policies.
  public init() {}

  /// Adds a policy.
  ///
  /// - Parameters:
  ///   - className: the name that mapping models give, with its module, as `LoopKit.X`, or without.
  ///   - factory: makes a policy; it is called once for each entity mapping.
  public mutating func register(_ className: String, _ factory: @escaping Factory) {
    factories[className] = factory
  }

  /// True when there is none.
  var isEmpty: Bool { factories.isEmpty }

  /// The factory of a class; a name without a module stands for the class in any.
  func factory(for className: String) -> Factory? { PolicyName.find(className, in: factories) }
}

/// The name of a policy class, with or without its module.
enum PolicyName {
  /// The entry of a name: its own, else one of which either has no module, the first by name.
  static func find<Value>(_ className: String, in entries: [String: Value]) -> Value? {
    if let exact = entries[className] { return exact }
    let name = unqualified(className)
    let other = entries.keys.sorted().first { other in
      unqualified(other) == name && (other == name || className == name)
    }
    return other.flatMap { entries[$0] }
  }

  private static func unqualified(_ className: String) -> String {
    className.split(separator: ".").last.map(String.init) ?? className
  }
}
