/// The class of an entity's objects.
public enum ObjectClass: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The class that has the entity's name, as for a new entity in Xcode.
  case sameName
  /// `NSManagedObject` itself: the model names no class.
  case managedObject
  /// A class of another name.
  case named(String)

  /// Names a class.
  public init(stringLiteral name: String) { self = .named(name) }

  func name(for entity: String) -> String? {
    switch self {
    case .sameName: entity
    case .managedObject: nil
    case .named(let name): name
    }
  }
}
