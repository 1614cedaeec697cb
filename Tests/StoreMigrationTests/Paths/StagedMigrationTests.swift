import MappingModels
import ModelDescription
import ModelFiles
import StoreMigration
import TestSupport
import Testing

@Suite("Stages of Core Data's own migration")
struct StagedMigrationTests {
  /// Versions of one entity; each text names an attribute and its type, such as `a:s b:i`.
  private static func versions(_ descriptions: [String]) throws -> [LoadedVersion] {
    try descriptions.enumerated().map { position, description in
      let attributes = description.split(separator: " ").map { word in
        AttributeDescription(
          name: String(word.prefix(1)), type: word.hasSuffix("s") ? .string : .integer32, isOptional: true)
      }
      return try LoadedVersion(
        bundle: "Test.xcdatamodeld", name: "V\(position + 1)", isCurrent: position + 1 == descriptions.count,
        model: ManagedObjectModel(entities: [
          EntityDescription(name: "Note", attributes: attributes, versionHashModifier: "\(position)")
        ]))
    }
  }

  /// The law: each version is in one place, and reaches the end of its run in one inferred step.
  private static func check(_ staged: StagedMigration, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    let names = staged.versions.map(\.name)
    var (listed, ends): ([String], [String]) = ([], [])
    var runs: [[LoadedVersion]] = [[]]
    func add(custom source: LoadedVersion, _ destination: LoadedVersion) {
      runs[runs.count - 1].append(source)
      runs.append([destination])
      ends += [source.name, destination.name]
    }
    for stage in staged.stages {
      switch stage {
      case .lightweight(let versions):
        listed += versions.map(\.name)
        runs[runs.count - 1] += versions
      case .custom(let mapping): add(custom: mapping.source, mapping.destination)
      case .cut(let cut):
        add(custom: cut.source, cut.destination)
        #expect(
          throws: cut.reason, sourceLocation: sourceLocation,
          performing: { try MappingModel.inferred(from: cut.start.hierarchy, to: cut.end.hierarchy) })
      }
    }
    #expect(listed.count == Set(listed).count, sourceLocation: sourceLocation)
    #expect(Set(listed).isDisjoint(with: ends), sourceLocation: sourceLocation)
    #expect(Set(listed + ends) == Set(names), sourceLocation: sourceLocation)
    for run in runs {
      guard let end = run.last else { continue }
      for version in run where version.name != end.name {
        #expect(
          throws: Never.self, "\(version.name) to \(end.name) of \(names)", sourceLocation: sourceLocation,
          performing: { _ = try MappingModel.inferred(from: version.hierarchy, to: end.hierarchy) })
      }
    }
  }

  @Test("A run ends if a version cannot reach its last version directly, and the step loses the dropped data")
  func cut() throws {
    let versions = try Self.versions(["a:s", "", "a:i", "a:i b:s"])
    let staged = try StagedMigration(through: versions, mappings: [])
    Self.check(staged)
    let stages = staged.stages
    try #require(stages.count == 3)
    guard case .lightweight(let first) = stages[0], case .cut(let cut) = stages[1],
      case .lightweight(let last) = stages[2]
    else {
      Issue.record("\(stages)")
      return
    }
    #expect(first.map(\.name) == ["V1"] && last.map(\.name) == ["V4"])
    #expect(cut.source.name == "V2" && cut.destination.name == "V3")
    #expect(cut.start.name == "V1" && cut.end.name == "V3")
    #expect(staged.losses.map(\.source.name) == ["V1"])
    #expect(staged.losses.first?.losses.map(\.element) == ["Note.a"])
  }

  @Test("Every plan of random versions obeys the law, with the fewest cuts")
  func random() throws {
    var cuts = 0
    for seed in UInt64(0)..<300 {
      var generator = SeededGenerator(seed: seed)
      var state: [String: String] = ["a": "s", "b": "i"]
      var descriptions: [String] = []
      for _ in 0..<Int.random(in: 2...9, using: &generator) {
        descriptions.append(state.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " "))
        let name = ["a", "b", "c"][Int.random(in: 0..<3, using: &generator)]
        // What goes may come back with another type; what stays keeps its own.
        if state[name] == nil { state[name] = Bool.random(using: &generator) ? "s" : "i" } else { state[name] = nil }
      }
      let versions = try Self.versions(descriptions)
      let staged = try StagedMigration(through: versions, mappings: [])
      Self.check(staged)
      let count = staged.stages.count { if case .cut = $0 { true } else { false } }
      cuts += count
      let isStraight = versions.dropLast().allSatisfy { version in
        (try? MappingModel.inferred(from: version.hierarchy, to: versions[versions.count - 1].hierarchy)) != nil
      }
      #expect(isStraight == (count == 0), "seed \(seed): \(descriptions)")
    }
    #expect(cuts > 50)
  }

  @Test("The plans of real bundles obey the law", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    var (plans, cut) = (0, 0)
    for versions in CorpusVersions.apps.flatMap(CorpusVersions.bundles) where versions.count > 2 {
      // Of a large bundle the last versions.
      let some = Array(versions.suffix(CorpusSample.isWhole ? 60 : 15))
      guard let staged = try? StagedMigration(through: some, mappings: []) else { continue }
      Self.check(staged)
      plans += 1
      if staged.stages.contains(where: { if case .cut = $0 { true } else { false } }) { cut += 1 }
    }
    print("staged plans of real bundles: \(plans), \(cut) with a cut")
    #expect(plans > 10)
  }
}
