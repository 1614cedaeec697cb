import Foundation
import ModelDescription

extension ModelReport.Entity {
  init(_ entity: EntityDescription) {
    name = entity.name
    className = entity.className
    parent = entity.superentityName
    isAbstract = entity.isAbstract
    attributes = entity.attributes.sorted { $0.name < $1.name }.map(ModelReport.Attribute.init)
    relationships = entity.relationships.sorted { $0.name < $1.name }.map(ModelReport.Relationship.init)
    fetchedProperties = entity.fetchedProperties.sorted { $0.name < $1.name }.map(ModelReport.FetchedProperty.init)
    uniquenessConstraints = entity.uniquenessConstraints
    indexes = entity.fetchIndexes.map(ModelReport.Index.init)
    compoundIndexes = entity.compoundIndexes
    renamingIdentifier = entity.renamingIdentifier
    versionHashModifier = entity.versionHashModifier
    codeGeneration = entity.codeGeneration
    userInfo = entity.userInfo
  }
}

extension ModelReport.Attribute {
  init(_ attribute: AttributeDescription) {
    name = attribute.name
    type = attribute.type.name
    composite = attribute.compositeName
    let own = attribute.ownElements
    elements = own.isEmpty ? nil : own.map(ModelReport.Attribute.init)
    isOptional = attribute.isOptional
    isTransient = attribute.isTransient
    defaultValue = attribute.defaultValue.map(ModelReport.Value.init)
    minimum = attribute.validation.minimum.map(ModelReport.Value.init)
    maximum = attribute.validation.maximum.map(ModelReport.Value.init)
    regularExpression = attribute.validation.regularExpression
    derivation = attribute.derivation?.expression
    derivationFilter = attribute.derivation?.filterPredicate
    allowsExternalStorage = attribute.allowsExternalBinaryDataStorage
    isPreservedInHistory = attribute.preservesValueInHistoryOnDeletion
    allowsCloudEncryption = attribute.allowsCloudEncryption
    isIndexed = attribute.isIndexed
    isIndexedBySpotlight = attribute.isIndexedBySpotlight
    valueTransformer = attribute.valueTransformerName
    valueClass = attribute.valueClassName
    usesScalar = attribute.usesScalarValueType
    renamingIdentifier = attribute.renamingIdentifier
    versionHashModifier = attribute.versionHashModifier
    userInfo = attribute.userInfo
  }
}

extension ModelReport.Relationship {
  init(_ relationship: RelationshipDescription) {
    name = relationship.name
    destination = relationship.destinationEntityName
    inverse = relationship.inverseName
    inverseEntity = relationship.inverseName == nil ? nil : relationship.inverseEntityName
    isToMany = relationship.isToMany
    isOrdered = relationship.isOrdered
    isOptional = relationship.isOptional
    isTransient = relationship.isTransient
    minCount = relationship.minCount
    maxCount = relationship.maxCount
    deleteRule = relationship.deleteRule.name
    isIndexed = relationship.isIndexed
    renamingIdentifier = relationship.renamingIdentifier
    versionHashModifier = relationship.versionHashModifier
    userInfo = relationship.userInfo
  }
}

extension ModelReport.FetchedProperty {
  init(_ property: FetchedPropertyDescription) {
    name = property.name
    isOptional = property.isOptional
    fetchRequest = property.fetchRequest.map(ModelReport.FetchRequest.init)
    userInfo = property.userInfo
  }
}

extension ModelReport.FetchRequest {
  init(_ request: FetchRequestDescription) {
    name = request.name
    entity = request.entityName
    predicate = request.predicate
    settings = request.settings
  }
}

extension ModelReport.Index {
  init(_ index: FetchIndexDescription) {
    name = index.name
    elements = index.elements.map(Element.init)
    predicate = index.partialIndexPredicate
  }
}

extension ModelReport.Index.Element {
  fileprivate init(_ element: FetchIndexDescription.Element) {
    (property, expression) =
      switch element.subject {
      case .property(let name): (name, nil)
      case .expression(let text): (nil, text)
      }
    isAscending = element.isAscending
    isRTree = element.kind == .rTree
  }
}

extension ModelReport.Composite {
  init(_ composite: CompositeDescription) {
    name = composite.name
    elements = composite.elements.sorted { $0.name < $1.name }.map(ModelReport.Attribute.init)
  }
}

extension ModelReport.Configuration {
  init(_ configuration: ModelConfiguration) {
    name = configuration.name
    entities = configuration.entityNames.sorted()
  }
}

extension ModelReport {
  /// A value of an attribute: a JSON number or Boolean, or a text.
  public enum Value: Encodable, Hashable, Sendable {
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case text(String)

    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .integer(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .boolean(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      }
    }
  }
}

extension ModelReport.Value {
  init(_ value: AttributeValue) {
    self =
      switch value {
      case .integer(let number): .integer(number)
      case .decimal(let number): .text(number.description)
      case .double(let number): number.isFinite ? .double(number) : .text("\(number)")
      case .string(let text), .uri(let text): .text(text)
      case .boolean(let flag): .boolean(flag)
      case .date(let seconds): .text(DateText.of(seconds))
      case .binary(let data): .text(data.base64EncodedString())
      case .uuid(let uuid): .text(uuid.uuidString)
      }
  }
}
