/// An entity of a model with the properties that it declares itself.
///
/// Inherited properties are not repeated here; ``EntityHierarchy`` looks them up.
public struct EntityDescription: Hashable, Sendable {
  /// The entity's name, unique in its model.
  public var name: String
  /// The class of its objects; nil or empty means `NSManagedObject`.
  public var className: String?
  /// The name of the entity it inherits from.
  public var superentityName: String?
  /// True when only its sub-entities have objects.
  public var isAbstract: Bool
  /// The attributes it declares itself.
  public var attributes: [AttributeDescription]
  /// The relationships it declares itself.
  public var relationships: [RelationshipDescription]
  /// The fetched properties it declares itself.
  public var fetchedProperties: [FetchedPropertyDescription]
  /// The fetch indexes it declares itself.
  public var fetchIndexes: [FetchIndexDescription]
  /// The property names of each compound index of the older form.
  public var compoundIndexes: [[String]]
  /// The property names of each uniqueness constraint, in the source's order.
  public var uniquenessConstraints: [[String]]
  /// The renaming identifier: its name or identifier in an earlier version.
  public var renamingIdentifier: String?
  /// A text that changes only the version hash.
  public var versionHashModifier: String?
  /// The userInfo entries.
  public var userInfo: [String: String]
  /// The code generation of Xcode (`class`, `category`, `none`).
  public var codeGeneration: String?
  /// The obsolete sync flag of the editor; it is not hashed.
  public var isSyncable: Bool

  /// Makes an entity.
  public init(
    name: String,
    className: String? = nil,
    superentityName: String? = nil,
    isAbstract: Bool = false,
    attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = [],
    fetchedProperties: [FetchedPropertyDescription] = [],
    fetchIndexes: [FetchIndexDescription] = [],
    compoundIndexes: [[String]] = [],
    uniquenessConstraints: [[String]] = [],
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    userInfo: [String: String] = [:],
    codeGeneration: String? = nil,
    isSyncable: Bool = false
  ) {
    (self.name, self.className) = (name, className)
    (self.superentityName, self.isAbstract) = (superentityName, isAbstract)
    (self.attributes, self.relationships) = (attributes, relationships)
    (self.fetchedProperties, self.fetchIndexes) = (fetchedProperties, fetchIndexes)
    (self.compoundIndexes, self.uniquenessConstraints) = (compoundIndexes, uniquenessConstraints)
    (self.renamingIdentifier, self.versionHashModifier) = (renamingIdentifier, versionHashModifier)
    (self.userInfo, self.codeGeneration) = (userInfo, codeGeneration)
    self.isSyncable = isSyncable
  }

  /// The name that pairs it across versions: the renaming identifier, or the name if there is no identifier.
  public var canonicalName: String { renamingIdentifier.flatMap { $0.isEmpty ? nil : $0 } ?? name }

  /// The fetch indexes that the entity declares in any of the three formats, sorted by name.
  ///
  /// Core Data makes a fetch index for an indexed attribute, with the name of the attribute, and for a compound index. In
  /// a compiled model these repeat fetch indexes under any names.
  package var allFetchIndexes: [FetchIndexDescription] {
    var names: Set<String> = []
    // A compiled model may have an index twice; its store has it once.
    var indexes = fetchIndexes.filter { names.insert($0.name).inserted }
    var lists = Set(indexes.compactMap(\.plainProperties))
    let older = attributes.filter { $0.isIndexed && !$0.isTransient }.map { [$0.name] } + compoundIndexes
    for properties in older where !properties.isEmpty {
      let name = properties.joined(separator: "_")
      guard lists.insert(properties).inserted, names.insert(name).inserted else { continue }
      indexes.append(
        FetchIndexDescription(
          name: name, elements: properties.map { FetchIndexDescription.Element(subject: .property($0)) }))
    }
    return indexes.sorted { $0.name.precedesByBytes($1.name) }
  }

  /// Removes the repetitions of a fetch index: indexes with its name, and its older formats.
  package mutating func removeRepeatedIndexes() {
    var names: Set<String> = []
    fetchIndexes = fetchIndexes.filter { names.insert($0.name).inserted }
    let lists = Set(fetchIndexes.compactMap(\.plainProperties))
    compoundIndexes.removeAll(where: lists.contains)
    for position in attributes.indices where lists.contains([attributes[position].name]) {
      attributes[position].isIndexed = false
    }
  }
}

extension FetchIndexDescription {
  /// The properties of an index that an older format can express; nil for any other index.
  fileprivate var plainProperties: [String]? {
    guard partialIndexPredicate?.isEmpty ?? true else { return nil }
    let properties = elements.compactMap { element -> String? in
      guard element.kind == .binary, element.isAscending, case .property(let name) = element.subject else { return nil }
      return name
    }
    return properties.count == elements.count ? properties : nil
  }
}
