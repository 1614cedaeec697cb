import Foundation
public import ModelDescription
import StoreRows

/// Compares objects of two stores with their partners.
struct ObjectComparison {
  private let before: WholeObjects
  private let after: WholeObjects
  private let partners: ObjectPartners

  init(before: WholeObjects, after: WholeObjects, matching: ObjectMatching) throws {
    (self.before, self.after) = (before, after)
    partners = try ObjectPartners(matching, from: before, to: after)
  }

  /// The changes of objects of the first store.
  func changes(of records: [ObjectRecord], _ entity: String) throws -> [ObjectChange] {
    let keys = records.compactMap { partners.partner(of: $0.id)?.key }
    let found = try after.objects(of: entity, keys: keys).filter { $0.id.entity == entity }
    let others = Dictionary(found.map { ($0.id.key, $0) }) { first, _ in first }
    let ordered = Set(before.toMany(of: entity).map(\.property).filter(\.isOrdered).map(\.name))
    return records.compactMap { record in
      guard let partner = partners.partner(of: record.id), let other = others[partner.key] else {
        return .removed(record)
      }
      let changes = self.changes(from: record, to: other, ordered: ordered)
      return changes.isEmpty ? nil : .changed(record.id, to: other.id, changes)
    }
  }

  /// The keys of the objects of an entity that only the second store has.
  func added(_ entity: String) throws -> [Int64] {
    var added: [Int64] = []
    if let matched = partners.matched(of: entity) {
      try after.forEachKey(of: entity) { if !matched.contains($0) { added.append($0) } }
      return added
    }
    var request = RecordRequest(entity)
    (request.includesSubentities, request.properties) = (false, [])
    let known = try before.reading.cursor(request)
    var next = try known.next()?.id.key
    try after.forEachKey(of: entity) { key in
      while let own = next, own < key { next = try known.next()?.id.key }
      if next != key { added.append(key) }
    }
    return added
  }

  private func changes(from record: ObjectRecord, to other: ObjectRecord, ordered: Set<String>) -> [PropertyChange] {
    Set(record.values.keys).union(other.values.keys).sorted().compactMap { name in
      let (old, new) = (record[name] ?? .null, other[name] ?? .null)
      if case .objects(let had) = old, case .objects(let has) = new {
        return list(had, has, isOrdered: ordered.contains(name)).map { PropertyChange(name, $0) }
      }
      return isSame(old, new) ? nil : PropertyChange(name, .value(shown(old, before), to: shown(new, after)))
    }
  }

  private func list(_ had: [RecordID], _ has: [RecordID], isOrdered: Bool) -> PropertyChange.Content? {
    let (translated, present) = (had.map { partners.partner(of: $0) }, Set(has))
    let known = Set(translated.compactMap { $0 })
    let removed = zip(had, translated).filter { _, partner in partner.map(present.contains) != true }.map(\.0)
    let added = has.filter { !known.contains($0) }
    let kept = translated.compactMap { $0 }.filter(present.contains)
    let isReordered = isOrdered && kept != has.filter(known.contains)
    guard !added.isEmpty || !removed.isEmpty || isReordered else { return nil }
    return .list(added: added, removed: removed, isReordered: isReordered)
  }

  private func isSame(_ old: RecordValue, _ new: RecordValue) -> Bool {
    switch (old, new) {
    case (.object(let id), .object(let other)): return partners.partner(of: id) == other
    case (.composite(let elements), .composite(let others)):
      return Set(elements.keys).union(others.keys).allSatisfy {
        isSame(elements[$0] ?? .null, others[$0] ?? .null)
      }
    case (.attribute(.double(let number)), .attribute(.double(let other))):
      return number == other || number.isNaN && other.isNaN
    case (.attribute(.date(let number)), .attribute(.date(let other))):
      return number == other || number.isNaN && other.isNaN
    case (.external, _), (_, .external):
      // A file that only one of the stores still has is a difference.
      let (bytes, others) = (before.bytes(of: old), after.bytes(of: new))
      return bytes == nil && others == nil ? old == new : bytes == others
    default: return old == new
    }
  }

  /// A value with the bytes of its file, because the other store does not have the file.
  private func shown(_ value: RecordValue, _ objects: WholeObjects) -> RecordValue {
    guard case .external = value, let bytes = objects.bytes(of: value) else { return value }
    return .attribute(.binary(bytes))
  }
}

/// Pairs the objects of two stores.
struct ObjectPartners {
  /// The keys of an entity that is matched by attributes.
  private struct Pairs {
    var forward: [Int64: Int64] = [:]
    var matched: Set<Int64> = []
  }

  private var pairs: [String: Pairs] = [:]

  init(_ matching: ObjectMatching, from source: WholeObjects, to destination: WholeObjects) throws {
    for entity in source.reading.hierarchy.model.entities where !entity.isAbstract {
      guard let attributes = matching.attributes(of: entity.name) else { continue }
      let (before, after) = (
        try Known(entity.name, attributes, source), try Known(entity.name, attributes, destination)
      )
      var own = Pairs()
      for (values, key) in before.keys { own.forward[key] = after.keys[values] }
      for key in before.withoutValue where after.withoutValue.contains(key) { own.forward[key] = key }
      own.matched = Set(own.forward.values)
      pairs[entity.name] = own
    }
  }

  /// The object of the second store that matches an object of the first store; nil if there is none.
  ///
  /// An object that is matched by key is returned even if it does not exist.
  func partner(of id: RecordID) -> RecordID? {
    guard let own = pairs[id.entity] else { return id }
    return own.forward[id.key].map { RecordID(entity: id.entity, key: $0) }
  }

  /// The keys of the second store that have a partner; nil for an entity whose objects are matched by key.
  func matched(of entity: String) -> Set<Int64>? { pairs[entity]?.matched }

  /// The keys of an entity's objects by their values.
  private struct Known {
    var keys: [[RecordValue]: Int64] = [:]
    /// Objects without one of the values, which are matched by key.
    var withoutValue: Set<Int64> = []

    init(_ entity: String, _ attributes: [String], _ objects: WholeObjects) throws {
      var request = RecordRequest(entity)
      (request.includesSubentities, request.properties) = (false, attributes)
      try objects.reading.forEach(request) { record in
        let values = attributes.map { record[$0] ?? .null }
        if values.contains(.null) {
          withoutValue.insert(record.id.key)
        } else if let other = keys.updateValue(record.id.key, forKey: values) {
          throw DataDifferenceError.notUnique(
            path: objects.reading.path, entity: entity, attributes: attributes, keys: [other, record.id.key])
        }
      }
    }
  }
}

/// The matching of objects of two stores: by key, or by unique attributes.
public struct ObjectMatching: Hashable, Sendable {
  /// The attributes of each entity that is not matched by key.
  private let attributes: [String: [String]]

  /// Matches every object by key.
  public static let key = ObjectMatching(attributes: [:])

  private init(attributes: [String: [String]]) { self.attributes = attributes }

  /// Parses the given names.
  ///
  /// - Parameter names: `key`, `unique` for the uniqueness constraints of each entity, or attributes such as
  ///   `Customer.email`. Several attributes of an entity are used together, in place of its constraints.
  public init(_ names: [String], in hierarchy: EntityHierarchy) throws(DataDifferenceError) {
    var named: [(entity: String, attribute: String)] = []
    for name in names where !["key", "unique"].contains(name) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let found = hierarchy.allAttributes(of: parts[0])[parts[1]]?.property,
        !found.isTransient, found.type != .composite, found.type != .binary
      else { throw .noAttribute(name) }
      named.append((parts[0], parts[1]))
    }
    let usesConstraints = names.contains("unique")
    var attributes: [String: [String]] = [:]
    for entity in hierarchy.model.entities where !entity.isAbstract {
      var own = named.filter { hierarchy.isEntity(entity.name, kindOf: $0.entity) }.map(\.attribute)
      if own.isEmpty, usesConstraints { own = Self.constraint(of: entity.name, in: hierarchy) ?? [] }
      if !own.isEmpty { attributes[entity.name] = own }
    }
    self.attributes = attributes
  }

  /// The first constraint that is of attributes alone.
  private static func constraint(of entity: String, in hierarchy: EntityHierarchy) -> [String]? {
    let known = hierarchy.allAttributes(of: entity)
    return hierarchy.lineage(of: entity).flatMap(\.uniquenessConstraints).first { constraint in
      !constraint.isEmpty && constraint.allSatisfy { known[$0]?.property.isTransient == false }
    }
  }

  /// The attributes that match objects of an entity; nil to match by key.
  func attributes(of entity: String) -> [String]? { attributes[entity] }
}
