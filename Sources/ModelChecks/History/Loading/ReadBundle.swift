import Foundation
import ModelDescription
import ModelFiles
import VersionHashing

/// The versions of a bundle, read once.
struct ReadBundle {
  /// A version with the bytes it was read from.
  struct Version: Sendable {
    let bytes: Data
    let file: ModelFile
    /// The usable version; nil if its entities do not form a hierarchy, which rules report.
    let loaded: LoadedVersion?
  }

  let bundle: ModelBundle
  private(set) var versions: [String: Version] = [:]
  private(set) var errors: [any Error] = []

  /// Reads every version.
  ///
  /// - Parameter other: another state of the bundle, whose versions are reused if their bytes are equal.
  /// - Returns: the versions, and the errors of those that cannot be read.
  static func read(_ bundle: ModelBundle, sharing other: ReadBundle? = nil) -> ReadBundle {
    var reading = ReadBundle(bundle: bundle)
    let others = other?.versions ?? [:]
    let (memory, texts) = (EntityHashCache(), EntityTextCache())
    let results = bundle.versions.concurrentMap { version in
      (version.name, Result { try read(version, of: bundle, same: others[version.name], memory, texts) })
    }
    for (name, result) in results {
      switch result {
      case .success(let version): reading.versions[name] = version
      case .failure(let error): reading.errors.append(error)
      }
    }
    return reading
  }

  private init(bundle: ModelBundle) { self.bundle = bundle }

  private static func read(
    _ version: ModelVersion, of bundle: ModelBundle, same: Version?, _ memory: EntityHashCache,
    _ texts: EntityTextCache
  ) throws -> Version {
    let bytes = try version.bytes()
    if let same, same.bytes == bytes { return same }
    let file = try version.load(bytes, sharing: texts)
    let loaded = try? LoadedVersion(
      bundle: bundle.path, name: version.name, isCurrent: version.name == bundle.currentVersionName, file: file,
      sharing: memory)
    return Version(bytes: bytes, file: file, loaded: loaded)
  }

  /// The models of the readable versions, oldest first.
  var files: [(version: String, file: ModelFile)] {
    bundle.versions.compactMap { version in versions[version.name].map { (version.name, $0.file) } }
  }

  /// The usable versions, oldest first.
  var usable: [LoadedVersion] { bundle.versions.compactMap { versions[$0.name]?.loaded } }

  /// True if it shares a version with a different bundle; versions without entities do not count.
  func hasVersion(of others: Set<VersionHashes>) -> Bool {
    usable.contains { !$0.versionHashes.entities.isEmpty && others.contains($0.versionHashes) }
  }
}
