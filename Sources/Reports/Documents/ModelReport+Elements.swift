extension ModelReport {
  /// An entity with the properties it declares itself.
  public struct Entity: Encodable, Hashable, Sendable {
    let name: String
    let className: String?
    let parent: String?
    let isAbstract: Bool
    let attributes: [Attribute]
    let relationships: [Relationship]
    let fetchedProperties: [FetchedProperty]
    let uniquenessConstraints: [[String]]
    let indexes: [Index]
    let compoundIndexes: [[String]]
    let renamingIdentifier: String?
    let versionHashModifier: String?
    let codeGeneration: String?
    let userInfo: [String: String]
  }

  /// An attribute, or an element of a composite type.
  public struct Attribute: Encodable, Hashable, Sendable {
    let name: String
    let type: String
    let composite: String?
    let isOptional: Bool
    let isTransient: Bool
    let defaultValue: Value?
    let minimum: Value?
    let maximum: Value?
    let regularExpression: String?
    let derivation: String?
    let derivationFilter: String?
    let allowsExternalStorage: Bool
    let isPreservedInHistory: Bool
    let allowsCloudEncryption: Bool
    let isIndexed: Bool
    let isIndexedBySpotlight: Bool
    let valueTransformer: String?
    let valueClass: String?
    let usesScalar: Bool?
    let renamingIdentifier: String?
    let versionHashModifier: String?
    let userInfo: [String: String]
  }

  /// A relationship.
  public struct Relationship: Encodable, Hashable, Sendable {
    let name: String
    let destination: String?
    let inverse: String?
    let inverseEntity: String?
    let isToMany: Bool
    let isOrdered: Bool
    let isOptional: Bool
    let isTransient: Bool
    let minCount: Int
    let maxCount: Int
    let deleteRule: String
    let isIndexed: Bool
    let renamingIdentifier: String?
    let versionHashModifier: String?
    let userInfo: [String: String]
  }

  /// A fetched property.
  public struct FetchedProperty: Encodable, Hashable, Sendable {
    let name: String
    let isOptional: Bool
    let fetchRequest: FetchRequest?
    let userInfo: [String: String]
  }

  /// A fetch request of the model or of a fetched property.
  public struct FetchRequest: Encodable, Hashable, Sendable {
    let name: String
    let entity: String
    let predicate: String?
    let settings: [String: String]
  }

  /// A fetch index.
  public struct Index: Encodable, Hashable, Sendable {
    /// What the index sorts by.
    struct Element: Encodable, Hashable {
      let property: String?
      let expression: String?
      let isAscending: Bool
      let isRTree: Bool
    }

    let name: String
    let elements: [Element]
    let predicate: String?
  }

  /// A composite type.
  public struct Composite: Encodable, Hashable, Sendable {
    let name: String
    let elements: [Attribute]
  }

  /// A configuration.
  public struct Configuration: Encodable, Hashable, Sendable {
    let name: String
    let entities: [String]
  }
}
