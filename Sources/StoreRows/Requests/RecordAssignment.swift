public import MappingModels
public import ModelDescription

/// A value for a property as people type it: `isPaid=yes`, `address.city=Bonn` for an element of a composite attribute, or
/// `customer=7` for the object with the key 7.
public struct RecordAssignment: Hashable, Sendable {
  /// The property, or the path to an element of a composite attribute.
  public let property: String
  /// The text of the value; nil to remove the value.
  public let text: String?

  /// Names a property and the text of its value; nil empties the property.
  public init(_ property: String, text: String?) { (self.property, self.text) = (property, text) }

  /// Parses an assignment, which is split at its first `=`.
  ///
  /// - Returns: nil if the text has no `=`.
  public init?(_ assignment: String) {
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    self.init(String(parts[0]), text: String(parts[1]))
  }

  /// True if the text is a word for no value in a programming language, which is a text like any other here.
  public var saysNothing: Bool { text.map { ["nil", "null"].contains($0.lowercased()) } ?? false }

  /// The path of the assignment: the name of the property, and the names of elements.
  private var path: [String] { property.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }

  /// Sets a value in the new values of an object.
  ///
  /// - Parameters:
  ///   - value: the result of ``value(of:in:)``.
  ///   - record: the current object; a composite attribute keeps its other elements.
  public func set(_ value: RecordValue, in values: inout [String: RecordValue], of record: ObjectRecord) {
    guard let name = path.first else { return }
    values[name] = (values[name] ?? record[name] ?? .null).replacing(elementAt: path.dropFirst(), by: value)
  }

  /// Returns the value for an entity's property.
  ///
  /// - Throws: ``RecordRequestError`` for a property that cannot be set this way, ``RecordAssignmentError`` for a text
  ///   that is not a valid value of its type.
  public func value(of entity: String, in hierarchy: EntityHierarchy) throws -> RecordValue {
    if let attribute = attribute(of: entity, in: hierarchy) {
      guard let text else { return .null }
      do throws(AttributeValueParseError) {
        let value = try AttributeValue.parse(text, as: attribute.type)
        if attribute.type == .transformable, case .binary(let data) = value { return .transformed(data) }
        return .attribute(value)
      } catch {
        throw RecordAssignmentError.value(property: property, error)
      }
    }
    guard let relationship = hierarchy.allRelationships(of: entity)[property]?.property, !relationship.isTransient,
      !relationship.isToMany, let destination = relationship.destinationEntityName
    else {
      let attributes = hierarchy.allAttributes(of: entity).values.map(\.property)
        .filter { !$0.isTransient && $0.derivation == nil }
        .flatMap { $0.leaves.map { $0.path.joined(separator: ".") } }
      let links = hierarchy.allRelationships(of: entity).values.map(\.property)
        .filter { !$0.isTransient && !$0.isToMany }.map(\.name)
      throw RecordAssignmentError.property(
        property, entity: entity, near: NearNames.nearest(to: property, among: (attributes + links).sorted()))
    }
    guard let text else { return .null }
    guard let key = Int64(text), key > 0 else { throw RecordAssignmentError.key(property: property, text: text) }
    return .object(RecordID(entity: destination, key: key))
  }

  /// The attribute or element to set; a complete composite attribute can only be set to null.
  private func attribute(of entity: String, in hierarchy: EntityHierarchy) -> AttributeDescription? {
    let declared = path.first.flatMap { hierarchy.allAttributes(of: entity)[$0]?.property }
    guard let declared, !declared.isTransient, declared.derivation == nil else { return nil }
    if text == nil, path.count == 1 { return declared }
    return declared.leaves.first { $0.path == path }?.attribute
  }
}

/// An error if a value cannot be set.
public enum RecordAssignmentError: Error, Hashable, Sendable {
  /// The entity has no settable attribute or to-one relationship of this name.
  case property(String, entity: String, near: [String])
  /// The text is not a valid value of the attribute's type.
  case value(property: String, AttributeValueParseError)
  /// The text is not a valid key of an object.
  case key(property: String, text: String)
}

extension RecordAssignmentError: AdvisedError {
  /// The property; nil if it is unknown.
  public var place: String? {
    switch self {
    case .property: nil
    case .value(let property, _), .key(let property, _): property
    }
  }

  /// The cause as a sentence without the property.
  public var cause: String {
    switch self {
    case .property(let name, let entity, let near):
      CommonWords.unknown("settable attribute or to-one relationship", name, in: entity, near: near)
    case .value(_, let error): "\(error)"
    case .key(_, let text): "“\(text)” is not a valid key of an object"
    }
  }

  /// The form of a key; nil if the cause implies the remedy.
  public var advice: Advice? {
    guard case .key(let property, let text) = self else { return nil }
    return RecordAssignment(property, text: text).saysNothing && !property.hasPrefix("$")
      ? "remove the link: \(option: "--clear", property)" : "write a whole number above 0"
  }
}
