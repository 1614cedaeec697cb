import Foundation
import MappingModels
import ModelDescription
public import ModelFiles
import VersionHashing

extension CheckedProject {
  /// Reads bundles with their history.
  ///
  /// - Parameters:
  ///   - paths: the models, or folders with bundles.
  ///   - compiledModels: compiled models of releases.
  ///   - models: the models that do not belong to a checked bundle.
  ///   - base: an earlier state to compare with; nil for none.
  ///   - configuration: the configuration, with excluded paths and tags of releases.
  ///   - search: the search for bundles and mapping models.
  /// - Returns: the project; its errors contain the files that could not be read.
  public static func load(
    paths: [String], models: [ModelFile] = [], base: HistoryBase? = nil, against compiledModels: [String] = [],
    configuration: CheckConfiguration = CheckConfiguration(), search: ProjectSearch = ProjectSearch()
  ) -> CheckedProject {
    var loader = ProjectLoader(
      paths: paths, base: base, compiledModels: compiledModels, configuration: configuration, search: search)
    return loader.load(models: models)
  }
}

/// Loads a project.
struct ProjectLoader {
  let paths: [String]
  let base: HistoryBase?
  fileprivate let compiledModels: [String]
  let configuration: CheckConfiguration
  let search: ProjectSearch
  fileprivate var errors: [any Error] = []
  fileprivate var notes: [String] = []
  /// The lock files beside the bundles, by the paths of the bundles.
  fileprivate var locks: [String: Result<LockFile?, any Error>] = [:]
  /// The paths of unreadable bundles, which are among the errors.
  fileprivate var unreadable: Set<String> = []

  mutating func load(models: [ModelFile]) -> CheckedProject {
    let readings = readBundles()
    let editable = readings.filter(\.bundle.form.isEditable)
    let pairing = base.map { base in
      BasePairing.read(
        base, with: editable, under: paths, locks: locks.compactMapValues { try? $0.get() },
        unreadable: unreadable, configuration: configuration)
    }
    errors += pairing?.errors ?? []
    let baseBundles = pairing?.bundles ?? [:]
    let orphans = orphanedLocks(editable)
    let gone = merged(pairing?.gone ?? [], orphans)
    let compiled = compiledEvidence(editable)
    let tagged = taggedVersions(editable)
    let files = mappingReadings(of: editable)
    notes += mappingsOfNoBundle(editable)
    let steps = baseSteps(of: baseBundles, sharing: files)
    let (mappings, unusable) = KnownMapping.find(in: files, among: VersionIndex(editable.flatMap(\.usable)))
    notes += unusableMappingsOfSeveral(unusable, editable)
    let mappingsByBundle = Dictionary(grouping: mappings) { $0.source.bundle }
    let unusableByBundle = Dictionary(grouping: unusable) { owner(of: $0, among: editable) }
    let bundles = readings.map { reading in
      let path = reading.bundle.path
      let history =
        !reading.bundle.form.isEditable
        ? nil
        : history(
          of: reading, base: baseBundles[path], orphan: orphans.first { $0.successor == path }?.orphan.lock,
          compiled: compiled.filter { $0.isMade(from: reading) }.flatMap(\.released) + (tagged[path] ?? []),
          mappings: mappingsByBundle[path] ?? [], unusable: unusableByBundle[path] ?? [], files: files,
          steps: steps[path])
      return CheckedBundle(bundle: reading.bundle, files: reading.files, history: history)
    }
    var project = CheckedProject(
      models: models, bundles: Self.withEntitiesElsewhere(bundles), deletedBundles: gone, errors: errors, notes: notes)
    project.mappingReadings = files + mappingReadingsOfUnions(editable)
    project.addContainers(of: configuration, base: base, under: paths)
    return project
  }

  /// Adds to each bundle the entities that the other bundles have now.
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

  private mutating func taggedVersions(_ readings: [ReadBundle]) -> [String: [Release]] {
    guard let pattern = configuration.releasedTags else { return [:] }
    do {
      return try TaggedReleases.read(matching: pattern, of: readings)
    } catch {
      errors.append(error)
      return [:]
    }
  }

  private mutating func readBundles() -> [ReadBundle] {
    let bundles = orderedBundles()
    for bundle in bundles where bundle.form == .versioned || bundle.form == .compiled {
      do {
        _ = try bundle.currentVersion()
      } catch {
        if case .currentVersionMissing = error { errors.append(error) }
      }
    }
    let readings = bundles.map { ReadBundle.read($0) }
    errors += readings.flatMap(\.errors)
    return readings
  }

  /// The bundles with their versions in the order of their lock files.
  private mutating func orderedBundles() -> [ModelBundle] {
    var bundles: [ModelBundle] = []
    var seen: Set<String> = []
    let found = paths.flatMap { search.allFiles(under: $0).bundles }
    for path in found.map({ BundleLink.bundle(around: $0) ?? $0 })
    where seen.insert(path).inserted && !configuration.excludes(path) {
      do {
        let bundle = try search.bundle(at: path)
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

  /// True for the given path of a bundle of the base that does not exist any more.
  private func isGone(_ path: String) -> Bool {
    guard let base, ModelBundle.Form(ofPath: path)?.isEditable ?? false,
      (try? FileManager.default.attributesOfItem(atPath: path)) == nil
    else { return false }
    let place = base.path(path)
    return FileManager.default.fileExists(atPath: place)
      && AbsolutePath.components(base.workingPath(place)) == AbsolutePath.components(path)
  }

  // MARK: Compiled models and mapping models

  private mutating func compiledEvidence(_ readings: [ReadBundle]) -> [CompiledEvidence] {
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

  /// The files of mapping models that may belong to the bundles.
  private func mappingReadings(of readings: [ReadBundle]) -> [UnmatchedMappingModel] {
    guard readings.contains(where: { !$0.usable.isEmpty }) else { return [] }
    let names = Set(readings.map(\.bundle.name))
    return UnmatchedMappingModel.all(
      at: mappingPaths.filter { MappingPath.bundleName(of: $0).map { Self.isFolder($0, of: names) } ?? true },
      replacing: configuration.policies)
  }

  /// The paths of the mapping models of the project, without the mapping models of the base.
  var mappingPaths: [String] {
    search.mappings(near: paths).filter { !configuration.excludes($0) && !(base?.holds($0) ?? false) }
  }

  // MARK: One bundle

  private mutating func history(
    of reading: ReadBundle, base: BaseBundle?, orphan: LockFile?, compiled: [Release],
    mappings: [KnownMapping], unusable: [UnusableMapping], files: [UnmatchedMappingModel], steps: BaseSteps?
  ) -> BundleHistory? {
    let lock: LockFile?
    do {
      lock = try locks[reading.bundle.path]?.get() ?? orphan
    } catch {
      errors.append(error)
      return nil
    }
    let entries = lock?.sortedEntries(.released) ?? []
    let others = (base?.released ?? []) + compiled
    let differs: (String, LockFile.Entry) -> Bool = { name, entry in
      reading.versions[name]?.loaded?.versionHashes != entry.hashes
        && !others.contains { $0.name == name && $0.hashes == entry.hashes && $0.revision != nil }
    }
    let committed = CommittedVersions.read(of: reading, where: entries.contains(where: differs))
    let locked = entries.map { name, entry in
      let version = differs(name, entry) ? reading.bundle.version(named: name) : nil
      return Release(
        evidence: .lock(path: lock?.path ?? ""), name: name, hashes: entry.hashes, location: entry.location,
        revision: committed.revision(of: name, hashes: entry.hashes)
          ?? version.flatMap {
            RecordedRelease.revision(of: name, at: $0.path, in: reading.bundle, hashes: entry.hashes)
          })
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
    (history.base, history.reader) = (steps, configuration.reader)
    history.baseLockPath = base?.revisionLockPath
    history.lostEntries = lock.map(LockFile.lostEntries) ?? []
    history.committedMappings = CommittedMappings.read(missingOf: lock, among: files).revisions
    return history
  }
}
