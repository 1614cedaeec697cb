import ModelFiles

/// The mapping models as they were committed last, which a change that is not committed can be undone by.
struct CommittedMappings {
  private static let revision = "HEAD"
  /// The revision that has a file, by the file's digest.
  private(set) var revisions: [String: String] = [:]

  /// Looks for files that are not as they were.
  ///
  /// - Parameters:
  ///   - lock: the lock file that says what they were.
  ///   - readings: the files as they are now.
  /// - Returns: the mapping models.
  static func read(missingOf lock: LockFile?, among readings: [MappingReading]) -> CommittedMappings {
    var mappings = CommittedMappings()
    let present = Set(readings.compactMap(\.digest))
    let lost = (lock?.sortedEntries(.released) ?? []).flatMap(\.value.mappings.values).joined()
      .filter { !present.contains($0.value) }
    guard let lock, !lost.isEmpty else { return mappings }
    let folders = Set(lost.map { BundlePath.parent(lock.path(of: $0.key)) }).sorted()
    let digests = try? RevisionTree.read(
      revision, paths: [BundlePath.parent(lock.path)], mappingFolders: folders, usingMergeBase: false
    ) { tree in
      // A folder outside of the repository is none of the revision's.
      let inside = folders.map(tree.path).filter { $0 == tree.root || $0.hasPrefix(tree.root + "/") }
      return MappingReading.all(at: inside.flatMap(MappingPath.discover), sharing: readings).compactMap(\.digest)
    }
    for digest in digests ?? [] { mappings.revisions[digest] = revision }
    return mappings
  }
}
