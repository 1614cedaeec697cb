import ModelDescription
import ModelFiles
public import PersistentStores
import VersionHashing

extension LockRecording {
  /// Records what the steps to a released version are: the mapping models that lead to it, and what may block on them.
  ///
  /// What was recorded of a version that users have stays, unless it is to be overwritten.
  ///
  /// - Parameters:
  ///   - old: the entry that it had before.
  ///   - overwrites: whether a released entry is recorded anew.
  /// - Returns: true when the entry holds anything else of the steps than before.
  mutating func recordSteps(to version: LoadedVersion, since old: LockFile.Entry?, overwrites: Bool) -> Bool {
    guard let entry = lock.entries[version.name], entry.state == .released else { return false }
    guard old?.state != .released || overwrites else {
      lock.entries[version.name]?.keepSteps(of: old)
      return false
    }
    let now = steps(to: version.name)
    lock.entries[version.name]?.mappings = now.mappings
    lock.entries[version.name]?.mayBlock = now.mayBlock
    let before = Set((old?.mappings ?? [:]).values.flatMap(\.values))
    let after = Set(now.mappings.values.flatMap(\.values))
    let replaced = (old?.replacedMappings ?? []).union(before).subtracting(after)
    lock.entries[version.name]?.replacedMappings = replaced
    return old?.mappings != now.mappings || old?.mayBlock != now.mayBlock || old?.replacedMappings != replaced
  }

  /// Completes the released entries by the mapping models that they hold nothing of, and all of them by everything about
  /// their steps where the file is of the form that had none of it.
  ///
  /// - Returns: what it did, oldest first; a file of an older form is completed without a word.
  mutating func recordMissingSteps() throws(LockError) -> [LockRecord] {
    let isComplete = lock.recordsSteps
    lock.form = LockFile.formVersion
    let leading = Dictionary(grouping: history.mappingDigests.keys, by: \.destination)
    var records: [LockRecord] = []
    for version in usable {
      let name = version.name
      guard let entry = lock.entries[name], entry.state == .released, original?.entries[name]?.state == .released,
        !isComplete || !(leading[name] ?? []).allSatisfy({ entry.mappings[$0.source] != nil })
      else { continue }
      let now = steps(to: name)
      lock.entries[name]?.mappings.merge(now.mappings) { old, _ in old }
      // What users are migrated with again is not replaced any more.
      lock.entries[name]?.replacedMappings.subtract(now.mappings.values.flatMap(\.values))
      if !isComplete { lock.entries[name]?.mayBlock = now.mayBlock }
      guard isComplete, let entry = lock.entries[name] else { continue }
      try checkConsent(to: entry.allowedLosses, given: [], of: version, overwrites: true)
      records.append(
        LockRecord(
          version: name, state: entry.state, hashes: entry.hashes, allowedLosses: entry.allowedLosses.sorted(),
          droppedLosses: [], outcome: .updated, edits: []))
    }
    return records
  }

  /// The mapping models among some files that lead to a released version, by the paths that were given.
  private func leading(_ files: [String]) -> [(file: String, path: String, versions: VersionPair)] {
    let given = Dictionary(files.map { (RealPath.of($0), $0) }) { first, _ in first }
    return history.ascendingMappings.compactMap { path, versions in
      guard let file = given[RealPath.of(path)], lock.entries[versions.destination]?.state == .released else {
        return nil
      }
      return (file, path, versions)
    }
  }

  /// Those among some files that are mapping models to a released version of the bundle.
  public func mappings(among files: [String]) -> Set<String> { Set(leading(files).map(\.file)) }

  /// Records mapping models that lead to released versions, and nothing else.
  ///
  /// - Parameter files: their paths; those that lead to no released version of the bundle are passed over.
  /// - Throws: ``LockError`` where one is recorded with other bytes, or loses what nobody consented to.
  public mutating func recordMappings(at files: [String]) throws(LockError) -> [LockRecord] {
    guard !leading(files).isEmpty else { return [] }
    if !lock.recordsSteps { _ = try recordMissingSteps() }
    let digests = history.digestsByPath
    var changed: [String: Bool] = [:]
    for (_, path, versions) in leading(files) {
      let place = lock.place(of: path)
      guard let digest = digests[path], LockFileText.isMappingPlace(place) else { continue }
      let known = lock.entries[versions.destination]?.mappings[versions.source]?[place]
      guard known == nil || known == digest else {
        throw .mappingDiffers(
          path: path, version: bundle.version(named: versions.destination)?.path ?? versions.destination)
      }
      changed[versions.destination, default: false] = known == nil || changed[versions.destination] == true
      lock.entries[versions.destination]?.mappings[versions.source, default: [:]][place] = digest
      lock.entries[versions.destination]?.replacedMappings.remove(digest)
    }
    var records: [LockRecord] = []
    for version in usable {
      guard let isNew = changed[version.name], let entry = lock.entries[version.name] else { continue }
      try checkConsent(to: entry.allowedLosses, given: [], of: version, overwrites: true)
      records.append(
        LockRecord(
          version: version.name, state: entry.state, hashes: entry.hashes, allowedLosses: entry.allowedLosses.sorted(),
          droppedLosses: [], outcome: isNew ? .updated : .unchanged, edits: []))
    }
    return records
  }

  /// The mapping models by the version that they lead to, gathered once for all versions.
  private var leadingMappings: [String: [LeadingMapping]] {
    leadingMemory.value {
      let digests = history.digestsByPath
      var found: [String: [LeadingMapping]] = [:]
      for (path, versions) in history.ascendingMappings {
        let place = lock.place(of: path)
        guard let digest = digests[path], LockFileText.isMappingPlace(place) else { continue }
        found[versions.destination, default: []].append(
          LeadingMapping(source: versions.source, place: place, digest: digest))
      }
      return found
    }
  }

  /// The digests of the mapping models to a version by their sources and places, and what may block on the steps to it.
  private func steps(to name: String) -> (mappings: [String: [String: String]], mayBlock: Set<String>) {
    var mappings: [String: [String: String]] = [:]
    for mapping in leadingMappings[name] ?? [] {
      mappings[mapping.source, default: [:]][mapping.place] = mapping.digest
    }
    let steps = versionSteps(to: name).filter { $0.route != nil }
    return (mappings, Set(steps.flatMap(\.blockers).map(\.name)))
  }
}

/// A mapping model to a version as the lock file records it.
struct LeadingMapping: Sendable {
  let source: String
  let place: String
  let digest: String
}

extension LockFile.Entry {
  fileprivate mutating func keepSteps(of old: LockFile.Entry?) {
    (mappings, mayBlock, replacedMappings) = (old?.mappings ?? [:], old?.mayBlock ?? [], old?.replacedMappings ?? [])
  }
}

extension LockRecording {
  /// The version of the bundle that a store was written with.
  ///
  /// - Returns: nil when no version here has its hashes.
  public func version(of store: ReferenceStore) -> String? {
    let matches = reading.usable.filter { $0.versionHashes == store.versionHashes }.map(\.name)
    return matches.first { lock.entries[$0] != nil } ?? matches.first
  }

  /// Adds the names of a store's join tables to the entry of its version, which is recorded already.
  ///
  /// - Returns: what it did; nil where the version is not recorded.
  /// - Throws: `JoinNameReferenceError`.
  public mutating func recordJoinNames(of store: ReferenceStore, version name: String) throws -> LockRecord? {
    guard let version = reading.usable.first(where: { $0.name == name }), let entry = lock.entries[name] else {
      return nil
    }
    let names = Set(try store.reference(for: version).naming.map(\.description))
    setJoinNames(names, of: name)
    return LockRecord(
      version: name, state: entry.state, hashes: entry.hashes, allowedLosses: entry.allowedLosses.sorted(),
      droppedLosses: [], outcome: names == entry.joinNames ? .unchanged : .updated, edits: [], joinNames: names.sorted()
    )
  }
}
