public import PersistentStores

/// A save in a store's persistent history.
public struct HistoryTransaction: Hashable, Sendable {
  /// Its number, which an app's history token contains.
  public let number: Int64
  /// When it was saved, in seconds since 2001-01-01T00:00:00Z.
  public let moment: Double?
  /// The transaction author that the app named.
  public let author: String?
  /// The name of the context.
  public let context: String?
  /// The name of the program.
  public let process: String?
  /// The program's bundle identifier.
  public let bundle: String?
  /// The changes in the order in which they were written.
  public internal(set) var changes: [HistoryChange] = []
}

/// The change of a single object by a save.
public struct HistoryChange: Hashable, Sendable {
  /// The kind of a change.
  public enum Kind: Int64, Hashable, Sendable, CaseIterable {
    case insert = 0
    case update = 1
    case delete = 2
  }

  /// The kind of the change; nil for an unknown number.
  public let kind: Kind?
  /// The object; nil for an entity number that the store does not have.
  public let object: RecordID?
  /// The properties that an update changed, by name.
  public let properties: [String]
  /// The to-many relationships without inverse that came to an object of an update or went, by the entities that declare them.
  public let incoming: [PropertyAddress]
  /// The values that a deleted object left behind.
  public let tombstone: [String: RecordValue]
}

/// A request for saves of a store's history.
public struct HistoryRequest: Hashable, Sendable {
  /// Only saves after the save with this number.
  public var after: Int64?
  /// Only saves at this moment or later, in seconds since 2001-01-01T00:00:00Z.
  public var since: Double?
  /// Only saves of this author.
  public var author: String?
  /// Only changes of objects of this entity and its subentities.
  public var entity: String?

  /// Asks for all saves.
  public init() {}
}
