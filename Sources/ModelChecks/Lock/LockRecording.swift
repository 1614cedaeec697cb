import Foundation
import MappingModels
import ModelDescription
public import ModelFiles
import PersistentStores
import VersionHashing

/// Records versions of a single bundle in its lock file.
public struct LockRecording {
  /// The options of recording a version.
  public struct Request: Hashable, Sendable {
    /// The new state.
    public var state: LockFile.State
    /// The names of the losses that the steps to it may have.
    public var allowedLosses: Set<String>
    /// True if a released entry is overwritten.
    public var overwrites: Bool

    /// Makes a request.
    public init(state: LockFile.State, allowedLosses: Set<String> = [], overwrites: Bool = false) {
      (self.state, self.allowedLosses, self.overwrites) = (state, allowedLosses, overwrites)
    }
  }

  /// The bundle.
  public let bundle: ModelBundle
  /// The lock file with the recorded versions; ``write()`` writes it.
  public internal(set) var lock: LockFile
  let original: LockFile?
  let reading: ReadBundle
  /// The versions that can be used, oldest first.
  let usable: [LoadedVersion]
  /// The search for mapping models between its versions.
  let search: ProjectSearch
  /// The paths of the bundles of each union that it is a part of.
  let unionPaths: [[String]]
  /// The replacements of policy classes in its mapping models.
  let policies: PolicyReplacements
  /// True if nothing was recorded before and all losses are accepted.
  let adopts: Bool
  let historyCache = Once<BundleHistory>()
  /// The steps to the last requested version.
  let stepsCache = RecentValues<String, [VersionStep]>(capacity: 1)
  let leadingCache = Once<[String: [LeadingMapping]]>()
  /// The positions of the usable versions by name.
  private let positions: [String: Int]
  /// The names in the lock file that are not in the bundle.
  private(set) var deletedNames: Set<String>

  /// Reads a bundle and its lock file.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - search: the search for mapping models between its versions, and for orphaned lock files.
  ///   - adopts: whether to accept the losses of all versions if nothing was recorded before.
  ///   - configuration: the configuration of the project, with its unions and its replacements of policy classes.
  /// - Throws: ``LockError/compiled(bundle:)``, `JSONFileError` and `ModelFileError`.
  public static func read(
    _ bundle: ModelBundle, in search: ProjectSearch = ProjectSearch(), adopts: Bool = false,
    configuration: CheckConfiguration = CheckConfiguration()
  ) throws -> LockRecording {
    guard bundle.form.isEditable else { throw LockError.compiled(bundle: bundle.path) }
    let original = try LockFile.read(beside: bundle)
    if let original, !original.isIntact, let place = original.digest?.location {
      throw LockError.rewritten(location: place)
    }
    let reading = ReadBundle.read(VersionEvidence.ordered([bundle], locks: [original])[0])
    if original == nil,
      let orphan = OrphanedLock.find(under: [search.project.path], search).first(where: { $0.isOf(reading) })
    {
      throw LockError.leftBehind(lock: orphan.lock.path, bundle: bundle.path)
    }
    return LockRecording(reading, original, in: search, adopts: adopts, configuration)
  }

  private init(
    _ reading: ReadBundle, _ original: LockFile?, in search: ProjectSearch, adopts: Bool,
    _ configuration: CheckConfiguration
  ) {
    (self.reading, self.original, self.search) = (reading, original, search)
    (unionPaths, policies) = (configuration.unionPaths(with: reading.bundle.path), configuration.policies)
    (bundle, usable) = (reading.bundle, reading.usable)
    lock = original ?? LockFile(path: LockFile.path(beside: reading.bundle))
    positions = Dictionary(reading.usable.enumerated().map { ($1.name, $0) }) { first, _ in first }
    deletedNames = Set(lock.entries.keys.filter { reading.bundle.version(named: $0) == nil })
    self.adopts = adopts && (original?.entries.isEmpty ?? true)
  }

  /// True if the bundle had a lock file.
  public var isRecorded: Bool { original != nil }

  /// The versions of the bundle that are not in the lock file, oldest first.
  public var missingVersions: [String] { bundle.versions.map(\.name).filter { lock.entries[$0] == nil } }

  /// True for a version after the current version, so that no app has made stores of it.
  public func isAhead(_ name: String) -> Bool {
    guard let current = bundle.currentVersionName, bundle.version(named: current) != nil else { return false }
    return bundle.sequence.isOrdered(current, before: name) ?? false
  }

  /// The current version, if the bundle has a lock file without it: most likely it still changes.
  public var unrecordedCurrent: String? {
    guard !adopts, let current = bundle.currentVersionName else { return nil }
    return missingVersions.contains(current) ? current : nil
  }

  /// Records every version that is not recorded yet; versions after the current version become drafts.
  ///
  /// - Parameters:
  ///   - state: the state that the versions get.
  ///   - takesCurrent: whether to record the current version of a bundle with a lock file; a draft is always recorded.
  ///   - progress: called before each version, with its name, its position from 1 and the number of versions.
  /// - Returns: the records, oldest first.
  public mutating func recordMissing(
    as state: LockFile.State = .released, takesCurrent: Bool = false,
    progress: (String, Int, Int) -> Void = { _, _, _ in }
  ) throws -> [LockRecord] {
    let left = takesCurrent || state == .draft ? nil : unrecordedCurrent
    let missing = missingVersions.filter { $0 != left }
    let records = try missing.enumerated().map { position, name in
      progress(name, position + 1, missing.count)
      return try recordUnordered(name, Request(state: isAhead(name) ? .draft : state))
    }
    let mended = try recordMissingSteps()
    lock.recordOrder(bundle.sequence)
    return records + mended
  }

  /// The current version.
  public func currentVersion() throws(LockError) -> String {
    guard let name = bundle.currentVersionName, bundle.version(named: name) != nil else {
      throw .noCurrentVersion(bundle: bundle.path)
    }
    return name
  }

  /// Records a version; nothing is written yet.
  ///
  /// - Throws: ``LockError``, and `ModelFileError` if the version cannot be read.
  public mutating func record(_ name: String, _ request: Request) throws -> LockRecord {
    let record = try recordUnordered(name, request)
    if !lock.recordsSteps, original?.entries != lock.entries { _ = try recordMissingSteps() }
    lock.recordOrder(bundle.sequence)
    return record
  }

  /// Records a version without its position in the order.
  private mutating func recordUnordered(_ name: String, _ request: Request) throws -> LockRecord {
    let version = try usableVersion(name)
    try check(request.allowedLosses, of: version)
    let hashes = version.versionHashes
    let previousName = previousName(ifMissing: version)
    let old = lock.entries[previousName ?? name]
    var outcome = LockRecord.Outcome.recorded
    var edits: [String] = []
    if let old {
      let path = bundle.version(named: name)?.path ?? name
      let place = old.location.map { "\($0)" } ?? lock.path
      outcome = old.hashes == hashes ? .unchanged : .updated
      if old.state == .draft, request.state == .released { outcome = .released }
      if let retirement = old.retirement {
        guard request.overwrites else { throw LockError.retired(place: place, version: name, path: path, retirement) }
        outcome = .relocked
      }
      if old.state == .released {
        edits = old.hashes == hashes ? [] : version.edits(since: old.hashes, among: usable).map(\.words)
        if !request.overwrites {
          guard request.state == .released else { throw LockError.released(place: place, version: name, path: path) }
          guard edits.isEmpty else { throw LockError.differs(place: place, version: name, path: path, edits: edits) }
        }
        outcome = edits.isEmpty && request.state == .released ? .unchanged : .relocked
      }
    }
    if previousName != nil, outcome == .unchanged { outcome = .renamed }
    let replaces = old?.state == .released && outcome == .relocked ? old?.hashes.checksum : old?.replaces
    var losses = request.allowedLosses.union(old?.allowedLosses ?? [])
    var dropped: Set<String> = []
    if old == nil, adopts || request.state == .released && acceptsLosses(to: version) {
      losses.formUnion(self.losses(to: version, onlyTaken: true).compactMap(\.names.first))
    }
    let isConfirmed = outcome == .unchanged && request.state == .released
    if request.state == .released, outcome != .renamed, !isConfirmed || request.overwrites {
      try checkConsent(to: losses, given: request.allowedLosses, of: version, overwrites: request.overwrites)
    }
    if !(isConfirmed && request.allowedLosses.isEmpty), outcome != .renamed {
      dropped = staleConsents(in: losses, of: version)
      losses.subtract(dropped)
    }
    if outcome == .unchanged, losses != old?.allowedLosses ?? [] { outcome = .updated }
    if let previousName { rename(previousName, to: name) }
    lock.entries[name] = LockFile.Entry(
      state: request.state, hashes: hashes, allowedLosses: losses, predecessor: old?.predecessor, replaces: replaces,
      location: old?.location)
    if let old, old.hashes == hashes { lock.entries[name]?.joinNames = old.joinNames }
    lock.entries[name]?.sameAs = old?.sameAs
    if recordSteps(to: version, since: old, overwrites: request.overwrites), outcome == .unchanged {
      outcome = .updated
    }
    let mayBlock = (lock.entries[name]?.mayBlock ?? []).subtracting(old?.mayBlock ?? [])
    return LockRecord(
      version: name, state: request.state, hashes: hashes, allowedLosses: losses.sorted(),
      droppedLosses: dropped.sorted(), outcome: outcome, edits: edits, mayBlock: mayBlock.sorted())
  }

  private mutating func rename(_ oldName: String, to name: String) {
    lock.entries[oldName] = nil
    deletedNames.remove(oldName)
    for key in lock.entries.keys { lock.entries[key]?.rename(oldName, to: name) }
  }

  /// Sets the names of join tables of an entry.
  mutating func setJoinNames(_ names: Set<String>, of version: String) { lock.entries[version]?.joinNames = names }

  /// True if the lock file has changes to write.
  private var isChanged: Bool {
    lock.entries != original?.entries ?? [:] || original.map { $0.form != lock.form } ?? false
  }

  /// Checks that the lock file can be written, so that either all lock files of a run are written or none.
  public func checkWritable() throws(LockError) {
    let folder = BundlePath.parent(lock.path)
    guard isChanged, !FileManager.default.isWritableFile(atPath: folder) else { return }
    throw .unwritable(path: lock.path, reason: "the folder is not writable")
  }

  /// Writes the lock file if it has changes.
  ///
  /// Other processes wait while it is written. Entries that they recorded since this process read the file are kept.
  ///
  /// - Throws: ``LockError``, and the errors of reading the file again.
  public func write() throws {
    guard isChanged else { return }
    let folder = BundlePath.parent(lock.path)
    let others = FolderLock(folder)
    guard others.holder != .another else {
      throw LockError.unwritable(path: lock.path, reason: "another process has locked the folder")
    }
    try withExtendedLifetime(others) {
      let written = try rebased(on: LockFile.read(beside: bundle))
      do {
        try written.write()
      } catch {
        throw LockError(error, writing: lock.path)
      }
    }
  }

  /// The recorded versions, added to the current file.
  private func rebased(on current: LockFile?) throws(LockError) -> LockFile {
    guard let current, current.entries != original?.entries ?? [:] else { return lock }
    var merged = current
    merged.form = lock.form
    for (name, entry) in lock.entries {
      let old = original?.entries[name]
      guard entry != old, let other = current.entries[name], !other.isSame(as: entry) else {
        if entry != old { merged.entries[name] = entry }
        continue
      }
      if let old, other.isSame(as: old) {
        merged.entries[name] = entry
      } else {
        throw .changedMeanwhile(path: lock.path, version: name)
      }
    }
    return merged
  }

  func usableVersion(_ name: String) throws -> LoadedVersion {
    guard let version = bundle.version(named: name) else {
      throw LockError.unknownVersion(
        name: name, bundle: bundle.path,
        candidates: NearNames.candidates(for: name, among: bundle.versions.map(\.name)))
    }
    guard LockFileText.isVersion(name) else { throw LockError.unusable(version: version.path, .controlCharacters) }
    if let position = positions[name] { return usable[position] }
    let file = try version.load()
    do {
      _ = try LoadedVersion(bundle: bundle.path, name: name, isCurrent: false, model: file.model)
    } catch {
      let place = file.location(of: error.element).map { "\($0)" } ?? file.path
      throw LockError.unusable(version: place, .structure(error))
    }
    throw LockError.unusable(version: file.path, .changedMeanwhile)
  }

  private func check(_ losses: Set<String>, of version: LoadedVersion) throws(LockError) {
    guard !losses.isEmpty else { return }
    let position = positions[version.name] ?? 0
    let models = usable[max(0, position - 1)...position].map(\.hierarchy)
    let others = losses.filter { name in !models.contains { $0.hasElement(named: name) } }
    // A loss of a mapping model from an older version, or to another bundle, may be in neither version.
    let unknown = staleConsents(in: others, of: version).sorted()
    guard let first = unknown.first else { return }
    throw .unknownLosses(
      unknown, version: version.name,
      candidates: NearNames.nearest(to: first, among: models.flatMap { $0.elementNames(like: first) }))
  }
}

extension LockFile.Entry {
  /// Replaces the name of a renamed version.
  fileprivate mutating func rename(_ oldName: String, to name: String) {
    if predecessor == oldName { predecessor = name }
    if sameAs == oldName { sameAs = name }
    if let files = mappings.removeValue(forKey: oldName) { mappings[name] = files }
  }

  /// True if both entries have the same values, at any location.
  fileprivate func isSame(as other: LockFile.Entry) -> Bool {
    state == other.state && hashes == other.hashes && allowedLosses == other.allowedLosses
      && joinNames == other.joinNames && mappings == other.mappings && mayBlock == other.mayBlock
      && replacedMappings == other.replacedMappings
  }
}
