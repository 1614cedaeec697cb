public import ModelDescription

/// By what an object of one store is known in another: its key, or attributes that are unique.
public struct ObjectMatching: Hashable, Sendable {
  /// The attributes of each entity that is not matched by key.
  private let attributes: [String: [String]]

  /// Every object is known by its key.
  public static let key = ObjectMatching(attributes: [:])

  private init(attributes: [String: [String]]) { self.attributes = attributes }

  /// Reads what somebody asks for.
  ///
  /// - Parameters:
  ///   - names: `key`, `unique` for the uniqueness constraints of each entity, or attributes such as `Customer.email`,
  ///     several of an entity together; what is named goes before its constraints.
  ///   - hierarchy: the model.
  /// - Throws: ``DataDifferenceError/noAttribute(_:)``.
  public init(_ names: [String], in hierarchy: EntityHierarchy) throws(DataDifferenceError) {
    var named: [(entity: String, attribute: String)] = []
    for name in names where !["key", "unique"].contains(name) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let found = hierarchy.allAttributes(of: parts[0])[parts[1]]?.property,
        !found.isTransient, found.type != .composite, found.type != .binary
      else { throw .noAttribute(name) }
      named.append((parts[0], parts[1]))
    }
    let usesConstraints = names.contains("unique")
    var attributes: [String: [String]] = [:]
    for entity in hierarchy.model.entities where !entity.isAbstract {
      var own = named.filter { hierarchy.isEntity(entity.name, kindOf: $0.entity) }.map(\.attribute)
      if own.isEmpty, usesConstraints { own = Self.constraint(of: entity.name, in: hierarchy) ?? [] }
      if !own.isEmpty { attributes[entity.name] = own }
    }
    self.attributes = attributes
  }

  /// The first constraint that is of attributes alone.
  private static func constraint(of entity: String, in hierarchy: EntityHierarchy) -> [String]? {
    let known = hierarchy.allAttributes(of: entity)
    return hierarchy.lineage(of: entity).flatMap(\.uniquenessConstraints).first { constraint in
      !constraint.isEmpty && constraint.allSatisfy { known[$0]?.property.isTransient == false }
    }
  }

  /// The attributes by which objects of an entity are known; nil for their keys.
  func attributes(of entity: String) -> [String]? { attributes[entity] }
}
