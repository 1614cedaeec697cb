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
  init(of reading: BundleReading, where isNeeded: Bool) {
    guard isNeeded else { return }
    let path = reading.bundle.path
    let committed = try? RevisionTree.read(Self.revision, paths: [path], usingMergeBase: false) { tree in
      try BundleReading(ModelBundle(at: tree.path(of: path)), sharing: reading).usable
    }
    for version in committed ?? [] { hashes[version.name] = version.known.versionHashes }
  }

  /// The revision that has a version with these hashes.
  func revision(of name: String, hashes: VersionHashes) -> String? {
    self.hashes[name] == hashes ? Self.revision : nil
  }
}
