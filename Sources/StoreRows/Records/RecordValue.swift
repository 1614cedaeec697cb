public import Foundation
public import ModelDescription
import PersistentStores

/// The value of a property.
public enum RecordValue: Hashable, Sendable {
  /// Nothing.
  case null
  /// The value of an attribute.
  case attribute(AttributeValue)
  /// The bytes of a transformable attribute, as its transformer created them.
  case transformed(Data)
  /// Binary data in an external file: the reference in the row, which ``externalFile`` reads.
  case external(reference: Data)
  /// The elements of a composite attribute by their names.
  case composite([String: RecordValue])
  /// The destination object of a to-one relationship.
  case object(RecordID)
  /// The objects of a to-many relationship, in their order if it is ordered, or sorted by key.
  case objects([RecordID])

  /// The name of the file in the store's folder of external data; nil for any other value and for an invalid reference.
  public var externalFile: String? {
    guard case .external(let reference) = self else { return nil }
    return ExternalData.fileName(in: reference)
  }

  /// The element of a composite value at a path of names: the value itself for an empty path, null if it does not
  /// exist.
  public func element(at path: ArraySlice<String>) -> RecordValue {
    guard let first = path.first else { return self }
    guard case .composite(let elements) = self else { return .null }
    return (elements[first] ?? .null).element(at: path.dropFirst())
  }

  /// The composite value with a different element at a path of names; null if no element is left.
  public func replacing(elementAt path: ArraySlice<String>, by element: RecordValue) -> RecordValue {
    guard let first = path.first else { return element }
    var elements: [String: RecordValue] = if case .composite(let known) = self { known } else { [:] }
    let replaced = (elements[first] ?? .null).replacing(elementAt: path.dropFirst(), by: element)
    elements[first] = replaced == .null ? nil : replaced
    return elements.isEmpty ? .null : .composite(elements)
  }

  /// The destination objects of a relationship; nil for null and for the value of an attribute.
  public var links: [RecordID]? {
    switch self {
    case .object(let id): [id]
    case .objects(let ids): ids
    default: nil
    }
  }
}

extension RecordValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// The text as the value of a String attribute.
  public init(stringLiteral text: String) { self = .attribute(.string(text)) }

  /// The number as the value of an Integer attribute.
  public init(integerLiteral number: Int64) { self = .attribute(.integer(number)) }

  /// The number as the value of a Double or Float attribute.
  public init(floatLiteral number: Double) { self = .attribute(.double(number)) }

  /// The value of a Boolean attribute.
  public init(booleanLiteral flag: Bool) { self = .attribute(.boolean(flag)) }

  /// Nothing.
  public init(nilLiteral: ()) { self = .null }
}

/// An error if a row has a value that its attribute cannot have.
public struct RecordValueError: Error, Hashable, Sendable {
  /// The object.
  public let object: RecordID
  /// The attribute, or the element of a composite attribute.
  public let property: String
  /// The attribute's type.
  public let expected: AttributeType

  package init(object: RecordID, property: String, expected: AttributeType) {
    (self.object, self.property, self.expected) = (object, property, expected)
  }
}

extension RecordValueError: AdvisedError {
  /// The object.
  public var place: String? { "\(object)" }
  /// The cause as a sentence without the object.
  public var cause: String { "the stored value of \(property) is not a valid \(expected.name)" }
  /// The way to find all such values of the store.
  public var advice: Advice? {
    "verify the store to list all such values: \(run: "modelctl", "verify", onStore: nil)"
  }
}
