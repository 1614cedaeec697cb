import ModelKit

/// The `contents` file that an edit changes.
struct EditTarget {
  /// The path of the file.
  let path: String
  /// The version it belongs to, nil for a file outside any bundle.
  let version: ModelVersion?

  /// What an element of the version continues of the version before it, nil when nothing says so.
  func origin(of element: ModelElement) -> ElementOrigin? {
    guard let version, let previous = previous(of: version),
      let model = try? EntityHierarchy(version.load().model), let former = try? EntityHierarchy(previous.load().model)
    else { return nil }
    return EntityPairing(from: former, to: model).origin(of: element)
  }

  /// The bundle that a version is in.
  static func bundle(of version: ModelVersion) throws -> ModelBundle {
    let parent = BundlePath.parent(version.path)
    let isVersioned = BundlePath.pathExtension(parent).lowercased() == ModelBundle.Form.versioned.rawValue
    return try ModelBundle(at: isVersioned ? parent : version.path)
  }

  private func previous(of version: ModelVersion) -> ModelVersion? {
    guard let bundle = try? Self.bundle(of: version) else { return nil }
    let versions = VersionEvidence(of: [bundle]).bundles[0].versions
    guard let position = versions.firstIndex(where: { $0.name == version.name }), position > 0 else { return nil }
    return versions[position - 1]
  }
}
