import Foundation
import ModelDescription

/// Reads archived attributes and relationships.
enum CompiledPropertyReader {
  static func attribute(
    _ object: ArchivedObject, name: String, of entity: String, notes: inout [String]
  ) -> AttributeDescription {
    var attribute = plainAttribute(object, name: name, of: entity, notes: &notes)
    if attribute.type == .composite {
      attribute.elements = CompositeElements.read(object, of: "\(entity).\(name)", notes: &notes)
    }
    return attribute
  }

  /// Reads an attribute without the elements of a composite one.
  static func plainAttribute(
    _ object: ArchivedObject, name: String, of entity: String, notes: inout [String]
  ) -> AttributeDescription {
    let type = AttributeType(code: Int32(clamping: object["NSAttributeType"]?.value.integer ?? 0))
    var attribute = AttributeDescription(name: name, type: type)
    attribute.isOptional = object.flag("NSIsOptional")
    attribute.isTransient = object.flag("NSIsTransient")
    attribute.isIndexed = object.flag("NSIsIndexed")
    let flags = object["NSFlagsKey"]?.value.integer ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
    attribute.valueTransformerName = object["NSValueTransformerName"]?.filledString
    if type == .transformable { attribute.valueClassName = object["NSAttributeValueClassName"]?.filledString }
    attribute.versionHashModifier = object["NSVersionHashModifier"]?.filledString
    attribute.renamingIdentifier = renamingIdentifier(object, name)
    attribute.userInfo = object["NSUserInfo"]?.textEntries ?? [:]
    attribute.defaultValue = object["NSDefaultValue"].flatMap { ArchivedAttributeValue.value($0, as: type) }
    if object.isKind(of: "NSDerivedAttributeDescription") {
      attribute.derivation = derivation(object, "\(entity).\(name)", notes: &notes)
    }
    return attribute
  }

  static func relationship(_ object: ArchivedObject, name: String) -> RelationshipDescription {
    var relationship = RelationshipDescription(
      name: name,
      destinationEntityName: object["_NSDestinationEntityName"]?.filledString
        ?? object["NSDestinationEntity"]?["NSEntityName"]?.filledString)
    relationship.inverseName =
      object["_NSInverseRelationshipName"]?.filledString
      ?? object["NSInverseRelationship"]?["NSPropertyName"]?.filledString
    relationship.inverseEntityName = relationship.inverseName == nil ? nil : relationship.destinationEntityName
    relationship.isOptional = object.flag("NSIsOptional")
    relationship.isTransient = object.flag("NSIsTransient")
    relationship.isOrdered = object.flag("NSIsOrdered")
    relationship.isIndexed = object.flag("NSIsIndexed")
    relationship.minCount = count(object["NSMinCount"])
    relationship.maxCount = count(object["NSMaxCount"])
    relationship.deleteRule =
      object["NSDeleteRule"]?.value.integer.flatMap { DeleteRule(rawValue: Int(clamping: $0)) } ?? .nullify
    relationship.versionHashModifier = object["NSVersionHashModifier"]?.filledString
    relationship.renamingIdentifier = renamingIdentifier(object, name)
    relationship.userInfo = object["NSUserInfo"]?.textEntries ?? [:]
    return relationship
  }

  /// `Int.max`, set in code, is archived as -1.
  private static func count(_ object: ArchivedObject?) -> Int {
    let count = object?.value.integer ?? 0
    return count == -1 ? .max : Int(clamping: count)
  }

  /// The identifier; nil if it equals the name, which archives write for a missing identifier.
  private static func renamingIdentifier(_ object: ArchivedObject, _ name: String) -> String? {
    object["NSRenamingIdentifier"]?.filledString.flatMap { $0 == name ? nil : $0 }
  }

  private static func derivation(_ object: ArchivedObject, _ address: String, notes: inout [String]) -> Derivation? {
    guard let expression = object["NSDerivationExpression"].flatMap({ ExpressionFormat.text(of: $0) }) else {
      notes.append("the derivation of \(address) is in an unknown format")
      return nil
    }
    if object["NSFilteringPredicate"] != nil {
      notes.append("the filter of the derived attribute \(address) is not read")
    }
    return Derivation(expression: expression)
  }
}

/// Reads the elements of archived composite attributes, nested ones included.
struct CompositeElements {
  /// The most elements of a single attribute; an archive may refer to one object from many places.
  private static let elementLimit = 20_000
  private static let depthLimit = 32

  private var count = 0
  private var notes: [String] = []

  /// Reads the elements in the order of the archive.
  ///
  /// - Parameter notes: receives a note if the elements cannot be read.
  /// - Returns: the elements; empty if they cannot be read.
  static func read(_ object: ArchivedObject, of address: String, notes: inout [String]) -> [AttributeDescription] {
    var reading = CompositeElements()
    guard let elements = reading.elements(of: object, inside: address, depth: 1), !elements.isEmpty else {
      notes.append("the elements of \(address) are not read from a compiled model")
      return []
    }
    notes += reading.notes
    return elements
  }

  private mutating func elements(
    of object: ArchivedObject, inside address: String, depth: Int
  ) -> [AttributeDescription]? {
    guard depth <= Self.depthLimit else { return nil }
    var elements: [AttributeDescription] = []
    for element in object["NSCompositeElements"]?.elements ?? [] {
      count += 1
      guard count <= Self.elementLimit, let name = element["NSPropertyName"]?.filledString else { return nil }
      var attribute = CompiledPropertyReader.plainAttribute(element, name: name, of: address, notes: &notes)
      if attribute.type == .composite {
        guard let inner = self.elements(of: element, inside: "\(address).\(name)", depth: depth + 1), !inner.isEmpty
        else { return nil }
        attribute.elements = inner
      }
      elements.append(attribute)
    }
    return elements
  }
}
