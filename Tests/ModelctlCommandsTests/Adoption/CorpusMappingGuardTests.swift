import Foundation
import TestSupport
import Testing

/// Each bundle of the corpus that has mapping models as a project of its own, locked and committed.
@Suite("Every mapping model of a released path is guarded", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusMappingGuardTests {
  /// A change to a mapping model's file.
  private static let damages = [
    ("deleted", "rm -r"),
    ("edited", #"sh -c 'sed -i.old "s/source/sauce/" "$0/xcmapping.xml" && rm "$0/xcmapping.xml.old"'"#),
    ("commented", #"sh -c 'echo "<!-- -->" >> "$0/xcmapping.xml"'"#),
  ]

  @Test("Deleting or editing one is found, by the lock file alone and by the base alone")
  func found() throws {
    var cases: [(bundle: URL, mapping: String)] = []
    for bundle in Corpus.bundles {
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: bundle.path)) ?? []
      let names = Set(versions.map { $0.replacingOccurrences(of: " ", with: "_") })
      for (name, file) in Corpus.mappingModels(of: bundle) {
        let files = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
        let sides = files.compactMap { file in
          ["source.", "destination."].first(where: file.hasPrefix).map { file.dropFirst($0.count) }
        }
        let isHere = sides.allSatisfy { side in names.contains { side.hasPrefix($0) } }
        if isHere, sides.count == 2 { cases.append((bundle, name)) }
      }
    }
    // A debug build takes seconds for each check of a large bundle.
    let quick = CorpusSample.isWhole ? cases : cases.filter { Self.size(of: $0.bundle) < 300_000 }
    let chosen = CorpusSample.of(quick, atMost: 1)
    let trials = CorpusSample.of(
      Self.damages.flatMap { damage in
        ["", " --base locked", " --base unlocked"].map { (damage.0, damage.1, $0) }
      }, atMost: 4)
    var (errors, notes, apart): (Int, Int, Int) = (0, 0, 0)
    for (bundle, group) in Dictionary(grouping: chosen, by: \.bundle) {
      let project = try project(of: bundle)
      let lock = try project.shell("cat *.lock.json")
      for (_, name) in group {
        guard lock.contains("\"\(name).xcmappingmodel\"") else {
          apart += 1
          continue
        }
        for (what, command, reference) in trials {
          if reference == " --base unlocked" { try project.shell("rm *.lock.json") }
          try project.shell("\(command) '\(name).xcmappingmodel'")
          let result = try Modelctl.shell("modelctl check\(reference)", in: project)
          let lines = result.standardOutput.split(separator: "\n").filter { $0.contains(" [released-mapping-") }
          #expect(lines.count == 1, "\(bundle.path): \(name) \(what)\(reference): \(result)")
          let isError = lines.contains { $0.contains(": error: ") }
          #expect(!isError || result.status == 1, "\(result)")
          if isError { errors += 1 } else { notes += 1 }
          try project.shell("git checkout --quiet -- .")
        }
      }
    }
    print(
      "mapping models deleted or edited: \(CorpusSample.scope(chosen.count, of: cases.count)); \(errors) errors, \(notes) notes",
      "where another mapping model leads on; \(apart) lead to no newer version here")
    #expect(errors + notes == (chosen.count - apart) * trials.count)
    #expect(errors > 0 || !CorpusSample.isWhole)
  }

  /// The bytes of a bundle's files.
  private static func size(of bundle: URL) -> Int {
    let names = FileManager.default.enumerator(atPath: bundle.path)?.compactMap { $0 as? String } ?? []
    return names.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: bundle.appendingPathComponent(name).path)
      return sum + (attributes?[.size] as? Int ?? 0)
    }
  }

  /// A repository with a bundle and its mapping models; the tag `unlocked` is before the lock file, `locked` has it.
  private func project(of bundle: URL) throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "empty")
    try FileManager.default.copyItem(at: bundle, to: workspace.url.appendingPathComponent(bundle.lastPathComponent))
    for (name, file) in Corpus.mappingModels(of: bundle) {
      try workspace.write(
        String(decoding: Data(contentsOf: file), as: UTF8.self), to: "\(name).xcmappingmodel/xcmapping.xml")
    }
    try workspace.shell("git init --quiet --initial-branch=main")
    try workspace.commit("models")
    try workspace.shell("git tag unlocked && modelctl lock --all")
    try workspace.commit("lock")
    try workspace.shell("git tag locked")
    return workspace
  }
}
