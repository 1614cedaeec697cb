import ModelKit

/// The versions that stores are held against, read once for all stores of a command.
struct VersionCatalogue: Sendable {
  /// The usable versions, each bundle's oldest first.
  let versions: [KnownVersion]
  /// True when the app opens its stores with the union of all the bundles.
  let mergesBundles: Bool
  /// The bundles that the options name.
  let bundles: [ModelBundle]
  private let failures: [VersionFailure]
  let unions = UnionTargets()
  /// Where they were looked for.
  private let place: String

  /// Reads the versions of the bundles that the options name; one that cannot be used is told on standard error.
  ///
  /// - Parameters:
  ///   - options: the bundles.
  ///   - configuration: the only configuration to consider; nil for the whole models and all of theirs.
  /// - Throws: `ModelFileError` and ``CommandError`` when a bundle was named and nothing in it can be used, and when no
  ///   version has the configuration.
  init(_ options: ModelOptions, configuration: String? = nil) throws {
    bundles = VersionEvidence(of: try options.bundles()) { Console.note("\($0)") }.bundles
    mergesBundles = options.mergesBundles
    place =
      options.paths.isEmpty
      ? try ThisProject.search().project.path : options.paths.joined(separator: KnownVersion.separator)
    let (known, failures) = KnownVersion.load(from: bundles)
    self.failures = failures
    versions = configuration.map { name in known.compactMap { $0.restricted(toConfiguration: name) } } ?? known
    if let configuration, versions.isEmpty, !known.isEmpty {
      throw CommandError.unknownConfiguration(
        configuration, model: place,
        configurations: Set(known.flatMap(\.hierarchy.model.configurations).map(\.name)).sorted())
    }
    if !options.paths.isEmpty, versions.isEmpty, let failure = failures.first { throw CommandError(failure) }
    if mergesBundles, let missing = bundles.first(where: { bundle in !known.contains { $0.bundle == bundle.path } }),
      let failure = failures.first(where: { $0.bundle == missing.path })
    {
      throw CommandError(failure)
    }
    for failure in failures { Console.warn("left out: \(CommandError(failure))") }
  }

  /// The order of the versions of the bundle that a store belongs to, nil when it belongs to none.
  func sequence(of identification: StoreIdentification) -> VersionSequence? {
    bundles.first { $0.path == identification.version?.bundle }?.sequence
  }

  /// Why bundles have no current version although they name one.
  var currentVersionErrors: [ModelFileError] { bundles.compactMap(\.currentVersionError) }

  /// Identifies the version that wrote a store.
  ///
  /// - Parameter reader: the store.
  /// - Returns: the version, a merged one where the store is of several bundles.
  /// - Throws: `StoreError`.
  func identify(by reader: StoreReader) throws(StoreError) -> StoreIdentification {
    try reader.identify(among: versions, mergesBundles: mergesBundles)
  }

  /// Finds the bundle that a store belongs to, and the version to reach in it.
  ///
  /// - Parameters:
  ///   - store: the store's path.
  ///   - name: the version to reach; nil for the bundle's current one.
  ///   - busyTimeout: how many seconds to wait for another process.
  /// - Returns: the bundle's versions and the one to reach.
  /// - Throws: ``CommandError`` when the bundle or the version is not clear, and `StoreError`.
  func target(
    of store: String, to name: String?, busyTimeout: Double = StoreWriter.defaultBusyTimeout
  ) throws -> MigrationTarget {
    let reader = try StoreReader(path: store, busyTimeout: busyTimeout)
    defer { reader.close() }
    let metadata = try reader.metadata()
    let isKnown = versions.contains { $0.versionHashes == metadata.versionHashes }
    let identification =
      isKnown
      ? StoreIdentification(of: metadata, cachedModel: .absent, among: versions, mergesBundles: mergesBundles)
      : try identify(by: reader)
    guard !versions.isEmpty else {
      if let failure = failures.first { throw CommandError(failure) }
      throw try ThisProject.noBundle(under: place)
    }
    if var union = try unionTarget(of: identification, to: name, store) {
      union.source = identification
      return union
    }
    let (bundleName, name) = qualified(name)
    let paths = Set(versions.map(\.bundle))
    let bundle = bundleName ?? identification.version?.bundle ?? identification.nearest?.version.bundle
    guard let bundle = bundle ?? (paths.count == 1 ? paths.first : nil) else {
      throw CommandError.noVersionToReach(store: store)
    }
    var target = try target(in: bundle, to: name, store)
    target.source = identification
    guard bundleName == nil else { return target }
    for other in otherBundles(of: identification) {
      let rival = try? self.target(in: other, to: name, store).destination
      if let rival, rival.versionHashes != target.destination.versionHashes {
        throw CommandError.severalBundlesFit(store: store, candidates: [bundle, other])
      }
    }
    return target
  }

  /// The versions that stores pass, from a store's or the oldest to the one to reach.
  ///
  /// - Parameters:
  ///   - store: the store's path; nil for every version there may be a store of.
  ///   - name: the version to reach; nil for the bundle's current one.
  /// - Returns: the versions, oldest first, each with hashes of its own unless two are one to Core Data.
  /// - Throws: as ``target(of:to:)``.
  func way(of store: String?, to name: String?) throws -> [KnownVersion] {
    guard let store else {
      if mergesBundles { throw CommandError.unionOnly(name: place, what: "a staged migration") }
      let paths = Set(versions.map(\.bundle)).sorted()
      let (bundleName, version) = qualified(name)
      guard let bundle = bundleName ?? (paths.count == 1 ? paths.first : nil) else {
        if paths.isEmpty { throw try ThisProject.noBundle(under: place) }
        throw CommandError.severalBundles(folder: place, candidates: paths)
      }
      let target = try target(in: bundle, to: version, bundle)
      return Array(target.versions.prefix { $0.name != target.destination.name }) + [target.destination]
    }
    let target = try target(of: store, to: name)
    guard target.destination.parts.isEmpty else {
      throw CommandError.unionOnly(name: target.destination.name, what: "a staged migration")
    }
    let reader = try StoreReader(path: store)
    defer { reader.close() }
    let found = try reader.identify(among: target.versions).version
    guard let start = target.versions.firstIndex(where: { $0.name == found?.name }),
      let end = target.versions.firstIndex(where: { $0.name == target.destination.name }), start <= end
    else { throw CommandError.noWay(store: store, version: target.destination.name) }
    return Array(target.versions[start...end])
  }

  /// The versions of each bundle, oldest first; of bundles that are merged, the merged versions.
  ///
  /// - Returns: one list a bundle that has any.
  /// - Throws: ``CommandError`` when there is none, or the bundles cannot be merged.
  func bundlesVersions() throws -> [[KnownVersion]] {
    if versions.isEmpty, let failure = failures.first { throw CommandError(failure) }
    guard !versions.isEmpty else { throw try ThisProject.noBundle(under: place) }
    if mergesBundles { return [try unionTarget(among: bundleVersions, from: nil, to: nil, place).versions] }
    return bundleVersions
  }

  var bundleVersions: [[KnownVersion]] {
    let versions = Dictionary(grouping: versions, by: \.bundle)
    return bundles.compactMap { versions[$0.path] }
  }

  /// A text that differs when a store that has the version to reach may have another one to reach.
  ///
  /// - Parameters:
  ///   - name: the version to reach; nil for the bundles' current ones.
  ///   - configuration: the configuration that stores are opened with.
  /// - Returns: the versions, which of them are current, and the choices.
  func goal(to name: String?, configuration: String?) -> String {
    let known = versions.map { "\($0.bundleFileName)@\($0.name) \($0.versionHashes.checksum) \($0.isCurrent)" }
    let choices = ["to \(name ?? "current")", "configuration \(configuration ?? "any")"]
    return (known + choices + (mergesBundles ? ["merged"] : [])).joined(separator: "\n")
  }

  /// The versions of each bundle and the one to reach in it.
  ///
  /// - Parameter name: the version to reach, of the only bundle or as `Bundle@version`; nil for the current ones.
  /// - Returns: one target a bundle.
  /// - Throws: ``CommandError`` when there is no bundle, when the version is not clear, or when a bundle has none.
  func targets(to name: String?) throws -> [MigrationTarget] {
    if mergesBundles { return [try unionTarget(among: bundleVersions, from: nil, to: name, place)] }
    let paths = try bundlesVersions().compactMap(\.first?.bundle)
    let (bundle, version) = qualified(name)
    if let bundle { return [try target(in: bundle, to: version, bundle)] }
    guard version == nil || paths.count == 1 else {
      throw CommandError.severalBundles(folder: place, candidates: paths)
    }
    return try paths.map { try target(in: $0, to: version, $0) }
  }

  /// The bundles that hold the version of a store besides the one it was identified by, compiled copies left out.
  func otherBundles(of identification: StoreIdentification) -> [String] {
    identification.version.map(otherBundles) ?? []
  }

  func otherBundles(of version: KnownVersion) -> [String] {
    let bundles = versions.filter { $0.versionHashes == version.versionHashes && $0.bundle != version.bundle }
      .map(\.bundle)
    let isCompiled = { (path: String) in path.hasSuffix(".mom") || path.hasSuffix(".momd") }
    return Set(bundles).filter { isCompiled(version.bundle) || !isCompiled($0) }.sorted()
  }

  private func target(in bundle: String, to name: String?, _ store: String) throws -> MigrationTarget {
    let candidates = versions.filter { $0.bundle == bundle }
    let destination = try name.map { try version($0, in: bundle, candidates) } ?? current(of: bundle, candidates, store)
    return MigrationTarget(versions: candidates, destination: destination)
  }

  /// Takes `Bundle@version` apart where a bundle has that name.
  private func qualified(_ name: String?) -> (bundle: String?, version: String?) {
    guard let name, let bundle = Self.bundle(qualifying: name, bundles) else { return (nil, name) }
    return (bundle.path, String(name.dropFirst(bundle.name.count + 1)))
  }

  /// The bundle whose name stands before the sign in `Bundle@version`.
  static func bundle(qualifying name: String, _ bundles: [ModelBundle]) -> ModelBundle? {
    let lowercased = name.lowercased()
    return bundles.first { name.hasPrefix("\($0.name)@") }
      ?? bundles.first { lowercased.hasPrefix("\($0.name.lowercased())@") }
  }

  private func version(_ name: String, in bundle: String, _ candidates: [KnownVersion]) throws -> KnownVersion {
    if let broken = failures.first(where: { $0.bundle == bundle && $0.version == name }) { throw CommandError(broken) }
    if let position = VersionNote.position(of: name, in: candidates.map(\.name)) { return candidates[position] }
    let near = NearNames.nearest(to: name, among: candidates.map(\.name))
    throw CommandError.unknownVersion(name: name, bundle: bundle, candidates: near)
  }

  func current(of bundle: String, _ candidates: [KnownVersion], _ store: String) throws -> KnownVersion {
    if let current = candidates.first(where: \.isCurrent) { return current }
    guard let found = bundles.first(where: { $0.path == bundle }) else {
      throw CommandError.noVersionToReach(store: store)
    }
    let current = try found.currentVersion()
    if let broken = failures.first(where: { $0.bundle == bundle && $0.version == current.name }) {
      throw CommandError(broken)
    }
    throw CommandError.noVersionToReach(store: store)
  }
}

extension ModelBundle {
  /// The error of a bundle that says a version is current which is not there, nil for every other bundle.
  var currentVersionError: ModelFileError? {
    do {
      _ = try currentVersion()
      return nil
    } catch {
      if case .currentVersionMissing = error { return error }
      return nil
    }
  }
}
