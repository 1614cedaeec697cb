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

/// The order of entities among their siblings: by name without case, as Core Data numbers them.
struct SiblingOrder: Comparable {
  private let caseless: String
  private let name: String

  init(_ name: String) {
    (self.name, caseless) = (name, name.lowercased())
  }

  static func < (first: SiblingOrder, second: SiblingOrder) -> Bool {
    first.caseless == second.caseless
      ? first.name.precedesByBytes(second.name)
      : first.caseless.precedesByBytes(second.caseless)
  }
}
