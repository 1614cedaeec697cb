public import ModelDescription
public import VersionHashing

/// A model version that stores are held against, with its hashes.
public struct KnownVersion: Sendable {
  /// What copies of a version share: many values have the versions they are about.
  private final class Storage: Sendable {
    let bundle: String
    let name: String
    let isCurrent: Bool
    let hierarchy: EntityHierarchy
    let versionHashes: VersionHashes
    let parts: [KnownVersion]

    init(
      _ bundle: String, _ name: String, _ isCurrent: Bool, _ hierarchy: EntityHierarchy, _ versionHashes: VersionHashes,
      _ parts: [KnownVersion]
    ) {
      (self.bundle, self.name, self.isCurrent) = (bundle, name, isCurrent)
      (self.hierarchy, self.versionHashes, self.parts) = (hierarchy, versionHashes, parts)
    }
  }

  private let storage: Storage

  /// The path of its bundle; any name that its versions share for models in code.
  ///
  /// A version of a merged model has the paths of all its bundles here, joined by ` + `.
  public var bundle: String { storage.bundle }
  /// The version's name.
  public var name: String { storage.name }
  /// True for the version that the bundle says is current.
  public var isCurrent: Bool { storage.isCurrent }
  /// Its model.
  public var hierarchy: EntityHierarchy { storage.hierarchy }
  /// The hashes of all its entities.
  public var versionHashes: VersionHashes { storage.versionHashes }
  /// The versions, one of each bundle, that are merged into it; none for a version of one bundle.
  public var parts: [KnownVersion] { storage.parts }

  /// Takes a model and hashes it.
  ///
  /// - Parameters:
  ///   - bundle: the path of the bundle, or the name that the versions of a model in code share.
  ///   - name: the version's name.
  ///   - isCurrent: whether it is the bundle's current version.
  ///   - model: the version's model.
  /// - Throws: `ModelStructureError` when the model is broken.
  public init(
    bundle: String, name: String, isCurrent: Bool, model: ManagedObjectModel
  ) throws(ModelStructureError) {
    try self.init(bundle: bundle, name: name, isCurrent: isCurrent, model: model, sharing: EntityHashMemory())
  }

  /// Takes and hashes one of several versions of a model.
  package init(
    bundle: String, name: String, isCurrent: Bool, model: ManagedObjectModel, sharing memory: EntityHashMemory
  ) throws(ModelStructureError) {
    let hierarchy = try EntityHierarchy(model)
    self.init(
      bundle: bundle, name: name, isCurrent: isCurrent, hierarchy: hierarchy,
      versionHashes: try VersionHashes(of: hierarchy, sharing: memory))
  }

  /// Takes a model whose hashes are known, with the versions that are merged into it.
  package init(
    bundle: String, name: String, isCurrent: Bool, hierarchy: EntityHierarchy, versionHashes: VersionHashes,
    parts: [KnownVersion] = []
  ) {
    storage = Storage(bundle, name, isCurrent, hierarchy, versionHashes, parts)
  }

  /// The last component of the bundle's path.
  public var bundleFileName: String {
    parts.isEmpty ? bundle.split(separator: "/").last.map(String.init) ?? bundle : joined(\.bundleFileName)
  }

  /// The bundle's name, without its extension.
  public var bundleName: String {
    guard parts.isEmpty else { return joined(\.bundleName) }
    return bundleFileName.lastIndex(of: ".").map { String(bundleFileName[..<$0]) } ?? bundleFileName
  }

  /// The paths of its bundles: its own, or those of the versions that are merged into it.
  public var bundlePaths: [String] { parts.isEmpty ? [bundle] : parts.map(\.bundle) }

  private func joined(_ name: KeyPath<KnownVersion, String>) -> String {
    parts.map { $0[keyPath: name] }.joined(separator: Self.separator)
  }

  /// The hashes that a store of one configuration records, nil when there is no such configuration.
  ///
  /// - Parameter configuration: the configuration's name; nil for the whole model.
  /// - Returns: the hashes of the member entities.
  public func versionHashes(ofConfiguration configuration: String?) -> VersionHashes? {
    guard let configuration else { return versionHashes }
    guard let found = hierarchy.model.configurations.first(where: { $0.name == configuration }) else { return nil }
    let members = Set(found.entityNames)
    return VersionHashes(entities: versionHashes.entities.filter { members.contains($0.key) })
  }

  /// Returns the version as a store of one configuration sees it.
  ///
  /// - Parameter configuration: the configuration's name.
  /// - Returns: nil when there is no such configuration, or when its entities alone form no model.
  public func restricted(toConfiguration configuration: String) -> KnownVersion? {
    guard parts.isEmpty else {
      let parts = parts.compactMap { $0.restricted(toConfiguration: configuration) }
      return parts.isEmpty ? nil : try? KnownVersion(merging: parts, bundle: bundle, name: name, isCurrent: isCurrent)
    }
    return hierarchy.model.restricted(toConfiguration: configuration).flatMap { model in
      try? KnownVersion(bundle: bundle, name: name, isCurrent: isCurrent, model: model)
    }
  }

  /// Nil for the whole model, then the names of the configurations that hold less.
  var configurations: [String?] {
    [nil] + hierarchy.model.configurations.filter { $0.entityNames.count < versionHashes.entities.count }.map(\.name)
  }
}
