import Foundation
import TestSupport
import Testing

/// Each bundle of the corpus as a project of its own, with the mapping models of its repository.
@Suite("After lock --all the corpus' bundles pass the check", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusAdoptionTests {
  /// Why Core Data itself fails where a rule's errors stay.
  private static let reasons = [
    "unreachable-version": "no path leads to the current version: NSCocoaErrorDomain 134140",
    "mapping-drift": "no mapping model fits and the step cannot be inferred: NSCocoaErrorDomain 134140",
  ]

  private struct Checked: Decodable {
    struct Bundle: Decodable {
      let migratedBy: String
      let versions: [[String: String]]
    }
    let unproved: [Bundle]
  }

  private struct Pairs: Decodable {
    struct Pair: Decodable {
      let from: String
      let to: String
      let readers: [String]
    }
    struct Bundle: Decodable {
      let current: String?
      let pairs: [Pair]
    }
    let bundles: [Bundle]
  }

  /// The versions whose path the reader does not have by `matrix`, and that the last lines of a passed check do not count.
  private func unaccounted(in workspace: SampleFolder) throws -> [String] {
    func decoded<Document: Decodable>(_ command: String, _ type: Document.Type) throws -> Document {
      let result = try Modelctl.shell("cd project && modelctl \(command) --format json", in: workspace)
      return try JSONDecoder().decode(type, from: Data(result.standardOutput.utf8))
    }
    let unproved = try decoded("check", Checked.self).unproved
    let counted = Set(unproved.flatMap(\.versions).compactMap { $0["version"] })
    return try decoded("matrix", Pairs.self).bundles.flatMap { bundle in
      bundle.pairs.filter { $0.to == bundle.current && !$0.readers.contains("coreData") }.map(\.from)
    }.filter { !counted.contains($0) }
  }

  @Test("The remaining findings are errors of Core Data itself")
  func passes() throws {
    let bundles = Corpus.bundles
    let chosen = CorpusSample.of(bundles, atMost: 4)
    var (passed, kept): (Int, [String]) = (0, [])
    for bundle in chosen {
      let workspace = try SampleFolder()
      let project = workspace.url.appendingPathComponent("project")
      try FileManager.default.createDirectory(at: project, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: bundle, to: project.appendingPathComponent(bundle.lastPathComponent))
      for (name, file) in Corpus.mappingModels(of: bundle) {
        try workspace.write(
          String(decoding: Data(contentsOf: file), as: UTF8.self), to: "project/\(name).xcmappingmodel/xcmapping.xml")
      }
      let lock = try Modelctl.shell("cd project && modelctl lock --all", in: workspace)
      #expect(lock.status == 0, "\(bundle.path): \(lock.standardError)")
      let check = try Modelctl.shell("cd project && modelctl check", in: workspace)
      guard check.status != 0 else {
        passed += 1
        #expect(try unaccounted(in: workspace) == [], "\(bundle.path)")
        continue
      }
      let failures = check.standardOutput.split(separator: "\n").filter {
        $0.contains(": error: ") || $0.contains(": warning: ")
      }
      #expect(!failures.isEmpty, "\(bundle.path): \(check.standardError)")
      for failure in failures {
        let rule = failure.split(separator: "[").last.map { String($0.dropLast()) } ?? ""
        #expect(Self.reasons[rule] != nil, "\(failure)")
        kept.append("\(failure)\n    Core Data: \(Self.reasons[rule] ?? "")")
      }
    }
    print(
      "first check: \(passed) of \(CorpusSample.scope(chosen.count, of: bundles.count)) bundles pass after lock --all")
    for line in kept { print("  kept: \(line)") }
  }
}

extension Corpus {
  /// The bundles with versions in them, sorted by path.
  static var bundles: [URL] {
    guard let root = folder?.appendingPathComponent("models"),
      let names = FileManager.default.enumerator(atPath: root.path)
    else { return [] }
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".xcdatamodeld") }.sorted()
      .map { root.appendingPathComponent($0) }
      .filter { bundle in
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: bundle.path)) ?? []
        return versions.contains { $0.hasSuffix(".xcdatamodel") }
      }
  }

  /// The mapping models of the repository that a bundle is of, by their names.
  static func mappingModels(of bundle: URL) -> [(name: String, file: URL)] {
    guard let root = folder else { return [] }
    let models = root.appendingPathComponent("models").pathComponents.count
    let places = root.appendingPathComponent("mapping-models/\(bundle.pathComponents[models])")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: places.path)) ?? []
    return names.sorted().map { ($0, places.appendingPathComponent("\($0)/xcmapping.xml")) }
      .filter { FileManager.default.fileExists(atPath: $0.1.path) }
  }
}
