public import ModelDescription
public import ModelFiles

/// Plain Swift structs for the entities of a model, a file each, and for its composite types.
///
/// A struct has every property of its entity, inherited ones included, so that it stands alone. Relationships hold the
/// identifiers of other objects: one, a set, or an array where there is an order.
public struct EntityTypeFiles: Hashable, Sendable {
  /// The files, in the order of the entities in the model, then the composite types.
  public let files: [GeneratedFile]

  /// Writes the structs of a model.
  ///
  /// - Parameters:
  ///   - hierarchy: the model with its inheritance.
  ///   - origin: where the model comes from, shown in documentation comments.
  public init(_ hierarchy: EntityHierarchy, origin: String) {
    let writer = EntityTypeWriter(hierarchy: hierarchy, names: EntityTypeNames(hierarchy.model), origin: origin)
    files =
      hierarchy.model.entities.map { entity in
        GeneratedFile(name: "\(writer.names.type(ofEntity: entity.name)).swift", code: writer.code(of: entity))
      }
      + writer.names.distinctComposites.map { composite in
        GeneratedFile(
          name: "\(writer.names.type(ofComposite: composite.name) ?? "").swift", code: writer.code(of: composite))
      }
  }
}
