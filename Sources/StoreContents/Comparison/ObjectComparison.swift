import Foundation
import ModelDescription
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

  /// What became of objects of the first store.
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

  /// A value with the bytes of its file, which another store does not have.
  private func shown(_ value: RecordValue, _ objects: WholeObjects) -> RecordValue {
    guard case .external = value, let bytes = objects.bytes(of: value) else { return value }
    return .attribute(.binary(bytes))
  }
}
