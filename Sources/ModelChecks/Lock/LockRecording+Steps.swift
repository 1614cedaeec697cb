import ModelDescription
import ModelFiles
public import PersistentStores
import VersionHashing

extension LockRecording {
  /// Records the steps to a released version: the mapping models to it, and its accepted blockers.
  ///
  /// The steps of a released entry are kept, unless it is overwritten.
  ///
  /// - Parameters:
  ///   - old: the earlier entry.
  ///   - overwrites: whether a released entry is recorded again.
  /// - Returns: true if the steps of the entry changed.
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

  /// Adds missing mapping models to the released entries.
  ///
  /// If the format of the file did not have steps, it adds the complete steps of all released entries.
  ///
  /// - Returns: the records, oldest first; empty for a file of an older format.
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
      // A mapping model that is used again is not replaced any more.
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

  /// The mapping models to released versions among some files, with the given paths.
  private func leading(_ files: [String]) -> [(file: String, path: String, versions: VersionPair)] {
    let given = Dictionary(files.map { (RealPath.of($0), $0) }) { first, _ in first }
    return history.ascendingMappings.compactMap { path, versions in
      guard let file = given[RealPath.of(path)], lock.entries[versions.destination]?.state == .released else {
        return nil
      }
      return (file, path, versions)
    }
  }

  /// The files that are mapping models to a released version of the bundle.
  public func mappings(among files: [String]) -> Set<String> { Set(leading(files).map(\.file)) }

  /// Records only mapping models to released versions.
  ///
  /// - Parameter files: the paths; other files are skipped.
  /// - Throws: ``LockError`` if a mapping model is recorded with different bytes, or loses data without permission.
  public mutating func recordMappings(at files: [String]) throws(LockError) -> [LockRecord] {
    guard !leading(files).isEmpty else { return [] }
    if !lock.recordsSteps { _ = try recordMissingSteps() }
    let digests = history.digestsByPath
    var changed: [String: Bool] = [:]
    for (_, path, versions) in leading(files) {
      let place = lock.relativePath(of: path)
      guard let digest = digests[path], LockFileText.isMappingPath(place) else { continue }
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

  /// The mapping models by destination version, computed once for all versions.
  private var leadingMappings: [String: [LeadingMapping]] {
    leadingCache.value {
      let digests = history.digestsByPath
      var found: [String: [LeadingMapping]] = [:]
      for (path, versions) in history.ascendingMappings {
        let place = lock.relativePath(of: path)
        guard let digest = digests[path], LockFileText.isMappingPath(place) else { continue }
        found[versions.destination, default: []].append(
          LeadingMapping(source: versions.source, place: place, digest: digest))
      }
      return found
    }
  }

  /// The digests of the mapping models to a version, by source and path, and the blockers of the steps to it.
  private func steps(to name: String) -> (mappings: [String: [String: String]], mayBlock: Set<String>) {
    var mappings: [String: [String: String]] = [:]
    for mapping in leadingMappings[name] ?? [] {
      mappings[mapping.source, default: [:]][mapping.place] = mapping.digest
    }
    let steps = versionSteps(to: name).filter { $0.path != nil }
    return (mappings, Set(steps.flatMap(\.blockers).map(\.name)))
  }
}

/// A recorded mapping model to a version.
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
  /// The version of the bundle that wrote a store.
  ///
  /// - Returns: the version; nil if no version of the bundle has its hashes.
  public func version(of store: ReferenceStore) -> String? {
    let matches = reading.usable.filter { $0.versionHashes == store.versionHashes }.map(\.name)
    return matches.first { lock.entries[$0] != nil } ?? matches.first
  }

  /// Adds the names of a store's join tables to the entry of its version.
  ///
  /// - Returns: the record; nil if the version is not recorded.
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
