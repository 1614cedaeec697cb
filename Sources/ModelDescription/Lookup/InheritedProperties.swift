import Foundation

/// The inherited property sets of a hierarchy's entities, each put together once, when it is first asked for.
final class InheritedProperties: @unchecked Sendable {
  private let lock = NSLock()
  private var attributes: [String: [String: EntityHierarchy.Declared<AttributeDescription>]] = [:]
  private var relationships: [String: [String: EntityHierarchy.Declared<RelationshipDescription>]] = [:]

  func attributes(
    of entity: String, make: () -> [String: EntityHierarchy.Declared<AttributeDescription>]
  ) -> [String: EntityHierarchy.Declared<AttributeDescription>] {
    lock.lock()
    defer { lock.unlock() }
    if let known = attributes[entity] { return known }
    let made = make()
    attributes[entity] = made
    return made
  }

  func relationships(
    of entity: String, make: () -> [String: EntityHierarchy.Declared<RelationshipDescription>]
  ) -> [String: EntityHierarchy.Declared<RelationshipDescription>] {
    lock.lock()
    defer { lock.unlock() }
    if let known = relationships[entity] { return known }
    let made = make()
    relationships[entity] = made
    return made
  }
}
