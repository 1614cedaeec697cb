import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import VersionHashing

extension LockRecording {
  /// The name under which these hashes are recorded, when the bundle has no version of it.
  func previousName(of hashes: VersionHashes) -> String? {
    goneNames.filter { name in
      lock.entries[name].map { $0.state != .retired && $0.hashes == hashes } ?? false
    }.min { VersionOrder.isOrdered($0, before: $1) }
  }

  /// True for what cannot be mended any more: the versions of a project that begins to record, and what was released
  /// before a version that is released already.
  func acceptsLosses(to version: LoadedVersion) -> Bool {
    adopts
      || lock.entries.contains { name, entry in
        entry.state == .released && bundle.sequence.isOrdered(version.name, before: name) == true
      }
  }

  /// What is lost on the way to a version and not recorded as meant.
  ///
  /// - Returns: the losses in the order in which they are found, each with the name that consents to it.
  /// - Throws: ``LockError``, and `ModelFileError` when the version cannot be read.
  public func unrecordedLosses(of name: String) throws -> [UnrecordedLoss] {
    let version = try usableVersion(name)
    let recorded = lock.entries[previousName(ifMissing: version) ?? name]?.allowedLosses ?? []
    return losses(to: version).filter { !$0.names.contains(where: recorded.contains) }
      .map { UnrecordedLoss(name: $0.names[0], sentence: $0.sentence) }
  }

  /// The name under which a version is recorded when the file does not hold its own.
  func previousName(ifMissing version: LoadedVersion) -> String? {
    lock.entries[version.name] == nil ? previousName(of: version.versionHashes) : nil
  }

  /// Refuses a release on whose way data is lost that nobody consented to.
  ///
  /// The error lists the given names and the missing ones: together they consent to every loss.
  func checkConsent(
    to losses: Set<String>, given: Set<String>, of version: LoadedVersion, overwrites: Bool
  ) throws(LockError) {
    guard overwrites || !acceptsLosses(to: version) else { return }
    let all = self.losses(to: version, onlyTaken: acceptsLosses(to: version))
    let missing = all.filter { !$0.names.contains(where: losses.contains) }
    guard !missing.isEmpty else { return }
    let names = all.flatMap(\.names).filter(given.contains) + missing.map { $0.names[0] }
    let paths = Set(missing.map { $0.mapping.map { ShellWord(path: $0.path).text } })
    throw .losesData(
      version: version.name, path: bundle.version(named: version.name)?.path ?? version.name,
      losses: missing.map(\.sentence), names: names, overwrites: overwrites, moved: moved(among: missing),
      mapping: paths.count == 1 ? paths.first.flatMap(\.self) : nil)
  }

  /// The first entity that goes and that the current version of another bundle of the project has.
  private func moved(among losses: [VersionStep.Loss]) -> MovedEntity? {
    let gone = Set(losses.filter(\.element.isEntity).map { $0.names[0] })
    // Where the bundles are named as merged, its rows are followed as far as a path leads.
    guard !gone.isEmpty, unionPaths.isEmpty else { return nil }
    let holders = EntityHolders.read(in: search)
    for name in losses.map({ $0.names[0] }) where gone.contains(name) {
      guard let path = holders.bundle(declaring: name, besides: bundle.path) else { continue }
      return MovedEntity(name: name, bundle: BundlePath.stem(path))
    }
    return nil
  }

  /// The consents to what is not lost on the way to a version.
  func staleConsents(in consents: Set<String>, of version: LoadedVersion) -> Set<String> {
    guard !consents.isEmpty else { return [] }
    return consents.subtracting(versionSteps(to: version.name).flatMap(history.consentNames))
  }

  /// What is lost on the way to a version.
  ///
  /// - Parameter onlyTaken: whether steps are left out that nothing leads over, so that no store has taken them.
  /// - Returns: the losses in the order in which they are found.
  func losses(to version: LoadedVersion, onlyTaken: Bool = false) -> [VersionStep.Loss] {
    versionSteps(to: version.name).filter { !onlyTaken || $0.route != nil }
      .flatMap { history.losses(of: $0, without: []) }
  }

  /// The steps that lead to a version; its losses, its consents and its entry ask for the same.
  func versionSteps(to name: String) -> [VersionStep] { stepsMemory.value(for: name) { history.steps(to: name) } }

  /// The versions with the mapping models between them, as they are read for the first version that asks.
  var history: BundleHistory { historyMemory.value { readHistory() } }

  private func readHistory() -> BundleHistory {
    let names = Set(unionPaths.joined().map(BundlePath.stem) + [bundle.name])
    let files = search.mappings(near: [bundle.path])
      .filter { MappingPath.bundleName(of: $0).map(names.contains) ?? true }
    let readings = MappingReading.all(at: files, replacing: policies)
    let (mappings, unusable) = KnownMapping.find(in: readings, among: VersionIndex(usable))
    var history = BundleHistory(
      bundle: bundle, versions: usable, mappings: mappings, unusableMappings: unusable, mappingReadings: readings)
    for paths in unionPaths {
      // A bundle that cannot be used is the check's to report; what leaves this one then counts as lost.
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

  /// The versions of another bundle of a union, in the order that its lock file or git says.
  private static func versions(ofBundleAt path: String) throws -> [LoadedVersion] {
    let bundle = try ModelBundle(at: path)
    return BundleReading.read(VersionEvidence.ordered([bundle], locks: [try LockFile.read(beside: bundle)])[0]).usable
  }
}

/// What is lost on the way to a version, and not recorded as meant.
public struct UnrecordedLoss: Hashable, Sendable {
  /// The entity, or `Entity.property`, that consents to it.
  public let name: String
  /// What goes, in a sentence without its full stop.
  public let sentence: String
}

/// An entity that goes in one bundle of a project while another bundle has one of its name.
public struct MovedEntity: Hashable, Sendable {
  /// The entity.
  public let name: String
  /// The name of a bundle that has it now.
  public let bundle: String

  /// What to do, so that rows are not given up that only moved.
  var advice: Advice {
    """
    \(bundle) has \(name) too: where it moved there, name both bundles in “unions” of .modelctl.json, so that its rows \
    are followed; where it is another, see how its loss is recorded: \
    \(command: "modelctl check --explain data-loss")
    """
  }
}
