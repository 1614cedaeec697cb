public import PersistentStores

/// Objects or values that were repaired or lost for one reason.
public struct RescueItem: Hashable, Sendable {
  /// The reason; the raw value is a stable name for machines.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An object whose row cannot be read.
    case row
    /// Pages of the entity's table that cannot be read.
    case page
    /// A table that is not there.
    case table
    /// A second object with the same key.
    case secondRow = "second-row"
    /// An object whose entity is unknown, or whose entity number is wrong.
    case entity
    /// An object with values that another object has, although the model requires them to be unique.
    case duplicate
    /// A value that cannot be read, or is not valid for its attribute.
    case value
    /// A column that is not there.
    case column
    /// Data whose file is missing.
    case file
    /// A link to a missing object, or to an object of a wrong entity.
    case link
    /// The number of saves of an object.
    case objectVersion = "object-version"
    /// The highest key.
    case highestKey = "highest-key"
    /// Data that the version lacks a table or column for.
    case unknown
  }

  /// The reason.
  public let kind: Kind
  /// The property it is about.
  public let property: String?
  /// The repair or the loss as a sentence, without element and keys.
  public let sentence: String
  /// The page of the rows, if its table is unknown.
  public let page: Int?
  /// The keys of the objects, ascending, or the numbers of rows that fit no table; empty if they are unknown.
  public let keys: [Int64]
  /// The number of objects, values, links or pages.
  public let count: Int

  init(
    _ kind: Kind, property: String? = nil, _ sentence: String, page: Int? = nil, keys: [Int64] = [], count: Int? = nil
  ) {
    (self.kind, self.property, self.sentence, self.page) = (kind, property, sentence, page)
    (self.keys, self.count) = (keys, count ?? max(1, keys.count))
  }
}

/// The objects of a single entity that were kept, repaired and lost.
public struct RescuedEntity: Hashable, Sendable {
  /// The entity's name; empty if the items do not belong to one.
  public let name: String
  /// The number of objects in the new store.
  public var kept = 0
  /// The values that were wrong and are right now.
  public var repaired: [RescueItem] = []
  /// The objects and values that the new store lacks.
  public var lost: [RescueItem] = []
}

/// The result of a rescue.
public struct RescueOutcome: Hashable, Sendable {
  /// The store that was read.
  public let store: String
  /// The new store; nil for a rehearsal.
  public internal(set) var path: String?
  /// The reasons why the store did not open; empty for a sound store.
  public let causes: [RescueCause]
  /// The version by which it was read.
  public let read: String
  /// The version of the new store.
  public internal(set) var version: String
  /// The reason why the new store does not have the destination version; nil if it has.
  public internal(set) var refusal: String?
  /// The objects that were kept, repaired and lost, by entity.
  public let entities: [RescuedEntity]
  /// The findings of `verify` on the new store.
  public internal(set) var findings: [StoreFinding]

  /// Whether no data is lost.
  public var isComplete: Bool { entities.allSatisfy(\.lost.isEmpty) }
}

/// Collects repairs and losses while a store is read.
struct RescueTally {
  private struct Key: Hashable {
    let entity: String
    let property: String?
    let kind: RescueItem.Kind
    let sentence: String
    let page: Int?
    let isLost: Bool
  }

  private var keys: [Key: [Int64]] = [:]
  private var counts: [Key: Int] = [:]
  private var order: [Key] = []
  var kept: [String: Int] = [:]

  /// Notes an object or a value of it.
  mutating func add(
    _ kind: RescueItem.Kind, lost: Bool, _ entity: String, _ sentence: String, key: Int64?, count: Int = 1
  ) {
    add(kind, lost: lost, entity, nil, sentence, key: key, count: count)
  }

  /// Notes a value of a property, or a row of a page.
  mutating func add(
    _ kind: RescueItem.Kind, lost: Bool, _ entity: String, _ property: String?, _ sentence: String, key: Int64?,
    page: Int? = nil, count: Int = 1
  ) {
    let place = Key(entity: entity, property: property, kind: kind, sentence: sentence, page: page, isLost: lost)
    if counts[place] == nil { order.append(place) }
    counts[place, default: 0] += count
    if let key { keys[place, default: []].append(key) }
  }

  /// The notes so far, by the names of the entities.
  var entities: [RescuedEntity] {
    var found: [String: RescuedEntity] = [:]
    for (name, count) in kept where count > 0 { found[name, default: RescuedEntity(name: name)].kept = count }
    for place in order {
      let item = RescueItem(
        place.kind, property: place.property, place.sentence, page: place.page, keys: (keys[place] ?? []).sorted(),
        count: counts[place])
      var entity = found[place.entity] ?? RescuedEntity(name: place.entity)
      if place.isLost { entity.lost.append(item) } else { entity.repaired.append(item) }
      found[place.entity] = entity
    }
    return found.values.sorted { $0.name < $1.name }
  }
}
