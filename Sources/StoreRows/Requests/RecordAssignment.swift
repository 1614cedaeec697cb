public import MappingModels
public import ModelDescription

/// A value for a property as people type it: `isPaid=yes`, `address.city=Bonn` for an element of a composite attribute, or
/// `customer=7` for the object with the key 7.
public struct RecordAssignment: Hashable, Sendable {
  /// The property, or the path to an element of a composite attribute.
  public let property: String
  /// The text of the value; nil for none.
  public let text: String?

  /// Names a property and the text of its value; nil empties the property.
  public init(_ property: String, text: String?) { (self.property, self.text) = (property, text) }

  /// Takes an assignment apart at its first `=`.
  ///
  /// - Returns: nil when there is none.
  public init?(_ assignment: String) {
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    self.init(String(parts[0]), text: String(parts[1]))
  }

  /// The names that lead to what is set: the property, and those of elements.
  private var path: [String] { property.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }

  /// Sets a value among those that an object gets.
  ///
  /// - Parameters:
  ///   - value: the value that ``value(of:in:)`` gave.
  ///   - record: the object as it is, of which a composite attribute keeps the other elements.
  public func set(_ value: RecordValue, in values: inout [String: RecordValue], of record: ObjectRecord) {
    guard let name = path.first else { return }
    values[name] = (values[name] ?? record[name] ?? .null).replacing(elementAt: path.dropFirst(), by: value)
  }

  /// The value for an entity's property.
  ///
  /// - Throws: ``RecordRequestError`` for a property that cannot be set so, ``RecordAssignmentError`` for a text that
  ///   is no value of its type.
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

  /// What is set where it is an attribute or an element of one; a composite attribute as a whole can only be emptied.
  private func attribute(of entity: String, in hierarchy: EntityHierarchy) -> AttributeDescription? {
    let declared = path.first.flatMap { hierarchy.allAttributes(of: entity)[$0]?.property }
    guard let declared, !declared.isTransient, declared.derivation == nil else { return nil }
    if text == nil, path.count == 1 { return declared }
    return declared.leaves.first { $0.path == path }?.attribute
  }
}

/// Why a value cannot be set.
public enum RecordAssignmentError: Error, Hashable, Sendable {
  /// The entity has no attribute and no to-one relationship of this name that can be set.
  case property(String, entity: String, near: [String])
  /// The text is no value of the attribute's type.
  case value(property: String, AttributeValueParseError)
  /// The text is no key of an object.
  case key(property: String, text: String)
}

extension RecordAssignmentError: CustomStringConvertible {
  /// The property, the cause and what to write.
  public var description: String {
    switch self {
    case .property(let name, let entity, let near):
      "\(entity) has no attribute and no to-one relationship “\(name)” that can be set"
        + NearNames.clause(near)
    case .value(let property, let error): "\(property): \(error)"
    case .key(let property, let text): "\(property): “\(text)” is no key of an object; write a whole number above 0"
    }
  }
}
