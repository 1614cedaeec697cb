import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

/// Reads every model file of the corpus.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusFileTests {
  @Test func everyModelFileIsReadAndHashedOrRefusedWithAPlace() {
    let all =
      Corpus.files(in: "models") { $0 == "contents" || $0 == "elements" }
      + Corpus.files(in: "models-by-hash") { $0.hasSuffix(".contents") || $0.hasSuffix(".elements") }
      + Corpus.files(in: "mapping-models") { $0.hasSuffix(".contents.xml") }
    let files = CorpusSample.of(all, atMost: 30)
    var hashed = 0
    var refused: [String] = []
    var notes: [String: Int] = [:]
    for url in files {
      do {
        let isArchive = url.path.hasSuffix("elements")
        let file =
          isArchive ? try ElementsReader.read(fileAt: url.path) : try ContentsReader.read(fileAt: url.path)
        for note in file.notes { notes[note.sentence, default: 0] += 1 }
        let entities = try VersionHashes(of: file.model).entities
        #expect(entities.count == file.model.entities.count, "\(url.path)")
        if !isArchive {
          for entity in file.model.entities { #expect(file.locations[.entity(entity.name)] != nil) }
        }
        hashed += 1
      } catch let error as ModelFileError {
        refused.append(error.description)
        #expect(error.location != nil, "\(error)")
      } catch {
        Issue.record("\(url.path): \(error)")
      }
    }
    print("model files: \(CorpusSample.scope(files.count, of: all.count)), hashed \(hashed), refused \(refused.count)")
    for sentence in refused { print("  ", sentence) }
    for (sentence, count) in notes.sorted(by: { $0.value > $1.value }).prefix(12) {
      print("  note ×\(count):", sentence)
    }
    #expect(all.count > 500)
    #expect(hashed + refused.count == files.count)
  }

  @Test func everyBundleHasAVersionAndACurrentOne() throws {
    let folder = try #require(Corpus.folder)
    let paths = ModelBundle.bundlePaths(under: folder.appendingPathComponent("models").path)
    let bundles = ModelBundle.discover(under: folder.appendingPathComponent("models").path)
    print("bundles: \(paths.count), usable \(bundles.count), versions \(bundles.map(\.versions.count).reduce(0, +))")
    for path in paths where !bundles.contains(where: { $0.path == path }) {
      do { _ = try ModelBundle(at: path) } catch { print("  ", error) }
    }
    #expect(!bundles.isEmpty)
    for bundle in bundles where bundle.currentVersionName != nil {
      #expect(try bundle.currentVersion().bundleName == bundle.name)
    }
  }

  @Test func theModelsInsideMappingModelsAreReadAndMostEqualTheModelBesideThem() throws {
    var (count, equal, absent) = (0, 0, 0)
    for url in Corpus.files(in: "mapping-models", where: { $0 == "xcmapping.xml" }) {
      let root = try MarkupReader.read(try Data(contentsOf: url), path: url.path)
      let attributes = root.children(named: "object").flatMap { $0.children(named: "attribute") }
      let names = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      for side in ["source", "destination"] {
        let embedded = try #require(attributes.first { $0[attribute: "name"] == "\(side)modeldata" })
        let data = try #require(Data(base64Encoded: embedded.text, options: .ignoreUnknownCharacters))
        let hashes = try VersionHashes(of: try ElementsReader.read(data, path: url.path).model)
        count += 1
        guard let beside = names.first(where: { $0.hasPrefix("\(side).") && $0.hasSuffix(".xml") }) else {
          absent += 1
          continue
        }
        let file = url.deletingLastPathComponent().appendingPathComponent(beside).path
        if try VersionHashes(of: try ContentsReader.read(fileAt: file).model) == hashes {
          equal += 1
        } else {
          print("   drifted:", file.suffix(100))
        }
      }
    }
    print("models inside mapping models: \(count), equal to the model beside them \(equal), none beside \(absent)")
    #expect(count >= 80)
    #expect(equal * 10 >= count * 8)
  }
}
