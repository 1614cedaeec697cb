import ModelDescription

/// The bundles of a project that people edit, by the entities of their current versions.
package struct EntityHolders: Sendable {
  private let paths: [String: [String]]

  /// Reads the current versions of a project's bundles; one that cannot be read holds nothing.
  package static func read(in search: ProjectSearch) -> EntityHolders {
    var paths: [String: [String]] = [:]
    for path in search.files(under: search.project.path).bundles {
      guard let bundle = try? ModelBundle(at: path), bundle.form.isEditable,
        let model = try? bundle.currentVersion().load().model
      else { continue }
      for entity in model.entities { paths[entity.name, default: []].append(path) }
    }
    return EntityHolders(paths: paths)
  }

  /// The path of another bundle that has an entity of a name; nil when none has.
  package func bundle(declaring entity: String, besides bundle: String) -> String? {
    guard let found = paths[entity] else { return nil }
    let own = RealPath.of(bundle)
    return found.first { RealPath.of($0) != own }
  }
}
