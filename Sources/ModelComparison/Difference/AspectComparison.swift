import Foundation
import ModelDescription

/// The aspects that differ between two descriptions, in a fixed order.
struct AspectComparison {
  struct Entry {
    let aspect: Aspect
    let from: AspectValue
    let to: AspectValue
  }

  private(set) var entries: [Entry] = []

  init(_ aspect: Aspect, _ source: AspectValue, _ destination: AspectValue) { add(aspect, source, destination) }

  init(_ source: AttributeDescription, _ attribute: AttributeDescription) {
    add(.type, .type(source.type), .type(attribute.type))
    add(.optional, .flag(source.isOptional), .flag(attribute.isOptional))
    add(.transient, .flag(source.isTransient), .flag(attribute.isTransient))
    add(.defaultValue, source.defaultValue, attribute.defaultValue)
    add(.minimum, source.validation.minimum, attribute.validation.minimum)
    add(.maximum, source.validation.maximum, attribute.validation.maximum)
    add(
      .regularExpression,
      AspectValue(source.validation.regularExpression),
      AspectValue(attribute.validation.regularExpression)
    )
    add(
      .externalStorage,
      .flag(source.allowsExternalBinaryDataStorage),
      .flag(attribute.allowsExternalBinaryDataStorage)
    )
    add(
      .preservedInHistory,
      .flag(source.preservesValueInHistoryOnDeletion),
      .flag(attribute.preservesValueInHistoryOnDeletion)
    )
    add(.cloudEncryption, .flag(source.allowsCloudEncryption), .flag(attribute.allowsCloudEncryption))
    add(.indexed, .flag(source.isIndexed), .flag(attribute.isIndexed))
    add(.indexedBySpotlight, .flag(source.isIndexedBySpotlight), .flag(attribute.isIndexedBySpotlight))
    add(.valueTransformer, AspectValue(source.valueTransformerName), AspectValue(attribute.valueTransformerName))
    add(.valueClass, AspectValue(source.valueClassName), AspectValue(attribute.valueClassName))
    add(.scalar, AspectValue(source.usesScalarValueType), AspectValue(attribute.usesScalarValueType))
    add(.derivation, AspectValue(source.derivation?.expression), AspectValue(attribute.derivation?.expression))
    add(
      .derivationFilter,
      AspectValue(source.derivation?.filterPredicate),
      AspectValue(attribute.derivation?.filterPredicate)
    )
    add(.composite, AspectValue(source.compositeName), AspectValue(attribute.compositeName))
    if source.elements != attribute.elements {
      entries.append(Entry(aspect: .elements, from: Self.elements(of: source), to: Self.elements(of: attribute)))
    }
    addIdentifiers((source.name, source.renamingIdentifier), (attribute.name, attribute.renamingIdentifier))
    add(.versionHashModifier, AspectValue(source.versionHashModifier), AspectValue(attribute.versionHashModifier))
    add(.userInfo, .entries(source.userInfo), .entries(attribute.userInfo))
    add(.syncable, .flag(source.isSyncable), .flag(attribute.isSyncable))
  }

  /// Adds a value; equal numbers of different types, such as `0` and `0.0`, are not a change.
  private mutating func add(_ aspect: Aspect, _ source: AttributeValue?, _ destination: AttributeValue?) {
    if let number = source?.number, number == destination?.number { return }
    add(aspect, AspectValue(source), AspectValue(destination))
  }

  init(_ source: RelationshipDescription, _ relationship: RelationshipDescription) {
    add(.destination, AspectValue(source.destinationEntityName), AspectValue(relationship.destinationEntityName))
    add(.inverse, AspectValue(source.inverseName), AspectValue(relationship.inverseName))
    add(.inverseEntity, AspectValue(source.inverseEntityName), AspectValue(relationship.inverseEntityName))
    add(.optional, .flag(source.isOptional), .flag(relationship.isOptional))
    add(.transient, .flag(source.isTransient), .flag(relationship.isTransient))
    add(.toMany, .flag(source.isToMany), .flag(relationship.isToMany))
    add(.minCount, .number(source.minCount), .number(relationship.minCount))
    if source.isToMany == relationship.isToMany {
      add(.maxCount, .number(source.maxCount), .number(relationship.maxCount))
    }
    add(.ordered, .flag(source.isOrdered), .flag(relationship.isOrdered))
    add(.deleteRule, .text(source.deleteRule.name), .text(relationship.deleteRule.name))
    add(.indexed, .flag(source.isIndexed), .flag(relationship.isIndexed))
    addIdentifiers((source.name, source.renamingIdentifier), (relationship.name, relationship.renamingIdentifier))
    add(.versionHashModifier, AspectValue(source.versionHashModifier), AspectValue(relationship.versionHashModifier))
    add(.userInfo, .entries(source.userInfo), .entries(relationship.userInfo))
    add(.syncable, .flag(source.isSyncable), .flag(relationship.isSyncable))
  }

  init(_ source: EntityDescription, _ entity: EntityDescription) {
    add(.superentity, AspectValue(source.superentityName), AspectValue(entity.superentityName))
    add(.abstract, .flag(source.isAbstract), .flag(entity.isAbstract))
    add(.className, AspectValue(source.className), AspectValue(entity.className))
    add(.codeGeneration, AspectValue(source.codeGeneration), AspectValue(entity.codeGeneration))
    add(.uniquenessConstraints, .groups(source.uniquenessConstraints), .groups(entity.uniquenessConstraints))
    add(.compoundIndexes, .groups(source.compoundIndexes), .groups(entity.compoundIndexes))
    addIdentifiers((source.name, source.renamingIdentifier), (entity.name, entity.renamingIdentifier))
    add(.versionHashModifier, AspectValue(source.versionHashModifier), AspectValue(entity.versionHashModifier))
    add(.userInfo, .entries(source.userInfo), .entries(entity.userInfo))
    add(.syncable, .flag(source.isSyncable), .flag(entity.isSyncable))
  }

  init(_ source: FetchRequestDescription, _ request: FetchRequestDescription) {
    add(.fetchedEntity, AspectValue(source.entityName), AspectValue(request.entityName))
    add(.predicate, AspectValue(source.predicate), AspectValue(request.predicate))
    add(.settings, .entries(source.settings), .entries(request.settings))
  }

  init(_ source: FetchIndexDescription, _ index: FetchIndexDescription) {
    if source.elements != index.elements {
      entries.append(Entry(aspect: .indexElements, from: Self.elements(of: source), to: Self.elements(of: index)))
    }
    add(.partialIndexPredicate, AspectValue(source.partialIndexPredicate), AspectValue(index.partialIndexPredicate))
  }

  init(_ source: FetchedPropertyDescription, _ property: FetchedPropertyDescription) {
    if let sourceRequest = source.fetchRequest, let request = property.fetchRequest {
      entries = AspectComparison(sourceRequest, request).entries
    } else if source.fetchRequest != property.fetchRequest {
      add(.fetchedEntity, AspectValue(source.fetchRequest?.entityName), AspectValue(property.fetchRequest?.entityName))
    }
    add(.optional, .flag(source.isOptional), .flag(property.isOptional))
    add(.userInfo, .entries(source.userInfo), .entries(property.userInfo))
    add(.syncable, .flag(source.isSyncable), .flag(property.isSyncable))
  }

  /// Adds the renaming identifiers; an identifier that is the element's own name counts as none.
  private mutating func addIdentifiers(
    _ source: (name: String, identifier: String?), _ destination: (name: String, identifier: String?)
  ) {
    let meanings = [source, destination].map { RenamingIdentifier.meaning(of: $0.identifier, of: $0.name) }
    add(.renamingIdentifier, AspectValue(meanings[0]), AspectValue(meanings[1]))
  }

  private mutating func add(_ aspect: Aspect, _ from: AspectValue, _ to: AspectValue) {
    let isSame =
      switch (from, to) {
      case (.text(let source), .text(let destination)): HashedText(source) == HashedText(destination)
      default: from == to
      }
    if !isSame { entries.append(Entry(aspect: aspect, from: from, to: to)) }
  }

  private static func elements(of attribute: AttributeDescription) -> AspectValue {
    .names(attribute.elements.map { "\($0.name): \($0.type.name)\($0.isOptional ? "?" : "")" })
  }

  private static func elements(of index: FetchIndexDescription) -> AspectValue {
    .names(
      index.elements.map { element in
        let order = element.isAscending ? "ascending" : "descending"
        let kind = element.kind == .rTree ? " R-tree" : ""
        return switch element.subject {
        case .property(let name): "\(name) \(order)\(kind)"
        case .expression(let expression): "(\(expression)) \(order)\(kind)"
        }
      }
    )
  }
}

extension AttributeValue {
  /// The value as a number; nil for other values.
  fileprivate var number: Decimal? {
    switch self {
    case .integer(let value): Decimal(value)
    case .decimal(let value): value
    case .double(let value): value.isFinite ? Decimal(string: "\(value)") : nil
    case .boolean(let value): value ? 1 : 0
    default: nil
    }
  }
}
