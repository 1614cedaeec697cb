import Foundation
import ModelFiles
import PersistentStores
import TestSupport
import Testing

@Suite("Every store of the corpus is identified", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusIdentificationTests {
  @Test("By a bundle of its app if a bundle has the version, or by its cached model")
  func everyStore() throws {
    var everyVersion: [LoadedVersion]?
    var counts: [String: Int] = [:]
    var explained = 0
    var unexplained = 0
    let everyFile = Corpus.sqliteStores
    let stores = CorpusSample.of(everyFile, atMost: 3)
    for store in stores {
      let own = CorpusVersions.beside(store)
      let copy = try StoreCopy(of: store)
      let before = try BareStore.files(in: copy.folder.url)
      let reader = try StoreReader(path: copy.path)
      let hashes = try reader.metadata().versionHashes
      var known = own
      // A sample leaves out the other apps, whose models take longer to read than all else here.
      if CorpusSample.isWhole, own.allSatisfy({ $0.versionHashes != hashes }) {
        let all = everyVersion ?? CorpusVersions.all + Self.loneVersions()
        everyVersion = all
        if all.contains(where: { $0.versionHashes == hashes }) { known = all }
      }
      let isElsewhere = known.count > own.count
      let found = try reader.identify(among: known)
      if isElsewhere { counts["in another app's bundle", default: 0] += 1 }
      #expect(try BareStore.files(in: copy.folder.url) == before)
      counts[found.matchedBy?.rawValue ?? "nothing", default: 0] += 1
      if found.cache == .stale { counts["stale cache", default: 0] += 1 }
      if found.matchedBy == nil { print("not identified: \(store.lastPathComponent)", found.cache) }
      for difference in found.nearest?.differences ?? [] {
        switch difference.kind {
        case .edited: explained += 1
        case .unexplained: unexplained += 1
        default: break
        }
      }
    }
    print("identified: \(CorpusSample.scope(stores.count, of: everyFile.count)) stores, \(counts)")
    print("differing entities of stores without a bundle: \(explained) explained by edits, \(unexplained) not")
    #expect(counts["nothing"] == nil)
  }

  /// The model files that the corpus keeps by hash, outside any bundle.
  private static func loneVersions() -> [LoadedVersion] {
    Corpus.files(in: "models-by-hash") { $0.hasSuffix(".contents") || $0.hasSuffix(".elements") }.compactMap { file in
      let read = file.pathExtension == "contents" ? ContentsReader.read(fileAt:) : ElementsReader.read(fileAt:)
      guard let model = try? read(file.path).model else { return nil }
      return try? LoadedVersion(bundle: file.path, name: file.lastPathComponent, isCurrent: false, model: model)
    }
  }
}
