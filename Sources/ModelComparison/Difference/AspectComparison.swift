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

  init(_ aspect: Aspect, _ former: AspectValue, _ latter: AspectValue) {
    add(aspect, former, latter)
  }

  init(_ former: AttributeDescription, _ attribute: AttributeDescription) {
    add(.type, .type(former.type), .type(attribute.type))
    add(.optional, .flag(former.isOptional), .flag(attribute.isOptional))
    add(.transient, .flag(former.isTransient), .flag(attribute.isTransient))
    add(.defaultValue, former.defaultValue, attribute.defaultValue)
    add(.minimum, former.validation.minimum, attribute.validation.minimum)
    add(.maximum, former.validation.maximum, attribute.validation.maximum)
    add(
      .regularExpression,
      AspectValue(former.validation.regularExpression),
      AspectValue(attribute.validation.regularExpression)
    )
    add(
      .externalStorage,
      .flag(former.allowsExternalBinaryDataStorage),
      .flag(attribute.allowsExternalBinaryDataStorage)
    )
    add(
      .preservedInHistory,
      .flag(former.preservesValueInHistoryOnDeletion),
      .flag(attribute.preservesValueInHistoryOnDeletion)
    )
    add(.indexed, .flag(former.isIndexed), .flag(attribute.isIndexed))
    add(.indexedBySpotlight, .flag(former.isIndexedBySpotlight), .flag(attribute.isIndexedBySpotlight))
    add(.valueTransformer, AspectValue(former.valueTransformerName), AspectValue(attribute.valueTransformerName))
    add(.valueClass, AspectValue(former.valueClassName), AspectValue(attribute.valueClassName))
    add(.scalar, AspectValue(former.usesScalarValueType), AspectValue(attribute.usesScalarValueType))
    add(.derivation, AspectValue(former.derivation?.expression), AspectValue(attribute.derivation?.expression))
    add(
      .derivationFilter,
      AspectValue(former.derivation?.filterPredicate),
      AspectValue(attribute.derivation?.filterPredicate)
    )
    add(.composite, AspectValue(former.compositeName), AspectValue(attribute.compositeName))
    if former.elements != attribute.elements {
      entries.append(Entry(aspect: .elements, from: Self.elements(of: former), to: Self.elements(of: attribute)))
    }
    addIdentifiers((former.name, former.renamingIdentifier), (attribute.name, attribute.renamingIdentifier))
    add(.versionHashModifier, AspectValue(former.versionHashModifier), AspectValue(attribute.versionHashModifier))
    add(.userInfo, .entries(former.userInfo), .entries(attribute.userInfo))
    add(.syncable, .flag(former.isSyncable), .flag(attribute.isSyncable))
  }

  /// Adds a value; one number spelled for another type, `0` and `0.0`, is no change.
  private mutating func add(_ aspect: Aspect, _ former: AttributeValue?, _ latter: AttributeValue?) {
    if let number = former?.number, number == latter?.number { return }
    add(aspect, AspectValue(former), AspectValue(latter))
  }

  init(_ former: RelationshipDescription, _ relationship: RelationshipDescription) {
    add(.destination, AspectValue(former.destinationEntityName), AspectValue(relationship.destinationEntityName))
    add(.inverse, AspectValue(former.inverseName), AspectValue(relationship.inverseName))
    add(.inverseEntity, AspectValue(former.inverseEntityName), AspectValue(relationship.inverseEntityName))
    add(.optional, .flag(former.isOptional), .flag(relationship.isOptional))
    add(.transient, .flag(former.isTransient), .flag(relationship.isTransient))
    add(.toMany, .flag(former.isToMany), .flag(relationship.isToMany))
    add(.minCount, .number(former.minCount), .number(relationship.minCount))
    if former.isToMany == relationship.isToMany {
      add(.maxCount, .number(former.maxCount), .number(relationship.maxCount))
    }
    add(.ordered, .flag(former.isOrdered), .flag(relationship.isOrdered))
    add(.deleteRule, .text(former.deleteRule.name), .text(relationship.deleteRule.name))
    add(.indexed, .flag(former.isIndexed), .flag(relationship.isIndexed))
    addIdentifiers((former.name, former.renamingIdentifier), (relationship.name, relationship.renamingIdentifier))
    add(.versionHashModifier, AspectValue(former.versionHashModifier), AspectValue(relationship.versionHashModifier))
    add(.userInfo, .entries(former.userInfo), .entries(relationship.userInfo))
    add(.syncable, .flag(former.isSyncable), .flag(relationship.isSyncable))
  }

  init(_ former: EntityDescription, _ entity: EntityDescription) {
    add(.superentity, AspectValue(former.superentityName), AspectValue(entity.superentityName))
    add(.abstract, .flag(former.isAbstract), .flag(entity.isAbstract))
    add(.className, AspectValue(former.className), AspectValue(entity.className))
    add(.codeGeneration, AspectValue(former.codeGeneration), AspectValue(entity.codeGeneration))
    add(.uniquenessConstraints, .groups(former.uniquenessConstraints), .groups(entity.uniquenessConstraints))
    add(.compoundIndexes, .groups(former.compoundIndexes), .groups(entity.compoundIndexes))
    addIdentifiers((former.name, former.renamingIdentifier), (entity.name, entity.renamingIdentifier))
    add(.versionHashModifier, AspectValue(former.versionHashModifier), AspectValue(entity.versionHashModifier))
    add(.userInfo, .entries(former.userInfo), .entries(entity.userInfo))
    add(.syncable, .flag(former.isSyncable), .flag(entity.isSyncable))
  }

  init(_ former: FetchRequestDescription, _ request: FetchRequestDescription) {
    add(.fetchedEntity, AspectValue(former.entityName), AspectValue(request.entityName))
    add(.predicate, AspectValue(former.predicate), AspectValue(request.predicate))
    add(.settings, .entries(former.settings), .entries(request.settings))
  }

  init(_ former: FetchIndexDescription, _ index: FetchIndexDescription) {
    if former.elements != index.elements {
      entries.append(Entry(aspect: .indexElements, from: Self.elements(of: former), to: Self.elements(of: index)))
    }
    add(
      .partialIndexPredicate,
      AspectValue(former.partialIndexPredicate),
      AspectValue(index.partialIndexPredicate)
    )
  }

  init(_ former: FetchedPropertyDescription, _ property: FetchedPropertyDescription) {
    if let formerRequest = former.fetchRequest, let request = property.fetchRequest {
      entries = AspectComparison(formerRequest, request).entries
    } else if former.fetchRequest != property.fetchRequest {
      add(
        .fetchedEntity,
        AspectValue(former.fetchRequest?.entityName),
        AspectValue(property.fetchRequest?.entityName)
      )
    }
    add(.optional, .flag(former.isOptional), .flag(property.isOptional))
    add(.userInfo, .entries(former.userInfo), .entries(property.userInfo))
    add(.syncable, .flag(former.isSyncable), .flag(property.isSyncable))
  }

  /// An identifier that is the element's own name says nothing.
  private mutating func addIdentifiers(
    _ former: (name: String, identifier: String?), _ latter: (name: String, identifier: String?)
  ) {
    let meanings = [former, latter].map { RenamingIdentifier.meaning(of: $0.identifier, of: $0.name) }
    add(.renamingIdentifier, AspectValue(meanings[0]), AspectValue(meanings[1]))
  }

  private mutating func add(_ aspect: Aspect, _ from: AspectValue, _ to: AspectValue) {
    let isSame =
      switch (from, to) {
      case (.text(let former), .text(let latter)): HashedText(former) == HashedText(latter)
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
  /// The number that a value of any type of number is, nil for other values.
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
