/// A relationship of an entity: a link to one or many objects of a destination entity.
public struct RelationshipDescription: Hashable, Sendable {
  /// The relationship's name.
  public var name: String
  /// The destination entity; nil in a broken model.
  public var destinationEntityName: String?
  /// The inverse relationship.
  public var inverseName: String?
  /// The entity that declares the inverse, as the source writes it.
  public var inverseEntityName: String?
  /// True if it can be empty.
  public var isOptional: Bool
  /// True if it is not stored.
  public var isTransient: Bool
  /// The minimum number of objects.
  public var minCount: Int
  /// The maximum number of objects, 0 for any number; 1 makes the relationship to-one.
  public var maxCount: Int
  /// True if a to-many relationship is ordered.
  public var isOrdered: Bool
  /// The delete rule.
  public var deleteRule: DeleteRule
  /// True for an index of the older format.
  public var isIndexed: Bool
  /// The renaming identifier: its name or identifier in an earlier version.
  public var renamingIdentifier: String?
  /// A text that changes only the version hash.
  public var versionHashModifier: String?
  /// The userInfo entries.
  public var userInfo: [String: String]
  /// The obsolete sync flag of the editor; it is not hashed.
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

  /// True unless it can have only one object.
  public var isToMany: Bool { maxCount != 1 }

  /// The name that pairs it across versions: the renaming identifier, or the name if there is no identifier.
  public var canonicalName: String { renamingIdentifier.flatMap { $0.isEmpty ? nil : $0 } ?? name }

  /// The number of linked objects that an object can have when it is saved.
  public struct Counts: Hashable, Sendable {
    /// The minimum, 0 for none.
    public let least: Int
    /// The maximum; nil for any number.
    public let most: Int?
    /// True if zero objects are accepted for any minimum.
    public let allowsNone: Bool

    /// True unless it accepts every number.
    public var isLimited: Bool { least > 0 || most != nil }

    /// True for a number below the minimum, except for zero if zero is accepted.
    public func isTooFew(_ count: Int) -> Bool { count < least && !(count == 0 && allowsNone) }

    /// True for a number above the maximum.
    public func isTooMany(_ count: Int) -> Bool { most.map { count > $0 } ?? false }
  }

  /// The rule for saves, loads, merges, `verify` and the objects that a mapping model makes.
  ///
  /// A required to-many relationship can be empty unless it has a minimum: 24 stores of the corpus, saved by Core Data,
  /// have such objects.
  public var counts: Counts {
    guard isToMany else { return Counts(least: isOptional ? 0 : 1, most: nil, allowsNone: isOptional) }
    return Counts(
      least: max(minCount, 0), most: maxCount > 0 ? maxCount : nil, allowsNone: isOptional || minCount <= 0)
  }
}

/// The effect of deleting an object on the objects of a relationship.
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
  /// True if it is marked as optional.
  public var isOptional: Bool
  /// The fetch request.
  public var fetchRequest: FetchRequestDescription?
  /// The userInfo entries.
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
