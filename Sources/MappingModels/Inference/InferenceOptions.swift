public import ModelDescription

/// Your additions to inference, for changes that Core Data would refuse.
///
/// Elements are named in the destination model as `Entity.property`. Name an inherited property by its declaring entity
/// or by any entity that inherits it, and an element of a composite attribute as `Entity.attribute.element`.
public struct InferenceOptions: Hashable, Sendable {
  /// The attributes whose values may be converted to a type that inference does not convert to.
  public var casts: Set<String>
  /// The values for attributes that would be empty.
  public var fills: [String: AttributeValue]

  /// Creates options; without arguments, inference works as Core Data does.
  public init(casts: Set<String> = [], fills: [String: AttributeValue] = [:]) {
    (self.casts, self.fills) = (casts, fills)
  }

  /// The names that match no stored attribute of a model, sorted; a caller refuses them as typing errors.
  public func unmatchedNames(in destination: EntityHierarchy) -> [String] {
    var known: Set<String> = []
    for entity in destination.model.entities {
      for path in destination.storedAttributes(of: entity.name).keys { known.insert("\(entity.name).\(path)") }
    }
    return casts.union(fills.keys).subtracting(known).sorted()
  }

  /// The names under which an attribute of an entity may be given: the entity's, then its ancestors' that have it.
  static func names(of attribute: StoredAttribute, in entity: String, of destination: EntityHierarchy) -> [String] {
    var names: [String] = []
    for ancestor in destination.lineage(of: entity) {
      names.append("\(ancestor.name).\(attribute.path)")
      if ancestor.name == attribute.entity { break }
    }
    return names
  }
}
