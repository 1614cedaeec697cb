/// A setting of a description that can change.
public enum Aspect: String, Hashable, Sendable, CaseIterable {
  // Attributes
  case type
  case defaultValue
  case minimum
  case maximum
  case regularExpression
  case externalStorage
  case preservedInHistory
  case cloudEncryption
  case indexedBySpotlight
  case valueTransformer
  case valueClass
  case scalar
  case derivation
  case derivationFilter
  case composite
  case elements
  // Attributes and relationships
  case optional
  case transient
  case indexed
  // Relationships
  case destination
  case inverse
  case inverseEntity
  case toMany
  case minCount
  case maxCount
  case ordered
  case deleteRule
  // Entities
  case superentity
  case abstract
  case className
  case codeGeneration
  case uniquenessConstraints
  case compoundIndexes
  case indexElements
  case partialIndexPredicate
  // Several kinds of elements
  case renamingIdentifier
  case versionHashModifier
  case userInfo
  case syncable
  // Fetch requests, configurations, the model
  case fetchedEntity
  case predicate
  case settings
  case members
  case versionIdentifiers
}
