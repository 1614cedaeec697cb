import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing
import VersionHashing

@Suite(
  "The model in every store of the corpus is exported",
  .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CachedModelExportTests {
  @Test("With the hashes that the store records, or it is refused with a reason")
  func export() throws {
    let folder = try TemporaryFolder()
    var (count, exported) = (0, 0)
    var refusals: [String] = []
    var losses: [String: Int] = [:]
    let all =
      Corpus.files(in: "stores", where: { $0.hasSuffix(".sqlite") })
      + Corpus.files(in: "stores-empty", where: { $0.hasSuffix(".sqlite") })
    let stores = CorpusSample.of(all, atMost: 12)
    for (number, url) in stores.enumerated() {
      let copy = URL(fileURLWithPath: folder.path("store"))
      try? FileManager.default.removeItem(at: copy)
      try FileManager.default.copyItem(at: url, to: copy)
      guard let reader = try? StoreReader(path: copy.path) else { continue }
      defer { reader.close() }
      guard let model = try? reader.identify(among: []).model else { continue }
      count += 1
      do {
        let export = try ModelExport(model.editable(), to: folder.path("\(number).xml"))
        #expect(try export.hashes == reader.metadata().versionHashes, "\(url.path)")
        try export.write()
        let written = try ContentsReader.read(fileAt: folder.path("\(number).xml"))
        #expect(try VersionHashes(of: written.model) == export.hashes)
        #expect(written.redeclarations.isEmpty, "\(url.path): \(written.redeclarations.map(\.element))")
        #expect(written.model.entities.map(\.allFetchIndexes) == model.entities.map(\.allFetchIndexes), "\(url.path)")
        for loss in export.losses { losses[loss.what, default: 0] += 1 }
        exported += 1
      } catch {
        refusals.append("\(url.lastPathComponent): \(error)")
      }
    }
    let scope = CorpusSample.scope(stores.count, of: all.count)
    print("models in stores: \(count) of \(scope) stores, exported with equal hashes \(exported), losses \(losses)")
    for refusal in refusals { print("  refused: \(refusal)") }
    #expect(count > 0)
    #expect(exported * 100 >= count * 95)
  }
}
