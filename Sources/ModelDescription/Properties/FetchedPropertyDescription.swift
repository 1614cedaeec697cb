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
