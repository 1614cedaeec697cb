import ModelDescription
import ModelFiles

/// An element of a released version that migrations know by another name than before.
struct ChangedIdentity {
  let version: LoadedVersion
  let element: ModelElement
  /// The name by which it was known.
  let released: String
  /// The name by which it is known.
  let now: String
  /// The evidence of the release, in words.
  let evidence: String
  /// True when stores of older versions are migrated to the version.
  let hasOlderVersions: Bool
}

extension BundleHistory {
  /// The elements of released versions whose renaming identifiers changed, once for each name in the evidence.
  var changedIdentities: [ChangedIdentity] {
    versions.flatMap { version in
      let model = version.hierarchy.model
      let evidence = releases(of: version.name).filter { $0.model != nil }
      guard evidence.contains(where: { $0.model != model }) else { return [ChangedIdentity]() }
      let now = Dictionary(model.canonicalNames) { first, _ in first }
      var seen: [ModelElement: String] = [:]
      return evidence.flatMap { release in
        let released = release.model?.canonicalNames ?? []
        return released.compactMap { element, name -> ChangedIdentity? in
          guard let current = now[element], current != name, seen.updateValue(name, forKey: element) != name
          else { return nil }
          return ChangedIdentity(
            version: version, element: element, released: name, now: current,
            evidence: evidence.filter { other in
              other.model?.canonicalNames.contains { $0 == (element, name) } ?? false
            }.words, hasOlderVersions: versions.first?.name != version.name)
        }
      }
    }
  }
}

extension ManagedObjectModel {
  /// The names by which migrations know entities and properties, in the order of the model.
  fileprivate var canonicalNames: [(ModelElement, String)] {
    entities.flatMap { entity in
      [(.entity(entity.name), entity.canonicalName)]
        + entity.attributes.map { (.property(entity: entity.name, name: $0.name), $0.canonicalName) }
        + entity.relationships.map { (.property(entity: entity.name, name: $0.name), $0.canonicalName) }
    }
  }
}
