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
          "version \(lost.name) is named \(successor.name) now, although it is released (\(lost.evidence))",
          fix: fix(history, successor, of: lost), at: successor.location(of: .model))
      }
    }
  }

  private static func fix(_ history: BundleHistory, _ successor: LoadedVersion, of lost: LostRelease) -> Advice {
    let renaming: Advice = "take the old one back: \(command: history.renaming(successor, to: lost.name))"
    guard history.lock != nil else { return renaming }
    let recording = "modelctl lock \(history.lockArgument(successor.name))"
    return "record the new name: \(command: recording); or \(renaming)"
  }
}

/// A released version that no version of the bundle has the name of.
struct LostRelease {
  let name: String
  let evidence: String
  /// Where the lock file says it.
  let location: SourceLocation?
  /// A version of the same hashes whose name no release evidence has.
  let successor: LoadedVersion?
  let revision: String?
  /// The path of the version's file in that revision, for a bundle that lay elsewhere then.
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

  /// True for the hashes of a version in the bundle that the lock file names: whatever it was called, its stores open.
  func isRecordedElsewhere(_ hashes: VersionHashes) -> Bool {
    (lock?.entries ?? [:]).contains { name, entry in
      entry.hashes == hashes && version(named: name)?.versionHashes == hashes
    }
  }

  /// True for a name that begins like another, or a version that shares half of its entities.
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

  /// The command that brings a version back.
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

  /// The command that gives a version another name.
  func renaming(_ version: LoadedVersion, to name: String) -> String {
    let paths = [version.name, name].map { ShellWord(path: "\(bundle.path)/\($0).xcdatamodel").text }
    return "mv \(paths.joined(separator: " "))"
  }

  /// What names a version of the bundle for modelctl lock, wherever that runs.
  func lockArgument(_ name: String) -> String { ShellWord(path: bundle.version(named: name)?.path ?? name).text }

  /// The path of the lock file, whether it is there or not.
  var lockPath: String { lock?.path ?? LockFile.path(beside: bundle) }

  var lockName: String { BundlePath.lastComponent(lockPath) }

  /// The place of an entry of the lock, else of the entries before it, else of the file.
  func lockLocation(_ name: String) -> SourceLocation {
    let earlier = (lock?.entries ?? [:]).filter { !VersionOrder.isOrdered(name, before: $0.key) }
    let nearest = earlier.max { VersionOrder.isOrdered($0.key, before: $1.key) }
    return nearest?.value.location ?? lock?.location ?? SourceLocation(file: lockPath, line: 1, column: 1)
  }
}

extension Advice {
  /// The command that brings a file or a folder back from a folder that is the base.
  static func copying(_ copy: String, to path: String) -> Advice {
    let words = [copy, path].map { ShellWord(path: $0).text }.joined(separator: " ")
    return "\(command: "mkdir -p \(ShellWord(path: BundlePath.parent(path)).text) && cp -R \(words)")"
  }
}
