import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import VersionHashing

extension LockRecording {
  /// The recorded name of these hashes, if the bundle does not have a version of this name.
  func previousName(of hashes: VersionHashes) -> String? {
    deletedNames.filter { name in
      lock.entries[name].map { $0.state != .retired && $0.hashes == hashes } ?? false
    }.min { VersionOrder.isOrdered($0, before: $1) }
  }

  /// True for versions that cannot be changed any more: all versions of a project that begins to record, and each version
  /// before a released version.
  func acceptsLosses(to version: LoadedVersion) -> Bool {
    adopts
      || lock.entries.contains { name, entry in
        entry.state == .released && bundle.sequence.isOrdered(version.name, before: name) == true
      }
  }

  /// The losses of the steps to a version that the lock file does not allow.
  ///
  /// - Returns: the losses in the order in which they are found, each with the name that allows it.
  /// - Throws: ``LockError``, and `ModelFileError` if the version cannot be read.
  public func unrecordedLosses(of name: String) throws -> [UnrecordedLoss] {
    let version = try usableVersion(name)
    let recorded = lock.entries[previousName(ifMissing: version) ?? name]?.allowedLosses ?? []
    return losses(to: version).filter { !$0.names.contains(where: recorded.contains) }
      .map { UnrecordedLoss(name: $0.names[0], sentence: $0.sentence) }
  }

  /// The earlier name of a version, if the lock file does not have its own name.
  func previousName(ifMissing version: LoadedVersion) -> String? {
    lock.entries[version.name] == nil ? previousName(of: version.versionHashes) : nil
  }

  /// Refuses a release if a step to it loses data without permission.
  ///
  /// The error lists the given names and the missing names. Together they allow every loss.
  func checkConsent(
    to losses: Set<String>, given: Set<String>, of version: LoadedVersion, overwrites: Bool
  ) throws(LockError) {
    guard overwrites || !acceptsLosses(to: version) else { return }
    let all = self.losses(to: version, onlyTaken: acceptsLosses(to: version))
    let missing = all.filter { !$0.names.contains(where: losses.contains) }
    guard !missing.isEmpty else { return }
    let names = all.flatMap(\.names).filter(given.contains) + missing.map { $0.names[0] }
    let paths = Set(missing.map { $0.mapping?.path })
    throw .losesData(
      version: version.name, path: bundle.version(named: version.name)?.path ?? version.name,
      losses: missing.map(\.sentence), names: names, overwrites: overwrites, moved: moved(among: missing),
      mapping: paths.count == 1 ? paths.first.flatMap(\.self) : nil)
  }

  /// The first removed entity that the current version of a different bundle of the project has.
  private func moved(among losses: [VersionStep.Loss]) -> MovedEntity? {
    let gone = Set(losses.filter(\.element.isEntity).map { $0.names[0] })
    // If the project names the bundles as merged, modelctl follows the rows as far as a path leads.
    guard !gone.isEmpty, unionPaths.isEmpty else { return nil }
    let holders = EntityHolders.read(in: search)
    for name in losses.map({ $0.names[0] }) where gone.contains(name) {
      guard let path = holders.bundle(declaring: name, besides: bundle.path) else { continue }
      return MovedEntity(name: name, bundle: BundlePath.stem(path))
    }
    return nil
  }

  /// The allowed losses that no step to a version loses.
  func staleConsents(in consents: Set<String>, of version: LoadedVersion) -> Set<String> {
    guard !consents.isEmpty else { return [] }
    return consents.subtracting(versionSteps(to: version.name).flatMap(history.consentNames))
  }

  /// The losses of the steps to a version.
  ///
  /// - Parameter onlyTaken: whether to leave out steps without a path, because no store has taken them.
  /// - Returns: the losses in the order in which they are found.
  func losses(to version: LoadedVersion, onlyTaken: Bool = false) -> [VersionStep.Loss] {
    versionSteps(to: version.name).filter { !onlyTaken || $0.path != nil }
      .flatMap { history.losses(of: $0, without: []) }
  }

  /// The steps to a version, computed once for its losses, its allowed losses and its entry.
  func versionSteps(to name: String) -> [VersionStep] { stepsCache.value(for: name) { history.steps(to: name) } }

  /// The versions with the mapping models between them, read once.
  var history: BundleHistory { historyCache.value { readHistory() } }

  private func readHistory() -> BundleHistory {
    let names = Set(unionPaths.joined().map(BundlePath.stem) + [bundle.name])
    let files = search.mappings(near: [bundle.path])
      .filter { MappingPath.bundleName(of: $0).map(names.contains) ?? true }
    let readings = UnmatchedMappingModel.all(at: files, replacing: policies)
    let (mappings, unusable) = KnownMapping.find(in: readings, among: VersionIndex(usable))
    var history = BundleHistory(
      bundle: bundle, versions: usable, mappings: mappings, unusableMappings: unusable, mappingReadings: readings)
    for paths in unionPaths {
      // The check reports a bundle that cannot be used. An entity that moved to it counts as lost.
      let bundles = try? paths.map { path in
        RealPath.of(path) == RealPath.of(bundle.path) ? usable : try Self.versions(ofBundleAt: path)
      }
      guard let bundles else { continue }
      let (mappings, unusable) = KnownMapping.find(in: readings, among: VersionIndex(bundles.flatMap(\.self)))
      history.take(
        CheckedUnion(bundles: bundles, mappings: mappings, unusableMappings: unusable, files: readings), files: readings
      )
    }
    return history
  }

  /// The versions of a different bundle of a union, in the order of its lock file or of git.
  private static func versions(ofBundleAt path: String) throws -> [LoadedVersion] {
    let bundle = try ModelBundle(at: path)
    return ReadBundle.read(VersionEvidence.ordered([bundle], locks: [try LockFile.read(beside: bundle)])[0]).usable
  }
}

/// A loss of the steps to a version that the lock file does not allow.
public struct UnrecordedLoss: Hashable, Sendable {
  /// The name that allows it: an entity, or `Entity.property`.
  public let name: String
  /// The loss, in a sentence without a full stop.
  public let sentence: String
}

/// An entity that one bundle of a project no longer has and another bundle has.
public struct MovedEntity: Hashable, Sendable {
  /// The entity.
  public let name: String
  /// The name of a bundle that has it now.
  public let bundle: String

  /// The advice that keeps modelctl from losing rows that only moved.
  var advice: Advice {
    """
    if you moved \(name) to \(bundle), name both bundles in “unions” of .modelctl.json, so that modelctl follows its rows; \
    if the two entities differ, read how to record the loss: \(run: "modelctl", "check", "--explain", "data-loss")
    """
  }
}
