import ModelDescription
public import PersistentStores

extension LockFile {
  /// What the file has recorded of the names of join tables, of the versions that still are as they were.
  ///
  /// - Parameter versions: the versions of the bundle.
  /// - Returns: one reference a version that has any, by name.
  public func joinNameReferences(among versions: [KnownVersion]) -> [JoinNameReference] {
    sortedEntries().compactMap { name, entry in
      guard !entry.joinNames.isEmpty,
        let version = versions.first(where: { $0.name == name && $0.versionHashes == entry.hashes })
      else { return nil }
      let naming = version.hierarchy.model.entities.flatMap { entity in
        entity.relationships.map { PropertyAddress(entity: entity.name, property: $0.name) }
      }
      return JoinNameReference(
        path: path, hierarchy: version.hierarchy,
        naming: Set(naming.filter { entry.joinNames.contains("\($0)") }))
    }
  }
}
