import ModelDescription
import ModelFiles
import VersionHashing

extension Rule {
  static let releasedVersionRenamed = Rule(
    id: "released-version-renamed",
    severity: .warning,
    purpose: "Do not rename a released version.",
    explanation: """
      Core Data recognises versions by their hashes, so stores of a renamed version still open. But mapping files, the \
      lock file and your staged migration name the version, and its name decides the order of versions. Restore the \
      name. If you want the new name, record it with `modelctl lock` and correct the references.
      """
  ) { history in
    history.lostReleases.compactMap { lost in
      lost.successor.map { successor in
        RuleFinding(
          .model,
          "version \(lost.name) is now named \(successor.name), although it is released (\(lost.evidence))",
          fix: fix(history, successor, of: lost), at: successor.location(of: .model))
      }
    }
  }

  private static func fix(_ history: BundleHistory, _ successor: LoadedVersion, of lost: LostRelease) -> Advice {
    let renaming: Advice = "restore the old name: \(run: history.renaming(successor, to: lost.name))"
    guard history.lock != nil else { return renaming }
    let recording = ["modelctl", "lock", history.lockArgument(successor.name)]
    return "record the new name: \(run: recording); or \(renaming)"
  }
}

/// A released version whose name is not in the bundle any more.
struct LostRelease {
  let name: String
  let evidence: String
  /// The location of its entry in the lock file.
  let location: SourceLocation?
  /// A version with the same hashes whose name is not in the release evidence.
  let successor: LoadedVersion?
  let revision: String?
  /// The path of the version's file in that revision, for a bundle that was moved since then.
  let revisionPath: String?
  /// The path of the version's file in a folder that is the base.
  let copy: String?
  /// A version that seems to be this one, renamed and edited.
  let editedSuccessor: LoadedVersion?
}

extension BundleHistory {
  /// The released versions that are not in the bundle, oldest first.
  var lostReleases: [LostRelease] {
    let lost = Dictionary(grouping: released.filter { !versionNames.contains($0.name) }, by: \.name)
    return VersionOrder.sorted(lost.keys).compactMap { name in
      let evidence = lost[name] ?? []
      let hashes = Set(evidence.map(\.hashes))
      guard !hashes.allSatisfy(isRecordedElsewhere) else { return nil }
      let others = versions.filter { !isReleased($0.name) }
      let committed = evidence.first { $0.revision != nil }
      return LostRelease(
        name: name, evidence: evidence.words, location: evidence.compactMap(\.location).first,
        successor: others.first { hashes.contains($0.versionHashes) },
        revision: committed?.revision, revisionPath: committed?.revisionPath,
        copy: evidence.lazy.compactMap(\.copy).first,
        editedSuccessor: others.first { seems($0, tobe: name, with: hashes) })
    }
  }

  /// True for the hashes of a version in the bundle that the lock file lists under any name, so that its stores open.
  func isRecordedElsewhere(_ hashes: VersionHashes) -> Bool {
    (lock?.entries ?? [:]).contains { name, entry in
      entry.hashes == hashes && version(named: name)?.versionHashes == hashes
    }
  }

  /// True for a name that continues the other name, and for a version that shares half of its entities.
  private func seems(_ version: LoadedVersion, tobe name: String, with hashes: Set<VersionHashes>) -> Bool {
    func continues(_ name: String, _ longer: String) -> Bool {
      guard longer.lowercased().hasPrefix(name.lowercased()) else { return false }
      return longer.dropFirst(name.count).first.map { !$0.isNumber } ?? true
    }
    if continues(name, version.name) || continues(version.name, name) { return true }
    let now = version.versionHashes.entities
    return hashes.contains { old in
      let shared = old.entities.filter { now[$0.key] == $0.value }.count
      return shared > 0 && shared * 2 >= max(old.entities.count, now.count)
    }
  }

  /// The command that restores a version.
  func restoring(_ lost: LostRelease) -> Advice {
    let folder = "\(bundle.path)/\(lost.name).xcdatamodel"
    if lost.revision == nil, let copy = lost.copy { return .copying(BundlePath.parent(copy), to: folder) }
    guard let revision = lost.revision, let path = lost.revisionPath else {
      return GitAdvice.restoring(folder, revision: lost.revision)
    }
    let file = "\(folder)/\(BundlePath.lastComponent(path))"
    let writing = GitAdvice.writing(path, of: revision, to: file)
    return "\(command: "mkdir -p \(ShellWord(path: folder).text) && \(writing)")"
  }

  /// The command that renames a version.
  func renaming(_ version: LoadedVersion, to name: String) -> [String] {
    ["mv"] + [version.name, name].map { ShellWord.argument("\(bundle.path)/\($0).xcdatamodel") }
  }

  /// The argument that names a version of the bundle for `modelctl lock`, in any folder.
  func lockArgument(_ name: String) -> String { ShellWord.argument(bundle.version(named: name)?.path ?? name) }

  /// The path of the lock file, which need not exist.
  var lockPath: String { lock?.path ?? LockFile.path(beside: bundle) }

  var lockName: String { BundlePath.lastComponent(lockPath) }

  /// The location of an entry of the lock file; if it does not exist, of the entry before it or of the file.
  func lockLocation(_ name: String) -> SourceLocation {
    let earlier = (lock?.entries ?? [:]).filter { !VersionOrder.isOrdered(name, before: $0.key) }
    let nearest = earlier.max { VersionOrder.isOrdered($0.key, before: $1.key) }
    return nearest?.value.location ?? lock?.location ?? SourceLocation(file: lockPath, line: 1, column: 1)
  }
}

extension Advice {
  /// The command that restores a file or a folder from a folder that is the base.
  static func copying(_ copy: String, to path: String) -> Advice {
    let words = [copy, path].map { ShellWord(path: $0).text }.joined(separator: " ")
    return "\(command: "mkdir -p \(ShellWord(path: BundlePath.parent(path)).text) && cp -R \(words)")"
  }
}
