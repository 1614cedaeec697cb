import GRDB

/// The objects of a store as plain values: what a user would miss if it were otherwise.
struct StoreContent: Equatable {
  /// The value of every stored attribute, by entity, `Z_PK` and leaf path.
  var objects: [String: [Int64: [String: DatabaseValue]]] = [:]
  /// The other ends of every stored relationship, by declaring entity and name, then by `Z_PK`.
  var links: [RelationshipName: [Int64: [Int64]]] = [:]

  /// A relationship by the entity that declares it.
  struct RelationshipName: Hashable {
    let entity: String
    let relationship: String
  }

  /// The number of objects.
  var objectCount: Int { objects.values.reduce(0) { $0 + $1.count } }

  /// The number of attribute values.
  var valueCount: Int { objects.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }

  /// The number of links, each seen from one side.
  var linkCount: Int { links.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }
}

extension StoreContent {
  /// What another store of the same model has otherwise, one difference an entity or property.
  func differences(from other: StoreContent) -> [ContentDifference] {
    var found: [ContentDifference] = []
    for entity in Set(objects.keys).union(other.objects.keys).sorted() {
      found += Self.differences(of: entity, objects[entity] ?? [:], other.objects[entity] ?? [:])
    }
    let names = Set(links.keys).union(other.links.keys)
    for name in names.sorted(by: { ($0.entity, $0.relationship) < ($1.entity, $1.relationship) }) {
      let (mine, theirs) = (links[name] ?? [:], other.links[name] ?? [:])
      let keys = Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }.sorted()
      guard let first = keys.first else { continue }
      found.append(
        ContentDifference(
          entity: name.entity, property: name.relationship, kind: .links, count: keys.count, firstKey: first,
          values: Self.text(mine[first] ?? []), otherValues: Self.text(theirs[first] ?? [])))
    }
    return found
  }

  private static func differences(
    of entity: String, _ mine: [Int64: [String: DatabaseValue]], _ theirs: [Int64: [String: DatabaseValue]]
  ) -> [ContentDifference] {
    var found: [ContentDifference] = []
    let uncommon = Set(mine.keys).symmetricDifference(theirs.keys).sorted()
    if let first = uncommon.first {
      found.append(
        ContentDifference(
          entity: entity, property: nil, kind: .objects, count: uncommon.count, firstKey: first,
          values: "\(mine.count) objects", otherValues: "\(theirs.count) objects"))
    }
    var keys: [String: [Int64]] = [:]
    for (key, values) in mine {
      guard let others = theirs[key] else { continue }
      for (path, value) in values where others[path] != value { keys[path, default: []].append(key) }
    }
    for (path, unsorted) in keys.sorted(by: { $0.key < $1.key }) {
      guard let first = unsorted.min() else { continue }
      found.append(
        ContentDifference(
          entity: entity, property: path, kind: .values, count: unsorted.count, firstKey: first,
          values: Self.text(mine[first]?[path]), otherValues: Self.text(theirs[first]?[path])))
    }
    return found
  }

  private static func text(_ keys: [Int64]) -> String {
    keys.isEmpty ? "no links" : "Z_PK " + keys.prefix(5).map(String.init).joined(separator: ", ")
  }

  private static func text(_ value: DatabaseValue?) -> String {
    switch value?.storage {
    case .int64(let number)?: "\(number)"
    case .double(let number)?: "\(number)"
    case .string(let text)?: "“\(text.prefix(40))”"
    case .blob(let bytes)?: "\(bytes.count) bytes"
    case .null?, nil: "nothing"
    }
  }
}
