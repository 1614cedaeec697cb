import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@Suite("Merging is the same as applying both sides' edits")
struct RandomMergeTests {
  /// The model without the order of its text.
  private func sorted(_ data: Data) throws -> ManagedObjectModel {
    var model = try ContentsReader.read(data, path: "contents").model
    model.entities.sort { $0.name < $1.name }
    for position in model.entities.indices { model.entities[position].attributes.sort { $0.name < $1.name } }
    return model
  }

  @Test("Random independent edits of both sides", arguments: 0..<8)
  func independent(_ block: Int) throws {
    var edits = 0
    let count = Thoroughness.isFull ? 80 : 25
    for seed in 0..<count {
      var random = SeededGenerator(seed: UInt64(block * 1000 + seed))
      let base = EditableModel.random(&random)
      var (ours, theirs): ([EditableModel.Edit], [EditableModel.Edit]) = ([], [])
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        guard let edit = base.randomEdit(&random), !(ours + theirs).contains(where: { $0.touches(edit) }) else {
          continue
        }
        if Bool.random(using: &random) { ours.append(edit) } else { theirs.append(edit) }
      }
      let merge = try ContentsMergeTests.merge(
        base.text, base.applying(ours).text, base.applying(theirs).text)
      #expect(merge.conflicts == [], "seed \(block * 1000 + seed)")
      let both = base.applying(ours + theirs)
      #expect(try sorted(merge.data) == sorted(Data(both.text.utf8)), "seed \(block * 1000 + seed)")
      edits += ours.count + theirs.count
    }
    print("merge: \(count) merges of \(edits) independent edits")
    #expect(edits > count * 2)
  }

  @Test("Random edits of anything: both sides' views agree on whether they conflict, and either side alone is kept")
  func anything() throws {
    var conflicts = 0
    for seed in 0..<(Thoroughness.isFull ? 200 : 60) {
      var random = SeededGenerator(seed: UInt64(50_000 + seed))
      let base = EditableModel.random(&random)
      let sides = (0..<2).map { _ in
        base.applying((0..<Int.random(in: 0...8, using: &random)).compactMap { _ in base.randomEdit(&random) })
      }
      let merge = try ContentsMergeTests.merge(base.text, sides[0].text, sides[1].text)
      let mirrored = try ContentsMergeTests.merge(base.text, sides[1].text, sides[0].text)
      #expect(merge.conflicts.isEmpty == mirrored.conflicts.isEmpty, "seed \(seed)")
      if merge.conflicts.isEmpty {
        #expect(try sorted(merge.data) == sorted(mirrored.data), "seed \(seed)")
      } else {
        conflicts += 1
        #expect(throws: ModelFileError.self) { try ContentsReader.read(merge.data, path: "merged") }
        for side in ["ours", "theirs"] {
          let file = try ContentsReader.read(resolved(merge.data, for: side), path: "resolved")
          #expect(file.redeclarations == [], "seed \(seed)")
        }
      }
      let alone = try ContentsMergeTests.merge(base.text, sides[0].text, base.text)
      #expect(alone.conflicts == [] && alone.data == Data(sides[0].text.utf8), "seed \(seed)")
      let theirs = try ContentsMergeTests.merge(base.text, base.text, sides[1].text)
      #expect(theirs.conflicts == [] && theirs.data == Data(sides[1].text.utf8), "seed \(seed)")
    }
    #expect(conflicts > 10 && conflicts < 190)
  }

  /// The text after every conflict is resolved for one side.
  private func resolved(_ data: Data, for side: String) -> Data {
    var kept: [Substring] = []
    var inside: String?
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
      switch line {
      case "<<<<<<< ours": inside = "ours"
      case "=======": inside = "theirs"
      case ">>>>>>> theirs": inside = nil
      default: if inside == nil || inside == side { kept.append(line) }
      }
    }
    return Data(kept.joined(separator: "\n").utf8)
  }

  @Test("Random damage to any of the three gives a merge or an error, never the end of the program")
  func damage() throws {
    var errors = 0
    for seed in 0..<(Thoroughness.isFull || CorpusSample.isWhole ? 400 : 150) {
      var random = SeededGenerator(seed: UInt64(90_000 + seed))
      let base = EditableModel.random(&random)
      var sides = (0..<3).map { _ in
        Array(
          base.applying((0..<4).compactMap { _ in base.randomEdit(&random) }).text.utf8)
      }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let side = Int.random(in: 0..<3, using: &random)
        let place = Int.random(in: 0..<sides[side].count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: sides[side][place] = UInt8.random(in: 0...255, using: &random)
        case 1: sides[side][place] = Array("<>\"'=/& \n".utf8).randomElement(using: &random) ?? 0
        case 2: sides[side].removeSubrange(place..<min(place + 9, sides[side].count))
        default: sides[side].insert(contentsOf: sides[side].prefix(place).suffix(40), at: place)
        }
      }
      let data = sides.map { Data($0) }
      do {
        let merge = try ContentsMerge(
          base: data[0], ours: data[1], theirs: data[2], paths: ("base", "ours", "theirs"))
        if merge.conflicts.isEmpty { _ = try ContentsReader.read(merge.data, path: "merged") }
        _ = try ContentsEditor.addingIdentifiers(to: data[1], path: "ours")
      } catch {
        #expect(!error.description.isEmpty, "seed \(seed)")
        errors += 1
      }
    }
    #expect(errors > 15 && errors < 400)
  }

  @Test("Nine hundred additions on each side, near the limit of a model")
  func many() throws {
    func model(_ names: [String]) -> String {
      "<model>\n" + names.map { "  <entity name=\"\($0)\"/>\n" }.joined() + "</model>"
    }
    let base = (0..<100).map { "Base\($0)" }
    let (ours, theirs) = ((0..<900).map { "Ours\($0)" }, (0..<900).map { "Theirs\($0)" })
    let merge = try ContentsMergeTests.merge(model(base), model(ours + base), model(base + theirs))
    #expect(merge.conflicts == [] && merge.data == Data(model(ours + base + theirs).utf8))
  }

  @Test(
    "Versions of the corpus: a change of only one side gives that side, byte for byte",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    var all: [(former: Data, latter: Data, bundle: String)] = []
    for bundle in ModelBundle.discover(under: Corpus.folder?.appendingPathComponent("models").path ?? "") {
      let texts = bundle.versions.filter { $0.form == .contents }
        .compactMap { FileManager.default.contents(atPath: $0.filePath) }
      all += zip(texts, texts.dropFirst()).suffix(15).map { ($0, $1, bundle.path) }
    }
    var merges = 0
    let pairs = CorpusSample.of(all, atMost: 6)
    for (former, latter, bundle) in pairs {
      guard [former, latter].allSatisfy({ (try? ContentsReader.read($0, path: "contents")) != nil }) else { continue }
      merges += 1
      let paths = ("base", "ours", "theirs")
      let ours = try ContentsMerge(base: former, ours: latter, theirs: former, paths: paths)
      let theirs = try ContentsMerge(base: former, ours: former, theirs: latter, paths: paths)
      let both = try ContentsMerge(base: former, ours: latter, theirs: latter, paths: paths)
      #expect(ours.conflicts.isEmpty && ours.data == latter, "\(bundle)")
      #expect(theirs.conflicts.isEmpty, "\(bundle)")
      let merged = try ContentsReader.read(theirs.data, path: "merged").model
      #expect(try merged == ContentsReader.read(latter, path: "latter").model, "\(bundle)")
      #expect(both.conflicts.isEmpty && both.data == latter, "\(bundle)")
    }
    print("merge: \(CorpusSample.scope(merges, of: all.count)) pairs of real versions")
    #expect(merges > CorpusSample.least(100, sampled: 4))
  }
}
