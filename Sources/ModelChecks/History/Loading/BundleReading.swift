import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

/// The versions of a bundle, read once.
struct BundleReading {
  /// A version with the bytes it was read from.
  struct Version {
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
    for version in bundle.versions {
      do {
        let bytes = try version.bytes()
        if let same = other?.versions[version.name], same.bytes == bytes {
          versions[version.name] = same
        } else {
          let file = try version.load(bytes)
          let known = try? KnownVersion(
            bundle: bundle.path, name: version.name, isCurrent: version.name == bundle.currentVersionName,
            model: file.model)
          versions[version.name] = Version(bytes: bytes, file: file, known: known)
        }
      } catch {
        errors.append(error)
      }
    }
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
