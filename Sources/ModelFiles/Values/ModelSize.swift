import Dispatch
import Foundation
import ModelDescription

/// How large a model may be: beyond all that is known, and small enough that looking at it is a matter of moments.
///
/// The limits are about what grows with the product of two counts, such as the inherited properties of all entities.
/// A model of ten thousand entities in a chain would need fifty million look-ups to be hashed.
package enum ModelSize {
  /// The most entities; the largest models known have a few hundred.
  package static let entityLimit = 2_000
  /// The most properties, inherited ones included, and the most indexes and constraints of an entity; a table of SQLite
  /// has at most so many columns.
  package static let elementLimit = 2_000
  /// The most ancestors an entity may have.
  package static let depthLimit = 100
  /// The most properties of all entities together, inherited ones counted in each.
  package static let propertyLimit = 30_000
  /// The most members of all configurations together.
  package static let memberLimit = 100_000
  /// The most UTF-8 bytes a name may have; SQLite's own limit for a statement is a million.
  package static let nameLimit = 10_000

  /// Checks a model that was just read, before anything is made of it; its inheritance may be unsound.
  static func check(_ model: ManagedObjectModel, path: String) throws(ModelFileError) {
    func limit(_ what: String, _ count: Int, to limit: Int) throws(ModelFileError) {
      guard count <= limit else { throw .tooLarge(path: path, what: what, limit: limit) }
    }
    try limit("the number of its entities", model.entities.count, to: entityLimit)
    try limit("the length of a name", longestName(in: model), to: nameLimit)
    let members = model.configurations.reduce(0) { $0 + $1.entityNames.count }
    try limit("the number of its configurations' members", members, to: memberLimit)
    let inheritance = inheritance(of: model)
    try limit("the depth of its inheritance", inheritance.depth, to: depthLimit)
    try limit("the number of an entity's properties, inherited ones included,", inheritance.most, to: elementLimit)
    try limit("the number of all properties, inherited ones included,", inheritance.total, to: propertyLimit)
    for entity in model.entities {
      let count = max(
        entity.fetchIndexes.count, entity.compoundIndexes.count, entity.uniquenessConstraints.count,
        entity.fetchedProperties.count)
      try limit("the number of an entity's indexes, constraints or fetched properties", count, to: elementLimit)
    }
  }

  private static func longestName(in model: ManagedObjectModel) -> Int {
    var longest = 0
    for entity in model.entities {
      longest = max(longest, entity.name.utf8.count, entity.renamingIdentifier?.utf8.count ?? 0)
      for attribute in entity.attributes {
        longest = max(longest, attribute.name.utf8.count, attribute.renamingIdentifier?.utf8.count ?? 0)
      }
      for relationship in entity.relationships {
        longest = max(longest, relationship.name.utf8.count, relationship.renamingIdentifier?.utf8.count ?? 0)
      }
      for index in entity.fetchIndexes { longest = max(longest, index.name.utf8.count) }
    }
    return longest
  }

  /// The most ancestors and properties of an entity, and all properties; what is no hierarchy is counted as far as it
  /// is one.
  private static func inheritance(of model: ManagedObjectModel) -> (depth: Int, most: Int, total: Int) {
    let byName = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
    var known: [String: (depth: Int, properties: Int)] = [:]
    var (deepest, most, total) = (0, 0, 0)
    for entity in model.entities {
      var path: [EntityDescription] = []
      var seen: Set<String> = []
      var next: EntityDescription? = entity
      while let current = next, known[current.name] == nil, seen.insert(current.name).inserted {
        path.append(current)
        next = current.superentityName.flatMap { byName[$0] }
      }
      var above = next.flatMap { known[$0.name] } ?? (depth: -1, properties: 0)
      for member in path.reversed() {
        above = (above.depth + 1, above.properties + member.attributes.count + member.relationships.count)
        known[member.name] = above
      }
      let own = known[entity.name] ?? above
      (deepest, most, total) = (max(deepest, own.depth), max(most, own.properties), total + own.properties)
    }
    return (deepest, most, total)
  }
}

extension Array where Element: Sendable {
  /// The results of a function for every element, in their order, computed on all cores.
  package func concurrentMap<Result: Sendable>(_ transform: @Sendable (Element) -> Result) -> [Result] {
    let results = IndexedResults<Result>(count: count)
    // A value of a task is not that of other threads.
    let isSpoken = TextWidth.isSpoken
    DispatchQueue.concurrentPerform(iterations: count) { position in
      results.set(TextWidth.$isSpoken.withValue(isSpoken) { transform(self[position]) }, at: position)
    }
    return results.all
  }
}

/// Results that threads fill in, each at its own position.
private final class IndexedResults<Result: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var results: [Result?]

  init(count: Int) { results = Array(repeating: nil, count: count) }

  func set(_ result: Result, at position: Int) { lock.withLock { results[position] = result } }

  var all: [Result] { lock.withLock { results.compactMap { $0 } } }
}
