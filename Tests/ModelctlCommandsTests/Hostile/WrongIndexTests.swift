import Foundation
import TestSupport
import Testing

/// Stores whose rows are all there and one of whose indexes has other entries, given to every command.
@Suite("No command answers by an index that is wrong") struct WrongIndexTests {
  /// The sample bundles, of which the first version is taken.
  private static let bundles = ["Company", "Family", "Orders", "Staff", "Todo"]

  @Test(
    "Each index of a sample store is emptied, gets an entry twice, or has its entries shifted",
    arguments: CorpusSample.of(bundles, atMost: 2))
  func samples(_ bundle: String) throws {
    let workspace = try SampleFolder()
    let names = try FileManager.default.contentsOfDirectory(
      atPath: workspace.url.appendingPathComponent("Models/\(bundle).xcdatamodeld").path
    ).filter { $0.hasSuffix(".xcdatamodel") }.sorted()
    let version = try #require(names.first).dropLast(".xcdatamodel".count)
    try workspace.makeStore("store.sqlite", version: "\(bundle)@\(version)", rows: 12)
    let faults = try walk(workspace.folder.path("store.sqlite"), isComplete: CorpusSample.isWhole, in: workspace)
    let indexes = try IndexFault.indexes(of: workspace.folder.path("store.sqlite"))
    #expect(faults > 0 || indexes.isEmpty)
  }

  /// Each index gets one of the faults, another in the next store; with `MODELCTL_THOROUGH=1` it gets all.
  @Test(
    "Indexes of corpus stores", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)),
    arguments: CorpusSample.of(CorpusStores.all, atMost: 1))
  func corpus(_ file: URL) throws {
    let workspace = try SampleFolder(emptyNamed: "Empty")
    let first = CorpusStores.all.firstIndex(of: file) ?? 0
    let isKnown = try CorpusStores.with(file) { path, _, _ in
      let faults = try walk(path, isComplete: false, from: first, in: workspace)
      print("\(file.lastPathComponent): \(faults) wrong indexes")
    }
    if !isKnown { print("\(file.lastPathComponent): no version of the corpus is the store's") }
  }

  /// Puts faults into the indexes of a store, one at a time.
  ///
  /// - Parameters:
  ///   - isComplete: whether each index gets every fault, and not one of them.
  ///   - first: which fault the first index gets.
  /// - Returns: how many stores were wrong.
  private func walk(
    _ store: String, isComplete: Bool, from first: Int = 0, in workspace: SampleFolder
  ) throws -> Int {
    let faults = Array(IndexFault.allCases)
    var known: (entities: [String], sound: [String: Modelctl.Result])?
    var count = 0
    let indexes = CorpusSample.of(try IndexFault.indexes(of: store), atMost: Thoroughness.isFull ? .max : 2)
    for (position, index) in indexes.enumerated() {
      let chosen = isComplete || Thoroughness.isFull ? faults : [faults[(first + position) % faults.count]]
      for fault in chosen {
        let folder = try TemporaryFolder()
        let wrong = folder.path("wrong.sqlite")
        try FileManager.default.copyItem(atPath: store, toPath: wrong)
        guard try fault.put(into: index, of: wrong) else { continue }
        count += 1
        let entities = try known?.entities ?? self.entities(of: store, in: workspace)
        let sound = try known?.sound ?? answers(of: store, entities, in: workspace)
        known = (entities, sound)
        let found = try answers(of: wrong, entities, in: workspace)
        for (question, answer) in sound.sorted(by: { $0.key < $1.key }) {
          let other = try #require(found[question])
          let isRefused = other.status == 2 && other.standardError.contains("modelctl verify --repair ")
          #expect(
            isRefused || (other.status == answer.status && other.standardOutput == answer.standardOutput),
            "\(question) with \(index) \(fault): \(other), and of the sound store \(answer)")
        }
        try repair(wrong, index, in: workspace)
      }
    }
    return count
  }

  private func entities(of store: String, in workspace: SampleFolder) throws -> [String] {
    let dump = try workspace.modelctl("dump", store, "--format", "jsonl")
    var names: Set<String> = []
    for line in dump.standardOutput.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      if let name = object?["entity"] as? String { names.insert(name) }
    }
    return names.sorted()
  }

  /// What commands answer, each about a copy of its own: what they print or, of those that write, what the result holds.
  private func answers(
    of store: String, _ entities: [String], in workspace: SampleFolder
  ) throws -> [String: Modelctl.Result] {
    let folder = workspace.url.appendingPathComponent("Work")
    let (place, made) = ("Work/store.sqlite", "Work/made.sqlite")
    var answers: [String: Modelctl.Result] = [:]
    func ask(_ command: [String], showing shown: String? = nil) throws {
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store + suffix) {
        try FileManager.default.copyItem(
          atPath: store + suffix, toPath: workspace.folder.path(place) + suffix)
      }
      var result = try Modelctl.run(command, in: workspace)
      if result.status == 0, let shown {
        result = try workspace.modelctl("dump", shown, "--format", "jsonl")
        let counted = try workspace.modelctl("verify", shown)
        result = .init(
          status: result.status, standardOutput: result.standardOutput + counted.standardOutput,
          standardError: result.standardError)
      }
      answers[command.joined(separator: " ")] = result
    }
    try ask(["status", place])
    try ask(["dump", place, "--format", "jsonl"])
    try ask(["plan", place])
    try ask(["migrate", place, "--copy", "--no-backup"], showing: place)
    try ask(["migrate", place, "--in-place", "--no-backup"], showing: place)
    try ask(["convert", place, "Work/made.xml"], showing: "Work/made.xml")
    try ask(["anonymize", place, "--output", made, "--seed", "7"], showing: made)
    for entity in entities.prefix(3) {
      try ask(["query", place, entity, "--format", "json"])
      try ask(["query", place, entity, "--count"])
    }
    if let entity = entities.first {
      try ask(["extract", place, "--entity", entity, "--output", made], showing: made)
    }
    for entity in entities.prefix(3) { try ask(["delete", place, entity, "--all"], showing: place) }
    return answers
  }

  private func repair(_ store: String, _ index: String, in workspace: SampleFolder) throws {
    let verified = try workspace.modelctl("verify", store)
    // Some old stores contain no model, and nothing is known about their tables.
    if verified.standardError.contains("no version here wrote the store, and it does not contain a model") { return }
    #expect(verified.standardOutput.contains("[stale-index]"), "\(verified)")
    let repaired = try workspace.modelctl("verify", "--repair", store)
    #expect(
      repaired.standardOutput.contains("mended: the index \(index) was made anew")
        || repaired.standardOutput.replacingOccurrences(of: "\n   ", with: "").contains(index),
      "\(repaired)")
    #expect(try !workspace.modelctl("verify", store).standardOutput.contains("[stale-index]"), "\(repaired)")
  }
}
