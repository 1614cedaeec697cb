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
    self.name = name
    self.destinationEntityName = destinationEntityName
    self.inverseName = inverseName
    self.inverseEntityName = inverseEntityName
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.minCount = minCount
    self.maxCount = maxCount
    self.isOrdered = isOrdered
    self.deleteRule = deleteRule
    self.isIndexed = isIndexed
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.isSyncable = isSyncable
  }
}

extension RelationshipDescription {
  /// True unless at most one object may stand at the other end.
  public var isToMany: Bool { maxCount != 1 }

  /// The name it is paired by across versions: the renaming identifier when it has one, else its name.
  public var canonicalName: String { renamingIdentifier.flatMap { $0.isEmpty ? nil : $0 } ?? name }
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
    self.name = name
    self.isOptional = isOptional
    self.fetchRequest = fetchRequest
    self.userInfo = userInfo
    self.isSyncable = isSyncable
  }
}
