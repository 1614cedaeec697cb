import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

/// The versions of a bundle, read once.
struct BundleReading {
  /// A version with the bytes it was read from.
  struct Version: Sendable {
    let bytes: Data
    let file: ModelFile
    /// Nil when its entities form no hierarchy, which rules tell.
    let known: KnownVersion?
  }

  let bundle: ModelBundle
  private(set) var versions: [String: Version] = [:]
  private(set) var errors: [any Error] = []

  /// Reads every version.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - other: another state of it, whose versions are taken where the bytes are the same.
  init(_ bundle: ModelBundle, sharing other: BundleReading? = nil) {
    self.bundle = bundle
    let known = other?.versions ?? [:]
    let memory = EntityHashMemory()
    let results = bundle.versions.concurrentMap { version in
      (version.name, Result { try Self.read(version, of: bundle, same: known[version.name], memory) })
    }
    for (name, result) in results {
      switch result {
      case .success(let version): versions[name] = version
      case .failure(let error): errors.append(error)
      }
    }
  }

  private static func read(
    _ version: ModelVersion, of bundle: ModelBundle, same: Version?, _ memory: EntityHashMemory
  ) throws -> Version {
    let bytes = try version.bytes()
    if let same, same.bytes == bytes { return same }
    let file = try version.load(bytes)
    let known = try? KnownVersion(
      bundle: bundle.path, name: version.name, isCurrent: version.name == bundle.currentVersionName, model: file.model,
      sharing: memory)
    return Version(bytes: bytes, file: file, known: known)
  }

  /// The models of the versions that can be read, oldest first.
  var files: [(version: String, file: ModelFile)] {
    bundle.versions.compactMap { version in versions[version.name].map { (version.name, $0.file) } }
  }

  /// The versions that can be used, oldest first.
  var usable: [CheckedVersion] {
    bundle.versions.compactMap { version in
      versions[version.name].flatMap { read in read.known.map { CheckedVersion(file: read.file, known: $0) } }
    }
  }
}
