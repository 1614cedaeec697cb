public import ModelDescription
public import VersionHashing

/// A model version whose model is read and hashed.
public struct LoadedVersion: Sendable {
  /// The storage that copies of a version share.
  private final class Storage: Sendable {
    let bundle: String
    let name: String
    let isCurrent: Bool
    let file: ModelFile
    let hierarchy: EntityHierarchy
    let versionHashes: VersionHashes
    let parts: [LoadedVersion]

    init(
      _ bundle: String, _ name: String, _ isCurrent: Bool, _ file: ModelFile, _ hierarchy: EntityHierarchy,
      _ versionHashes: VersionHashes, _ parts: [LoadedVersion]
    ) {
      (self.bundle, self.name, self.isCurrent, self.file) = (bundle, name, isCurrent, file)
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
  /// True for the current version of the bundle.
  public var isCurrent: Bool { storage.isCurrent }
  /// Its model with the places of its elements; without places, and with the bundle as its path, for a model that is in
  /// no file of its own.
  public var file: ModelFile { storage.file }
  /// Its model with its inheritance resolved.
  public var hierarchy: EntityHierarchy { storage.hierarchy }
  /// The hashes of all its entities.
  public var versionHashes: VersionHashes { storage.versionHashes }
  /// The versions, one of each bundle, that are merged into it; none for a version of a single bundle.
  public var parts: [LoadedVersion] { storage.parts }

  /// Takes a model and hashes it.
  ///
  /// - Throws: `ModelStructureError` when the model is broken.
  public init(bundle: String, name: String, isCurrent: Bool, model: ManagedObjectModel) throws(ModelStructureError) {
    try self.init(
      bundle: bundle, name: name, isCurrent: isCurrent, file: ModelFile(model: model, path: bundle),
      sharing: EntityHashCache())
  }

  /// Takes a model that was read, and hashes it.
  package init(
    bundle: String, name: String, isCurrent: Bool, file: ModelFile, sharing memory: EntityHashCache = .init()
  ) throws(ModelStructureError) {
    let hierarchy = try EntityHierarchy(file.model)
    self.init(
      bundle: bundle, name: name, isCurrent: isCurrent, file: file, hierarchy: hierarchy,
      versionHashes: try VersionHashes(of: hierarchy, sharing: memory))
  }

  /// Takes a model whose hashes are known, with the versions that are merged into it.
  package init(
    bundle: String, name: String, isCurrent: Bool, file: ModelFile? = nil, hierarchy: EntityHierarchy,
    versionHashes: VersionHashes, parts: [LoadedVersion] = []
  ) {
    let file = file ?? ModelFile(model: hierarchy.model, path: bundle)
    storage = Storage(bundle, name, isCurrent, file, hierarchy, versionHashes, parts)
  }

  /// The location of an element, or of its entity, or of the model.
  ///
  /// - Returns: the beginning of the file if it has no locations.
  public func location(of element: ModelElement) -> SourceLocation {
    file.location(of: element) ?? file.location(of: .model) ?? SourceLocation(file: file.path, line: 1, column: 1)
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

  private func joined(_ name: KeyPath<LoadedVersion, String>) -> String {
    parts.map { $0[keyPath: name] }.joined(separator: Self.separator)
  }

  /// The hashes that a store of a single configuration records; nil if the model does not have the configuration.
  ///
  /// - Parameter configuration: the configuration's name; nil for the complete model.
  public func versionHashes(ofConfiguration configuration: String?) -> VersionHashes? {
    guard let configuration else { return versionHashes }
    guard let members = hierarchy.model.entityNames(inConfiguration: configuration) else { return nil }
    return VersionHashes(entities: versionHashes.entities.filter { members.contains($0.key) })
  }

  /// Returns the version as a store of a single configuration sees it.
  ///
  /// - Returns: nil if the model does not have the configuration, or its entities alone do not form a model.
  public func restricted(toConfiguration configuration: String) -> LoadedVersion? {
    guard parts.isEmpty else {
      let parts = parts.compactMap { $0.restricted(toConfiguration: configuration) }
      return parts.isEmpty ? nil : try? LoadedVersion(merging: parts, bundle: bundle, name: name, isCurrent: isCurrent)
    }
    return hierarchy.model.restricted(toConfiguration: configuration).flatMap { model in
      try? LoadedVersion(bundle: bundle, name: name, isCurrent: isCurrent, model: model)
    }
  }

  /// Returns the version for a store with some hashes: complete, or restricted to one of its configurations.
  ///
  /// - Returns: nil when neither the version nor a configuration of it has them.
  package func restricted(to hashes: VersionHashes) -> LoadedVersion? {
    guard hashes != versionHashes else { return self }
    let found = configurations.compactMap { $0 }.first { versionHashes(ofConfiguration: $0) == hashes }
    return found.flatMap { restricted(toConfiguration: $0) }
  }

  /// Nil for the complete model, then the names of the configurations that contain fewer entities.
  package var configurations: [String?] {
    [nil] + hierarchy.model.configurations.filter { $0.entityNames.count < versionHashes.entities.count }.map(\.name)
  }

  /// Reads every usable version of these bundles, on all cores.
  ///
  /// - Parameter bundles: the bundles in the order in which they are preferred.
  /// - Returns: the versions in the bundles' order, and the errors of those that cannot be used.
  public static func load(from bundles: [ModelBundle]) -> (versions: [LoadedVersion], failures: [VersionError]) {
    var versions: [LoadedVersion] = []
    var failures: [VersionError] = []
    let named = bundles.flatMap { bundle in bundle.versions.map { (bundle: bundle, version: $0) } }
    let (memory, texts) = (EntityHashCache(), EntityTextCache())
    let results = named.concurrentMap { bundle, version -> Result<LoadedVersion, VersionError.Cause> in
      let file: ModelFile
      do throws(ModelFileError) {
        file = try version.load(version.bytes(), sharing: texts)
      } catch {
        return .failure(.file(error))
      }
      do throws(ModelStructureError) {
        return .success(
          try LoadedVersion(
            bundle: bundle.path, name: version.name, isCurrent: version.name == bundle.currentVersionName,
            file: file, sharing: memory))
      } catch {
        return .failure(.structure(error))
      }
    }
    for ((bundle, version), result) in zip(named, results) {
      switch result {
      case .success(let known): versions.append(known)
      case .failure(let error): failures.append(VersionError(bundle: bundle.path, version: version.name, cause: error))
      }
    }
    return (versions, failures)
  }
}

/// A model version that cannot be compared with stores, and the reason.
public struct VersionError: Hashable, Sendable {
  /// The path of its bundle.
  public let bundle: String
  /// The version's name.
  public let version: String
  /// The reason.
  public let cause: Cause

  /// The reason why a version cannot be used.
  public enum Cause: Error, Hashable, Sendable {
    /// Its file cannot be read.
    case file(ModelFileError)
    /// Its entities do not form a hierarchy.
    case structure(ModelStructureError)
  }
}

extension VersionError.Cause: AdvisedError {
  /// The location or the file; nil for a broken hierarchy.
  public var place: String? {
    switch self {
    case .file(let error): error.place
    case .structure: nil
    }
  }

  /// The cause as a sentence, without the place.
  public var cause: String {
    switch self {
    case .file(let error): error.cause
    case .structure(let error): error.description
    }
  }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? {
    switch self {
    case .file(let error): error.advice
    case .structure: nil
    }
  }
}

extension LoadedVersion {
  /// The version as Xcode's mapping models contain it; nil for a merged version, which they cannot contain.
  package func snapshot(in project: ProjectFolder) -> MappingModelSnapshot? {
    guard parts.isEmpty else { return nil }
    let form = ModelBundle.Form(rawValue: BundlePath.pathExtension(bundle))
    let folder = form == .versioned ? bundle : "\(BundlePath.stem(bundle)).xcdatamodeld"
    let path = form == .single ? bundle : BundlePath.joined(folder, "\(name).xcdatamodel")
    return MappingModelSnapshot(versionPath: project.innerPath(path), hierarchy: hierarchy, hashes: versionHashes)
  }
}
