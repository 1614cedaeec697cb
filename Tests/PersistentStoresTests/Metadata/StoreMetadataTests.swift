import Foundation
import ModelFiles
import PersistentStores
import TestSupport
import Testing
import VersionHashing

@Suite("Metadata keeps an app's entries and their exact types")
struct StoreMetadataTests {
  @Test("A rewrite replaces only entries of the model")
  func rewriting() throws {
    let own: [String: PropertyList] = [
      "SyncToken": .data(Data([0, 1, 2])), "Counter": .integer(0), "Flag": .boolean(false), "Ratio": .real(1),
      "Seen": .date(0), "Nested": .dictionary(["list": .array([.boolean(true), .integer(1), .real(1), .string("")])]),
      "NSPersistenceFrameworkVersion": .integer(977), "_NSAutoVacuumLevel": .string("2"),
    ]
    let old = StoreMetadata(
      uuid: "0E5F4A64-6C1D-4B3E-8B64-6F0E9A3F2C11", versionHashes: BareStore.hashes, identifiers: ["1"], entries: own)
    let hash = try #require(VersionHash(Array(repeating: 9, count: 32)))
    let new = VersionHashes(entities: ["Memo": hash])
    let read = try StoreMetadata(
      uuid: old.uuid, propertyList: old.rewritten(for: new, identifiers: ["2"]).encoded(), path: "store")
    for (key, value) in own { #expect(read.entries[key] == value) }
    #expect(read.versionHashes == new)
    #expect(read.identifiers == ["2"])
    #expect(read.digest == new.digest)
    #expect(read.checksum == new.checksum)
    #expect(read.frameworkVersion == 977)
    #expect(read.entries["NSStoreModelVersionHashesVersion"] == .integer(3))
    #expect(read.entries.count == own.count + 5)
  }

  @Test(
    "The metadata of every store of the corpus is read and written back without a change",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    let stores = Corpus.sqliteStores
    var digests = 0
    var checksums = 0
    for store in stores {
      let copy = try StoreCopy(of: store)
      let before = try BareStore.files(in: copy.folder.url)
      let metadata = try StoreReader(path: copy.path).metadata()
      let again = try StoreMetadata(uuid: metadata.uuid, propertyList: metadata.encoded(), path: store.path)
      #expect(again == metadata)
      if let digest = metadata.digest {
        digests += 1
        #expect(metadata.versionHashes.digest == digest)
      }
      if let checksum = metadata.checksum {
        checksums += 1
        #expect(metadata.versionHashes.checksum == checksum)
      }
      #expect(try BareStore.files(in: copy.folder.url) == before)
    }
    print("metadata: \(stores.count) stores, \(digests) digests, \(checksums) checksums")
    #expect(!stores.isEmpty)
  }
}
