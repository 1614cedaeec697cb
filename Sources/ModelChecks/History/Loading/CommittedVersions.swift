import ModelFiles
import PersistentStores
import VersionHashing

/// The versions of a bundle as they were committed last, which a change that is not committed can be undone by.
struct CommittedVersions {
  private static let revision = "HEAD"
  private var hashes: [String: VersionHashes] = [:]

  /// Reads the bundle at the commit that is checked out; there are no versions where git has none.
  ///
  /// - Parameters:
  ///   - reading: the bundle as it is now.
  ///   - isNeeded: whether anybody will ask.
  /// - Returns: the versions.
  static func read(of reading: BundleReading, where isNeeded: Bool) -> CommittedVersions {
    var versions = CommittedVersions()
    guard isNeeded else { return versions }
    let path = reading.bundle.path
    let committed = try? RevisionTree.read(revision, paths: [path], usingMergeBase: false) { tree in
      try BundleReading.read(ModelBundle(at: tree.path(of: path)), sharing: reading).usable
    }
    for version in committed ?? [] { versions.hashes[version.name] = version.versionHashes }
    return versions
  }

  /// The revision that has a version with these hashes.
  func revision(of name: String, hashes: VersionHashes) -> String? {
    self.hashes[name] == hashes ? Self.revision : nil
  }
}
