import ModelKit

extension ThisProject {
  /// The bundles whose current versions have an entity, by its name; read once, when a refusal first asks for them.
  private static let holders = allHolders()

  private static func allHolders() -> [String: [String]] {
    guard let search = try? search() else { return [:] }
    var holders: [String: [String]] = [:]
    for path in search.files(under: search.project.path).bundles {
      for entity in currentEntities(ofBundleAt: path) { holders[entity, default: []].append(path) }
    }
    return holders
  }

  private static func currentEntities(ofBundleAt path: String) -> [String] {
    do {
      let bundle = try ModelBundle(at: path)
      guard bundle.form.isEditable else { return [] }
      return try bundle.currentVersion().load().model.entities.map(\.name)
    } catch {
      return []
    }
  }

  /// The path of another bundle whose current version has an entity of this name.
  ///
  /// - Parameters:
  ///   - entity: the entity's name.
  ///   - bundle: the path of the bundle that it goes from.
  /// - Returns: nil when there is none.
  static func bundle(declaring entity: String, besides bundle: String) -> String? {
    let own = RealPath.of(bundle)
    return holders[entity]?.first { RealPath.of($0) != own }
  }
}
