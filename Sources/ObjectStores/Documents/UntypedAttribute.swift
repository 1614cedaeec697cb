import ModelDescription

/// An attribute of an entity's objects that has no type, or such an element of a composite one.
struct UntypedAttribute: Hashable {
  /// The entity that the objects are of.
  let entity: String
  /// The name of the attribute, and those of the elements within a composite one.
  let path: [String]

  /// The name by which a loss of its values is allowed.
  var name: String { ([entity] + path).joined(separator: ".") }

  /// True where its loss is allowed, by its own name or that of a composite attribute that has it, of any entity that declares it.
  func isGivenUp(_ allowedLosses: Set<String>, in hierarchy: EntityHierarchy) -> Bool {
    hierarchy.lineage(of: entity).contains { entity in
      path.indices.contains { allowedLosses.contains(([entity.name] + path[...$0]).joined(separator: ".")) }
    }
  }
}
