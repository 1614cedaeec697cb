import ModelFiles
import PersistentStores

/// A released version that no version of the bundle has the name of.
struct LostVersion {
  let name: String
  /// Who says that it was released, in words.
  let witnesses: String
  /// Where the lock file says it.
  let location: SourceLocation?
  /// A version of the same hashes whose name no witness knows.
  let successor: CheckedVersion?
  /// A revision of git that has it.
  let revision: String?
}

extension BundleHistory {
  /// The released versions that are not in the bundle, oldest first.
  var lostVersions: [LostVersion] {
    let present = Set(bundle.versions.map(\.name))
    let lost = Dictionary(grouping: released.filter { !present.contains($0.name) }, by: \.name)
    return lost.keys.sorted { VersionOrder.isOrdered($0, before: $1) }.map { name in
      let witnesses = lost[name] ?? []
      let hashes = Set(witnesses.map(\.hashes))
      return LostVersion(
        name: name, witnesses: witnesses.words, location: witnesses.compactMap(\.location).first,
        successor: versions.first { hashes.contains($0.known.versionHashes) && !isReleased($0.name) },
        revision: witnesses.compactMap(\.revision).first)
    }
  }

  /// The command that brings a version back.
  func restoring(_ lost: LostVersion) -> String {
    GitRestoring.command(for: "\(bundle.path)/\(lost.name).xcdatamodel", revision: lost.revision)
  }

  /// What names a version of the bundle for modelctl lock, wherever that runs.
  func lockArgument(_ name: String) -> String { ShellPath.quoted(bundle.version(named: name)?.path ?? name) }

  /// The path of the lock file, whether it is there or not.
  var lockPath: String { lock?.path ?? LockFile.path(beside: bundle) }

  /// The name of the lock file.
  var lockName: String { lockPath.split(separator: "/").last.map(String.init) ?? lockPath }

  /// The place of an entry of the lock, else of the entries before it, else of the file.
  func lockLocation(_ name: String) -> SourceLocation {
    let former = (lock?.entries ?? [:]).filter { !VersionOrder.isOrdered(name, before: $0.key) }
    let nearest = former.max { VersionOrder.isOrdered($0.key, before: $1.key) }
    return nearest?.value.location ?? lock?.location ?? SourceLocation(file: lockPath, line: 1, column: 1)
  }
}
