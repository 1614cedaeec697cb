import Foundation
import ModelFiles
import PersistentStores
import TestSupport
import Testing
import VersionHashing

@Suite("The text of a failed opening names the version of the store") struct LoggedHashesTests {
  private let versions: [LoadedVersion]

  init() throws {
    versions = LoadedVersion.load(from: [try ModelBundle(at: SampleModels.path("Orders"))]).versions
  }

  private func text(_ hash: (VersionHash) -> String, isNested: Bool = false) -> String {
    let list = versions[1].versionHashes.entities.sorted { $0.key < $1.key }
      .map { "        \($0.key) = \(hash($0.value));" }.joined(separator: "\n")
    let text = """
      CoreData: error: addPersistentStoreWithType:configuration:URL:options:error: returned error NSCocoaErrorDomain (134100)
      error: userInfo: {metadata={
          NSPersistenceFrameworkVersion = 1344;
          NSStoreModelVersionHashes =     {
      \(list)
          };
          NSStoreModelVersionHashesVersion = 3;
          NSStoreType = SQLite;
      }, reason=The model used to open the store is incompatible with the one used to create the store}
      """
    return isNested ? text.replacingOccurrences(of: "\n", with: "\\n") : text
  }

  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = bytes.map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }
    return stride(from: 0, to: digits.count, by: 4).map { digits[$0..<min($0 + 4, digits.count)].joined() }
      .joined(separator: " ")
  }

  @Test("Complete, cut in the middle, and on one line", arguments: [true, false]) func hashes(_ isNested: Bool) throws {
    let whole = text({ "<\(hex($0.bytes))>" }, isNested: isNested)
    let cut = text(
      { "{length = 32, bytes = 0x\(hex($0.bytes.prefix(16))) ... \(hex($0.bytes.suffix(8))) }" }, isNested: isNested)
    for text in [whole, cut] {
      let log = try #require(LoggedHashes(in: text))
      #expect(log.hashes(among: versions) == versions[1].versionHashes)
    }
  }

  @Test("A digest is enough") func digest() throws {
    let text = "NSStoreModelVersionHashesDigest = \"\(versions[0].versionHashes.digest)\";"
    let log = try #require(LoggedHashes(in: text))
    #expect(log.hashes(among: versions) == versions[0].versionHashes)
    #expect(log.hashes(among: []) == nil)
  }

  @Test("A cut hash that no version has is an unknown hash", arguments: ["Customer", "Order"])
  func unknown(_ entity: String) throws {
    let other = text({ _ in "{length = 32, bytes = 0x00000000 00000000 00000000 00000000 ... 00000000 00000001 }" })
    let log = try #require(LoggedHashes(in: other))
    let hashes = try #require(log.hashes(among: versions))
    #expect(!versions.contains { $0.versionHashes.entities[entity] == hashes.entities[entity] })
  }

  @Test(
    "Any other text gives no result, and does not trap",
    arguments: [
      "", "hello", "NSStoreModelVersionHashes", "NSStoreModelVersionHashes = {",
      "NSStoreModelVersionHashes = { A = <00>",
      "NSStoreModelVersionHashes = { A = {length = 32, bytes = 0x", "NSStoreModelVersionHashesDigest = ",
    ]) func foreign(_ text: String)
  { #expect(LoggedHashes(in: text) == nil) }
}
