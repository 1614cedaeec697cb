package import ModelDescription

/// The bits of the entities of a model, each worked out when it is first asked for.
package struct HistoryBitmaps {
  private let hierarchy: EntityHierarchy
  private lazy var incoming = hierarchy.toManyRelationshipsWithoutInverse()
  private var bitmaps: [String: HistoryBitmap] = [:]

  /// Takes the model.
  package init(_ hierarchy: EntityHierarchy) {
    self.hierarchy = hierarchy
  }

  /// The bits of an entity.
  package mutating func bitmap(of entity: String) -> HistoryBitmap {
    if let known = bitmaps[entity] { return known }
    let bitmap = HistoryBitmap(of: entity, in: hierarchy, incoming: incoming)
    bitmaps[entity] = bitmap
    return bitmap
  }
}
