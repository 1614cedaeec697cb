import MappingModels
import ModelFiles
import PersistentStores
import StoreMigration
import VersionHashing

extension LockRecording {
  /// The name under which these hashes are recorded, when the bundle has no version of it.
  func formerName(of hashes: VersionHashes) -> String? {
    lock.entries.filter { $0.value.hashes == hashes && bundle.version(named: $0.key) == nil }.keys
      .min { VersionOrder.isOrdered($0, before: $1) }
  }

  /// True for what cannot be mended any more: the versions of a project that begins to record, and what was released
  /// before a version that is released already.
  func acceptsLosses(to version: CheckedVersion) -> Bool {
    adopts
      || lock.entries.contains { name, entry in
        entry.state == .released && bundle.sequence.isOrdered(version.name, before: name) == true
      }
  }

  /// Refuses a release on whose way data is lost that nobody consented to.
  func checkConsent(to losses: Set<String>, of version: CheckedVersion, overwrites: Bool) throws(LockError) {
    guard !acceptsLosses(to: version) else { return }
    let missing = self.losses(to: version).filter { !$0.names.contains(where: losses.contains) }
    guard !missing.isEmpty else { return }
    throw .losesData(
      version: version.name, path: bundle.version(named: version.name)?.path ?? version.name,
      losses: missing.map(\.sentence), names: missing.compactMap(\.names.first), overwrites: overwrites)
  }

  /// The consents to what is not lost on the way to a version.
  func staleConsents(in consents: Set<String>, of version: CheckedVersion) -> Set<String> {
    guard !consents.isEmpty else { return [] }
    let history = historyMemory.value { self.history }
    return consents.subtracting(history.steps(to: version.name).flatMap(history.possibleLosses).flatMap(\.names))
  }

  func losses(to version: CheckedVersion) -> [VersionStep.Loss] {
    let history = historyMemory.value { self.history }
    return history.steps(to: version.name).flatMap { history.losses(of: $0, without: []) }
  }

  /// The versions with the mapping models between them, as they are read for the first version that asks.
  private var history: BundleHistory {
    var seen: Set<String> = []
    let files = mappingPaths.flatMap { MappingPath.discover(near: $0) }.filter { seen.insert($0).inserted }
      .filter { MappingPath.bundleName(of: $0).map { $0 == bundle.name } ?? true }
    let (mappings, unusable) = KnownMapping.load(from: files, among: usable.map(\.known))
    var history = BundleHistory(bundle: bundle, versions: usable, mappings: mappings, unusableMappings: unusable)
    history.unions = unionPaths.compactMap { paths in
      // A bundle that cannot be used is the check's to report; what leaves this one then counts as lost.
      let bundles = try? paths.map { path in
        RealPath.of(path) == RealPath.of(bundle.path) ? usable : BundleReading(try ModelBundle(at: path)).usable
      }
      return bundles.map { CheckedUnion(bundles: $0, mappings: mappings, unusableMappings: unusable) }
    }
    return history
  }
}
