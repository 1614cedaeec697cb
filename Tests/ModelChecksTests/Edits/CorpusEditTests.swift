import Foundation
import ModelChecks
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing
import VersionHashing

/// Real bundles, locked, with an edit of a released version: every change of a hash is found at its line, and nothing
/// else.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusEditTests {
  /// The results of the edits of one bundle.
  struct Tally: Sendable {
    var found: [String: Int] = [:]
    var silent: [String: Int] = [:]
    /// Edits whose very line was found with nothing but the lock file's hashes.
    var exactFromHashes = 0
    var faults: [String] = []

    mutating func add(_ other: Tally) {
      found.merge(other.found, uniquingKeysWith: +)
      silent.merge(other.silent, uniquingKeysWith: +)
      exactFromHashes += other.exactFromHashes
      faults += other.faults
    }
  }

  static let bundles: [String] = {
    guard let models = Corpus.folder?.appendingPathComponent("models").path else { return [] }
    return ModelBundle.bundlePaths(under: models).filter { $0.hasSuffix(".xcdatamodeld") }
  }()

  @Test("Every edit of a released version that the hash knows is found at its line, and no other")
  func edits() async throws {
    let rule = try #require(Rule.all.first { $0.id == "unversioned-change" })
    let chosen = CorpusSample.of(Self.bundles, atMost: 7)
    let total = await withTaskGroup(of: Tally.self) { group in
      for path in chosen { group.addTask { Self.tally(path, rule) } }
      return await group.reduce(into: Tally()) { $0.add($1) }
    }
    let (found, silent) = (total.found.values.reduce(0, +), total.silent.values.reduce(0, +))
    print(
      "edits of released versions, \(CorpusSample.scope(chosen.count, of: Self.bundles.count)) bundles:",
      "\(found) that change a hash, each found from a base and from the lock,",
      "\(total.exactFromHashes) of them at their very line from hashes alone;",
      "\(silent) that change none, none reported")
    for fault in total.faults.prefix(20) { Issue.record(Comment(rawValue: fault)) }
    #expect(total.faults.count == 0)
    #expect(found > CorpusSample.least(500, sampled: 100))
    for edit in TextEdit.hashed { #expect(total.found[edit.kind, default: 0] > 0, "\(edit.kind)") }
    for edit in TextEdit.unhashed {
      #expect(total.silent[edit.kind, default: 0] > 0, "\(edit.kind)")
      #expect(total.found[edit.kind] == nil, "\(edit.kind)")
    }
  }

  /// Edits the version in the middle of a bundle's history, entity by entity.
  private static func tally(_ path: String, _ rule: Rule) -> Tally {
    var tally = Tally()
    guard let bundle = try? ModelBundle(at: path), bundle.versions.count > 1 else { return tally }
    let middle = (bundle.versions.count - 1) / 2
    // The definitions of near versions suffice for the search; those of ninety only make it slow.
    let near = bundle.versions[max(0, middle - 1)...min(bundle.versions.count - 1, middle + 1)]
    let checked = near.compactMap { version in
      (try? version.load()).flatMap { loadedVersion(version.name, $0, bundle) }
    }
    guard let edited = checked.first(where: { $0.name == bundle.versions[middle].name }),
      let bytes = try? Data(contentsOf: URL(fileURLWithPath: bundle.versions[middle].filePath)),
      let text = try? TextModel(
        lines: String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
          .components(separatedBy: "\n"), path: edited.file.path)
    else { return tally }
    let entities = text.file.model.entities
    let wanted = entities.count > 30 || !Thoroughness.isFull ? 2 : 4
    let step = max(1, entities.count / wanted)
    for entity in stride(from: 0, to: entities.count, by: step).map({ entities[$0] }) {
      for edit in TextEdit.hashed + TextEdit.unhashed {
        guard let (lines, position) = edit.apply(text, entity),
          let result = try? TextModel(lines: lines, path: edited.file.path),
          let version = loadedVersion(edited.name, result.file, bundle)
        else { continue }
        tally.judge(
          edit, version, former: edited, line: position + 1, rule: rule, bundle: bundle,
          others: checked.filter { $0.name != edited.name })
      }
    }
    return tally
  }

  fileprivate static func loadedVersion(_ name: String, _ file: ModelFile, _ bundle: ModelBundle) -> LoadedVersion? {
    try? LoadedVersion(bundle: bundle.path, name: name, isCurrent: false, file: file)
  }
}

extension CorpusEditTests.Tally {
  fileprivate mutating func judge(
    _ edit: TextEdit, _ version: LoadedVersion, former: LoadedVersion, line: Int, rule: Rule, bundle: ModelBundle,
    others: [LoadedVersion]
  ) {
    func findings(_ release: Release) -> [Finding] {
      let versions = bundle.versions.compactMap { named in ([version] + others).first { $0.name == named.name } }
      return Rule.check(BundleHistory(bundle: bundle, versions: versions, released: [release]), rules: [rule])
    }
    let hashes = former.versionHashes
    let fromBase = findings(
      Release(evidence: .base(name: "main"), name: former.name, hashes: hashes, model: former.file.model))
    let fromLock = findings(Release(evidence: .lock(path: "a.lock.json"), name: former.name, hashes: hashes))
    let what = "\(edit.kind) in \(version.file.path):\(line)"
    guard version.versionHashes != hashes else {
      silent[edit.kind, default: 0] += 1
      for finding in fromBase + fromLock { faults.append("\(what) was reported: \(finding)") }
      return
    }
    found[edit.kind, default: 0] += 1
    if !fromBase.contains(where: { $0.location?.line == line }) {
      faults.append("\(what) was not found from the base, but \(fromBase)")
    }
    if fromLock.isEmpty { faults.append("\(what) was not found from the lock") }
    if fromLock.contains(where: { $0.location?.line == line }) { exactFromHashes += 1 }
  }
}
