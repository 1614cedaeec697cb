import Foundation
import GRDB
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

/// Decodes the model inside every store of the corpus and holds its hashes against the store's metadata.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusModelCacheTests {
  struct Contents {
    var cache: Data?
    var metadata: PropertyList
  }

  static func read(_ url: URL) throws -> Contents {
    let folder = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      let source = URL(fileURLWithPath: url.path + suffix)
      guard FileManager.default.fileExists(atPath: source.path) else { continue }
      try FileManager.default.copyItem(at: source, to: folder.url.appendingPathComponent("store.sqlite" + suffix))
    }
    let database = try DatabaseQueue(path: folder.path("store.sqlite"))
    return try database.read { database in
      let plist = try Data.fetchOne(database, sql: "SELECT Z_PLIST FROM Z_METADATA")
      let hasCache = try database.tableExists("Z_MODELCACHE")
      return Contents(
        cache: hasCache ? try Data.fetchOne(database, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE") : nil,
        metadata: try PropertyList(decoding: try #require(plist)))
    }
  }

  @Test func theCachedModelHashesToTheStoresMetadata() throws {
    let stores = CorpusSample.of(Corpus.sqliteStores, atMost: 40)
    var (without, equal) = (0, 0)
    var different: [String] = []
    for url in stores {
      let contents = try Self.read(url)
      let written = contents.metadata.dictionary?["NSStoreModelVersionHashes"]?.dictionary?.compactMapValues(\.data)
      guard let cache = contents.cache else {
        without += 1
        continue
      }
      let model = try ModelCache.decode(cache, path: url.path)
      let computed = try VersionHashes(of: model).entities.mapValues { Data($0.bytes) }
      if computed == written {
        equal += 1
      } else {
        let names = Set(computed.keys).union(written?.keys ?? [:].keys).filter { computed[$0] != written?[$0] }
        different.append("\(url.lastPathComponent): \(names.sorted().prefix(6)) of \(computed.count)")
      }
    }
    print("stores: \(stores.count), without a cached model \(without), equal \(equal), different \(different.count)")
    for line in different { print("  ", line) }
    #expect(stores.count >= CorpusSample.least(190, sampled: 40))
    #expect(equal >= CorpusSample.least(160, sampled: 30))
  }

  @Test func metadataSurvivesWritingWithEveryType() throws {
    let stores = CorpusSample.of(Corpus.sqliteStores, atMost: 40)
    for url in stores {
      let metadata = try Self.read(url).metadata
      #expect(try PropertyList(decoding: metadata.binary) == metadata, "\(url.lastPathComponent)")
    }
    print("metadata lists written and read again: \(stores.count)")
  }
}
