import Foundation
import ModelDescription

/// Turns properties into elements.
enum PropertyElements {
  static func element(_ attribute: AttributeDescription) -> ContentsElement {
    var element = ContentsElement("attribute", children: ContentsForm.userInfo(attribute.userInfo))
    element.set("name", attribute.name)
    element.set("optional", flag: attribute.isOptional)
    element.set("transient", flag: attribute.isTransient)
    element.set("attributeType", attribute.type == .undefined ? nil : attribute.type.name)
    element.set("allowsExternalBinaryDataStorage", flag: attribute.allowsExternalBinaryDataStorage)
    element.set("allowsCloudEncryption", flag: attribute.allowsCloudEncryption)
    element.set("composite", filled: attribute.compositeName)
    element.set("derived", flag: attribute.derivation != nil)
    element.set("derivationExpression", attribute.derivation?.expression)
    element.set("valueTransformerName", filled: attribute.valueTransformerName)
    element.set("customClassName", filled: attribute.valueClassName)
    set(attribute.validation.minimum, "minValueString", "minDateTimeInterval", AttributeSpelling.limit, &element)
    set(attribute.validation.maximum, "maxValueString", "maxDateTimeInterval", AttributeSpelling.limit, &element)
    element.set("regularExpressionString", filled: attribute.validation.regularExpression)
    set(
      attribute.defaultValue, "defaultValueString", "defaultDateTimeInterval", AttributeSpelling.defaultValue, &element)
    element.set("usesScalarValueType", attribute.usesScalarValueType.map { $0 ? "YES" : "NO" })
    element.set("indexed", flag: attribute.isIndexed)
    element.set("preserveAfterDeletion", flag: attribute.preservesValueInHistoryOnDeletion)
    element.set("spotlightIndexingEnabled", flag: attribute.isIndexedBySpotlight)
    element.set("elementID", filled: attribute.renamingIdentifier)
    element.set("versionHashModifier", filled: attribute.versionHashModifier)
    element.set("syncable", flag: attribute.isSyncable)
    return element.inEditorOrder()
  }

  /// A relationship; a count beyond every number, which only code can set, is -1.
  static func element(_ relationship: RelationshipDescription) -> ContentsElement {
    func count(_ count: Int) -> String? { count == .max ? "-1" : count == 0 ? nil : String(count) }
    var element = ContentsElement("relationship", children: ContentsForm.userInfo(relationship.userInfo))
    element.set("name", relationship.name)
    element.set("optional", flag: relationship.isOptional)
    element.set("transient", flag: relationship.isTransient)
    element.set("toMany", flag: relationship.isToMany)
    element.set("minCount", count(relationship.minCount))
    element.set("maxCount", count(relationship.maxCount))
    element.set("deletionRule", relationship.deleteRule.name)
    element.set("ordered", flag: relationship.isOrdered)
    element.set("destinationEntity", filled: relationship.destinationEntityName)
    element.set("inverseName", filled: relationship.inverseName)
    element.set("inverseEntity", filled: relationship.inverseEntityName)
    element.set("indexed", flag: relationship.isIndexed)
    element.set("elementID", filled: relationship.renamingIdentifier)
    element.set("versionHashModifier", filled: relationship.versionHashModifier)
    element.set("syncable", flag: relationship.isSyncable)
    return element
  }

  static func element(_ property: FetchedPropertyDescription) -> ContentsElement {
    var element = ContentsElement("fetchedProperty")
    element.set("name", property.name)
    element.set("optional", flag: property.isOptional)
    element.set("syncable", flag: property.isSyncable)
    element.children += [property.fetchRequest].compactMap { $0.map(FetchRequestElements.element) }
    element.children += ContentsForm.userInfo(property.userInfo)
    return element
  }

  /// Writes a value as text, or a date as seconds.
  private static func set(
    _ value: AttributeValue?, _ key: String, _ dateKey: String, _ spelling: (AttributeValue) -> String?,
    _ element: inout ContentsElement
  ) {
    guard let value else { return }
    if case .date = value { element.set(dateKey, spelling(value)) } else { element.set(key, spelling(value)) }
  }
}

/// Turns fetch requests into elements.
enum FetchRequestElements {
  static func element(_ request: FetchRequestDescription) -> ContentsElement {
    var element = ContentsElement("fetchRequest")
    element.set("name", request.name)
    element.set("entity", request.entityName)
    element.set("predicateString", filled: request.predicate)
    for (name, value) in request.settings.sorted(by: { $0.key < $1.key }) { element.set(name, value) }
    return element.inEditorOrder()
  }
}

/// Writes values of attributes as Xcode does.
enum AttributeSpelling {
  /// The text of a default value: fractions have a decimal point, `0.0`; nil for a value that only archives can hold.
  static func defaultValue(_ value: AttributeValue) -> String? {
    switch value {
    case .double(let number): "\(number)"
    case .decimal(let number): decimal(number, isFraction: true)
    default: text(value)
    }
  }

  /// The text of a bound: as it was typed, `0`.
  static func limit(_ value: AttributeValue) -> String? {
    switch value {
    case .double(let number): whole(number)
    case .decimal(let number): decimal(number, isFraction: false)
    default: text(value)
    }
  }

  private static func text(_ value: AttributeValue) -> String? {
    switch value {
    case .integer(let number): String(number)
    case .string(let text), .uri(let text): text
    case .boolean(let flag): flag ? "YES" : "NO"
    case .date(let seconds): whole(seconds)
    case .uuid(let identifier): identifier.uuidString
    case .binary, .double, .decimal: nil
    }
  }

  /// A number, without a decimal point if it is a whole number.
  private static func whole(_ number: Double) -> String {
    number != 0 || number.sign == .plus ? Int64(exactly: number).map { String($0) } ?? "\(number)" : "\(number)"
  }

  private static func decimal(_ number: Decimal, isFraction: Bool) -> String {
    let text = "\(number)"
    return isFraction && text.allSatisfy { $0.isNumber || $0 == "-" } ? text + ".0" : text
  }
}
