/// A relationship of an entity: a link to one or many objects of another.
public struct RelationshipDescription: Hashable, Sendable {
  /// The relationship's name.
  public var name: String
  /// The entity at the other end; nil in a broken model.
  public var destinationEntityName: String?
  /// The relationship that is the other end of the same link.
  public var inverseName: String?
  /// The entity that the source says declares the inverse.
  public var inverseEntityName: String?
  /// True when it may be empty.
  public var isOptional: Bool
  /// True when it is not stored.
  public var isTransient: Bool
  /// The least number of objects.
  public var minCount: Int
  /// The greatest number of objects, 0 for any; 1 makes the relationship to-one.
  public var maxCount: Int
  /// True when a to-many relationship keeps an order.
  public var isOrdered: Bool
  /// What happens to the other end on deletion.
  public var deleteRule: DeleteRule
  /// True for the older form of an index.
  public var isIndexed: Bool
  /// The identifier that pairs it with its former self in another version.
  public var renamingIdentifier: String?
  /// A text that changes the version hash and nothing else.
  public var versionHashModifier: String?
  /// The developer's own entries.
  public var userInfo: [String: String]
  /// The obsolete sync flag of the editor; it enters no hash.
  public var isSyncable: Bool

  /// Makes a relationship.
  public init(
    name: String,
    destinationEntityName: String?,
    inverseName: String? = nil,
    inverseEntityName: String? = nil,
    isOptional: Bool = false,
    isTransient: Bool = false,
    minCount: Int = 0,
    maxCount: Int = 0,
    isOrdered: Bool = false,
    deleteRule: DeleteRule = .nullify,
    isIndexed: Bool = false,
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    userInfo: [String: String] = [:],
    isSyncable: Bool = false
  ) {
    (self.name, self.destinationEntityName, self.inverseName) = (name, destinationEntityName, inverseName)
    (self.inverseEntityName, self.isOptional, self.isTransient) = (inverseEntityName, isOptional, isTransient)
    (self.minCount, self.maxCount, self.isOrdered) = (minCount, maxCount, isOrdered)
    (self.deleteRule, self.isIndexed, self.renamingIdentifier) = (deleteRule, isIndexed, renamingIdentifier)
    (self.versionHashModifier, self.userInfo, self.isSyncable) = (versionHashModifier, userInfo, isSyncable)
  }

  /// True unless at most one object may stand at the other end.
  public var isToMany: Bool { maxCount != 1 }

  /// The name it is paired by across versions: the renaming identifier when it has one, else its name.
  public var canonicalName: String { renamingIdentifier.flatMap { $0.isEmpty ? nil : $0 } ?? name }

  /// How many objects an object may have at the other end when it is saved.
  public struct Counts: Hashable, Sendable {
    /// The minimum, 0 for none.
    public let least: Int
    /// The maximum; nil for any number.
    public let most: Int?
    /// True if no object is enough whatever the minimum is.
    public let allowsNone: Bool

    /// True unless every number will do.
    public var isLimited: Bool { least > 0 || most != nil }

    /// True for a number below the minimum, but for none where none is enough.
    public func isTooFew(_ count: Int) -> Bool { count < least && !(count == 0 && allowsNone) }

    /// True for a number above the maximum.
    public func isTooMany(_ count: Int) -> Bool { most.map { count > $0 } ?? false }
  }

  /// The rule for saves, loads, merges, `verify` and the objects that a mapping model makes.
  ///
  /// A to-many that is not optional may be empty unless it states a minimum: 24 stores of the corpus, saved by Core Data,
  /// have such objects.
  public var counts: Counts {
    guard isToMany else { return Counts(least: isOptional ? 0 : 1, most: nil, allowsNone: isOptional) }
    return Counts(
      least: max(minCount, 0), most: maxCount > 0 ? maxCount : nil, allowsNone: isOptional || minCount <= 0)
  }
}

/// What happens to the objects at the other end of a relationship when an object is deleted.
public enum DeleteRule: Int, Hashable, Sendable, CaseIterable {
  case noAction = 0
  case nullify = 1
  case cascade = 2
  case deny = 3

  /// The rule's name in model files, such as `No Action`.
  public var name: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }
}

/// A property whose objects are fetched when it is read; it is neither stored nor hashed.
public struct FetchedPropertyDescription: Hashable, Sendable {
  /// The property's name.
  public var name: String
  /// True when the source says so.
  public var isOptional: Bool
  /// What it fetches.
  public var fetchRequest: FetchRequestDescription?
  /// The developer's own entries.
  public var userInfo: [String: String]
  /// The obsolete sync flag of the editor.
  public var isSyncable: Bool

  /// Makes a fetched property.
  public init(
    name: String,
    isOptional: Bool = false,
    fetchRequest: FetchRequestDescription? = nil,
    userInfo: [String: String] = [:],
    isSyncable: Bool = false
  ) {
    (self.name, self.isOptional, self.fetchRequest) = (name, isOptional, fetchRequest)
    (self.userInfo, self.isSyncable) = (userInfo, isSyncable)
  }
}
