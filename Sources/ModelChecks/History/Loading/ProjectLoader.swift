import Foundation
import MappingModels
import ModelDescription
public import ModelFiles
import PersistentStores
import VersionHashing

extension CheckedProject {
  /// Reads bundles with everything that is known of their history.
  ///
  /// - Parameters:
  ///   - paths: bundles, and folders to look for bundles in.
  ///   - models: models that belong to no bundle that is checked.
  ///   - base: an earlier state to hold them against, nil for none.
  ///   - compiledModels: the paths of compiled models of the shipped app.
  ///   - configuration: which paths are left out, and which tags were releases.
  ///   - search: where bundles and mapping models are looked for.
  /// - Returns: the project; what could not be read is among its errors.
  public static func load(
    paths: [String], models: [ModelFile] = [], base: HistoryBase? = nil, against compiledModels: [String] = [],
    configuration: CheckConfiguration = CheckConfiguration(), search: ProjectSearch = ProjectSearch()
  ) -> CheckedProject {
    var loader = ProjectLoader(
      paths: paths, base: base, compiledModels: compiledModels, configuration: configuration, search: search)
    return loader.load(models: models)
  }
}

/// Puts a project together.
struct ProjectLoader {
  let paths: [String]
  let base: HistoryBase?
  private let compiledModels: [String]
  let configuration: CheckConfiguration
  let search: ProjectSearch
  private var errors: [any Error] = []
  private var notes: [String] = []
  /// The lock files beside the bundles, by the bundles' paths.
  private var locks: [String: Result<LockFile?, any Error>] = [:]
  /// The bundles here that are reported among the errors.
  private var unreadable: Set<String> = []

  init(
    paths: [String], base: HistoryBase?, compiledModels: [String], configuration: CheckConfiguration,
    search: ProjectSearch
  ) {
    (self.paths, self.base, self.compiledModels) = (paths, base, compiledModels)
    (self.configuration, self.search) = (configuration, search)
  }

  mutating func load(models: [ModelFile]) -> CheckedProject {
    let readings = readBundles()
    let editable = readings.filter(\.bundle.form.isEditable)
    var baseBundles = baseBundles(of: editable)
    let strays = strayLocks(editable)
    let gone = merged(claimMoved(&baseBundles, editable), strays)
    let compiled = compiledEvidence(editable)
    let tagged = taggedVersions(editable)
    let files = mappingReadings(of: editable)
    notes += mappingsOfNoBundle(editable)
    let steps = baseSteps(of: baseBundles, sharing: files)
    let (mappings, unusable) = KnownMapping.find(
      in: files, among: VersionIndex(editable.flatMap(\.usable)))
    notes += unusableMappingsOfSeveral(unusable, editable)
    let mappingsByBundle = Dictionary(grouping: mappings) { $0.source.bundle }
    let unusableByBundle = Dictionary(grouping: unusable) { owner(of: $0, among: editable) }
    let bundles = readings.map { reading in
      let path = reading.bundle.path
      let history =
        !reading.bundle.form.isEditable
        ? nil
        : history(
          of: reading, base: baseBundles[path], stray: strays.first { $0.successor == path }?.stray.lock,
          compiled: compiled.filter { $0.isMade(from: reading) }.flatMap(\.released) + (tagged[path] ?? []),
          mappings: mappingsByBundle[path] ?? [], unusable: unusableByBundle[path] ?? [], files: files,
          steps: steps[path])
      return CheckedBundle(bundle: reading.bundle, files: reading.files, history: history)
    }
    var project = CheckedProject(
      models: models, bundles: Self.withEntitiesElsewhere(bundles), goneBundles: gone, errors: errors, notes: notes)
    project.mappingReadings = files + mappingReadingsOfUnions(editable)
    return project
  }

  /// Tells each bundle which entities the others have now.
  private static func withEntitiesElsewhere(_ bundles: [CheckedBundle]) -> [CheckedBundle] {
    var holders: [String: [String]] = [:]
    for history in bundles.compactMap(\.history) {
      for entity in history.current?.hierarchy.model.entities ?? [] {
        holders[entity.name, default: []].append(history.bundle.name)
      }
    }
    return bundles.map { bundle in
      var bundle = bundle
      let own = bundle.bundle.name
      bundle.history?.declaredElsewhere = holders.compactMapValues { names in names.first { $0 != own } }
      return bundle
    }
  }

  private mutating func taggedVersions(_ readings: [BundleReading]) -> [String: [Release]] {
    guard let pattern = configuration.releasedTags else { return [:] }
    do {
      return try TaggedReleases.read(matching: pattern, of: readings)
    } catch {
      errors.append(error)
      return [:]
    }
  }

  private mutating func readBundles() -> [BundleReading] {
    let bundles = orderedBundles()
    for bundle in bundles where bundle.form == .versioned || bundle.form == .compiled {
      do {
        _ = try bundle.currentVersion()
      } catch {
        if case .currentVersionMissing = error { errors.append(error) }
      }
    }
    let readings = bundles.map { BundleReading.read($0) }
    errors += readings.flatMap(\.errors)
    return readings
  }

  /// The bundles with their versions in order, by the lock files beside them.
  private mutating func orderedBundles() -> [ModelBundle] {
    var bundles: [ModelBundle] = []
    var seen: Set<String> = []
    let found = paths.flatMap { search.allFiles(under: $0).bundles }
    for path in found.map({ BundleLink.bundle(around: $0) ?? $0 })
    where seen.insert(path).inserted && !configuration.excludes(path) {
      do {
        let bundle = try ModelBundle(at: path)
        bundles.append(bundle)
        locks[bundle.path] = bundle.form.isEditable ? Result { try LockFile.read(beside: bundle) } : .success(nil)
      } catch {
        guard !isGone(path) else { continue }
        unreadable.insert(path)
        errors.append(error)
      }
    }
    var gaps: [VersionEvidence.Gap] = []
    let known = bundles.map { (try? locks[$0.path]?.get()) ?? nil }
    let ordered = VersionEvidence.ordered(bundles, locks: known) { gaps.append($0) }
    notes = gaps.map(\.description)
    return ordered
  }

  // MARK: The base

  /// True for the path of a bundle that was named, that the base has, and at which nothing lies any more.
  private func isGone(_ path: String) -> Bool {
    guard let base, ModelBundle.Form(ofPath: path)?.isEditable ?? false,
      (try? FileManager.default.attributesOfItem(atPath: path)) == nil
    else { return false }
    let place = base.path(path)
    return FileManager.default.fileExists(atPath: place)
      && AbsolutePath.components(base.workingPath(place)) == AbsolutePath.components(path)
  }

  /// The bundles of the base by the paths of those they are now.
  private mutating func baseBundles(of readings: [BundleReading]) -> [String: BaseBundle] {
    guard let base else { return [:] }
    var bundles: [String: BaseBundle] = [:]
    for reading in readings {
      let path = base.path(reading.bundle.path)
      guard FileManager.default.fileExists(atPath: path) else { continue }
      bundles[reading.bundle.path] = readBase(path, current: reading)
    }
    return bundles
  }

  private mutating func readBase(_ path: String, current: BundleReading?) -> BaseBundle? {
    guard let base else { return nil }
    do {
      let bundle = try BaseBundle.read(ModelBundle(at: path), base: base, current: current)
      if let name = bundle.unknownVersions.first {
        throw HistoryError.unreadableVersion(name: name, bundle: base.workingPath(path), base: base.name)
      }
      return bundle
    } catch {
      errors.append(error)
      return nil
    }
  }

  /// Finds what became of the bundles that are not at their paths any more: one that lies elsewhere now is taken as the
  /// base of that.
  private mutating func claimMoved(_ bundles: inout [String: BaseBundle], _ readings: [BundleReading]) -> [GoneBundle] {
    guard let base else { return [] }
    let absent = absentBundles(besides: readings, base)
    var gone = claimHeld(&bundles, absent, readings, base)
    let claimed = Set(gone.map(\.path))
    for (bundle, isExcluded) in absent {
      let workingPath = base.workingPath(bundle.reading.bundle.path)
      guard !claimed.contains(workingPath) else { continue }
      let open = isExcluded ? [] : readings.filter { bundles[$0.bundle.path] == nil }
      let hashes = Set(bundle.reading.usable.map(\.versionHashes))
      let successor =
        open.first { $0.hasVersion(of: hashes) } ?? open.first { $0.bundle.name == bundle.reading.bundle.name }
      if let successor { bundles[successor.bundle.path] = readBase(bundle.reading.bundle.path, current: successor) }
      gone.append(
        GoneBundle(
          path: workingPath, releasedVersions: bundle.released.map(\.name), movedTo: successor?.bundle.path,
          base: base.name, revision: base.revision, excludedBy: isExcluded ? configuration.path : nil))
    }
    return gone
  }

  /// The bundles of the base at whose paths no bundle is checked now.
  private mutating func absentBundles(
    besides readings: [BundleReading], _ base: HistoryBase
  ) -> [(bundle: BaseBundle, isExcluded: Bool)] {
    var absent: [(bundle: BaseBundle, isExcluded: Bool)] = []
    var seen = Set(readings.map { base.path($0.bundle.path) })
    let earlier = baseConfiguration()
    for path in paths.flatMap({ ModelBundle.bundlePaths(under: base.path($0)) }) where seen.insert(path).inserted {
      let workingPath = base.workingPath(path)
      let isExcluded = configuration.excludes(workingPath)
      // Something may lie there that is no bundle, or a link to where it lies now.
      guard !isExcluded || isNewlyExcluded(workingPath, since: earlier), !unreadable.contains(workingPath),
        FileManager.default.fileExists(atPath: path), let bundle = try? ModelBundle(at: path), bundle.form.isEditable,
        let read = readBase(path, current: nil)
      else { continue }
      absent.append((read, isExcluded))
    }
    return absent
  }

  /// Pairs bundles of the base with those that hold all that was released of them, where those at their paths do not.
  ///
  /// - Parameters:
  ///   - bundles: the bundles of the base by the paths of those they are now, paired by their paths at first.
  ///   - absent: those at whose paths none is now.
  ///   - readings: the bundles as they are now.
  ///   - base: the base.
  /// - Returns: the bundles that moved.
  private mutating func claimHeld(
    _ bundles: inout [String: BaseBundle], _ absent: [(bundle: BaseBundle, isExcluded: Bool)],
    _ readings: [BundleReading], _ base: HistoryBase
  ) -> [GoneBundle] {
    let held = readings.map { (reading: $0, hashes: hashes(heldBy: $0)) }
    let open = held.filter { reading, hashes in
      bundles[reading.bundle.path].map { !$0.identity.isSubset(of: hashes) } ?? true
    }
    let sources =
      open.compactMap { reading, _ in
        bundles[reading.bundle.path].map { BundleMoves.Source(bundle: $0, occupant: reading) }
      }
      + absent.filter { !$0.isExcluded }.map { BundleMoves.Source(bundle: $0.bundle, occupant: nil) }
    guard !sources.isEmpty else { return [] }
    let moves = BundleMoves(
      of: sources,
      among: open.map { reading, hashes in BundleMoves.Destination(path: reading.bundle.path, hashes: hashes) })
    let moved = moves.destinations.sorted { $0.key < $1.key }
    for (position, _) in moved {
      if let occupant = sources[position].occupant { bundles[occupant.bundle.path] = nil }
    }
    var gone: [GoneBundle] = []
    for (position, destination) in moved {
      let source = sources[position].bundle
      let path = source.reading.bundle.path
      bundles[destination] = readBase(path, current: readings.first { $0.bundle.path == destination })
      gone.append(
        GoneBundle(
          path: base.workingPath(path), releasedVersions: source.released.map(\.name), movedTo: destination,
          base: base.name, revision: base.revision))
    }
    return gone
  }

  /// The hashes of the versions of a bundle and of the entries of the lock file beside it.
  private func hashes(heldBy reading: BundleReading) -> Set<VersionHashes> {
    let lock = (try? locks[reading.bundle.path]?.get()) ?? nil
    return Set(reading.usable.map(\.versionHashes)).union((lock?.entries ?? [:]).values.map(\.hashes))
  }

  // MARK: Compiled models and mapping models

  private mutating func compiledEvidence(_ readings: [BundleReading]) -> [CompiledEvidence] {
    var evidence: [CompiledEvidence] = []
    for path in compiledModels {
      do {
        let shipped = try CompiledEvidence.read(at: path)
        guard readings.contains(where: shipped.isMade) else {
          throw HistoryError.unmatchedCompiledModel(path: path, bundles: readings.map(\.bundle.path))
        }
        evidence.append(shipped)
      } catch {
        errors.append(error)
      }
    }
    return evidence
  }

  /// The files of mapping models that may be for the bundles.
  private func mappingReadings(of readings: [BundleReading]) -> [MappingReading] {
    guard readings.contains(where: { !$0.usable.isEmpty }) else { return [] }
    let names = Set(readings.map(\.bundle.name))
    return MappingReading.all(
      at: mappingPaths.filter { MappingPath.bundleName(of: $0).map { Self.isFolder($0, of: names) } ?? true })
  }

  /// The mapping models of the project, without those of the base.
  var mappingPaths: [String] {
    search.mappings(near: paths).filter { !configuration.excludes($0) && !(base?.holds($0) ?? false) }
  }

  // MARK: One bundle

  private mutating func history(
    of reading: BundleReading, base: BaseBundle?, stray: LockFile?, compiled: [Release],
    mappings: [KnownMapping], unusable: [UnusableMapping], files: [MappingReading], steps: BaseSteps?
  ) -> BundleHistory? {
    let lock: LockFile?
    do {
      lock = try locks[reading.bundle.path]?.get() ?? stray
    } catch {
      errors.append(error)
      return nil
    }
    let entries = lock?.sortedEntries(.released) ?? []
    let others = (base?.released ?? []) + compiled
    let committed = CommittedVersions.read(
      of: reading,
      where: entries.contains { name, entry in
        reading.versions[name]?.loaded?.versionHashes != entry.hashes
          && !others.contains { $0.name == name && $0.hashes == entry.hashes && $0.revision != nil }
      })
    let locked = entries.map { name, entry in
      Release(
        evidence: .lock(path: lock?.path ?? ""), name: name, hashes: entry.hashes, location: entry.location,
        revision: committed.revision(of: name, hashes: entry.hashes))
    }
    let current = reading.bundle.currentVersionName.flatMap { reading.versions[$0]?.file }
    let begin = current ?? reading.files.last?.file
    let own = Set(mappings.map(\.path) + unusable.map(\.path))
    var history = BundleHistory(
      bundle: reading.bundle, versions: reading.usable, lock: lock,
      released: locked + others,
      baseCurrentVersionName: base?.currentVersionName, mappings: mappings, unusableMappings: unusable,
      mappingReadings: files.filter { own.contains($0.path) }, baseLock: base?.lock,
      hasReference: self.base != nil || !compiledModels.isEmpty,
      currentVersionLocation: reading.bundle.currentVersionLocation
        ?? begin.map { $0.location(of: .model) ?? SourceLocation(file: $0.path, line: 1, column: 1) })
    history.base = steps
    history.baseLockPath = base?.revisionLockPath
    history.committedMappings = CommittedMappings.read(missingOf: lock, among: files).revisions
    return history
  }
}
