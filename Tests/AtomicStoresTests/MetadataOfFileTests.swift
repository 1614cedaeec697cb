import AtomicStores
import Foundation
import TestSupport
import Testing

@Suite("Metadata is read from a file as from bytes")
struct MetadataOfFileTests {
  private static let head =
    #""metadata": {"NSStoreUUID": "U", "own": {"objects": [1, "]}\"{"]}, "#
    + #""NSStoreModelVersionHashes": {"Task": "\#(Data(repeating: 7, count: 32).base64EncodedString())"}}"#

  /// Texts around the place where a piece of the file ends.
  private static let texts: [String] = [
    "{\"format\": 1, \(head), \"objects\": {}}",
    "\u{FEFF}{\"format\": 1, \(head),\n \"lastKeys\": {\"Task\": 7}, \"objects\": {\"Task\": [{\"id\": 1}, {\"id\": 2}]}}\n",
    "{\"objects\": {\"Task\": [{\"id\": 1, \"name\": \"\\\"}]{[\\\\\"}]}, \"format\": 1, \(head)}",
    "{\"objects\": [1, -2.5e3, true, null, [], {}], \"lastKeys\": 3, \(head), \"format\": 1}",
    "{\"format\": 1, \(head), \"objects\": {}, \"objects\": {}}",
    "{\"format\": 1, \(head), \"objects\": {\"Task\": [{\"id\": 1}, {\"id\":",
    "{\"format\": 1, \(head), \"objects\": {\"Task\": [{\"id\": 1}}]}",
    "{\"format\": 1, \(head), \"objects\": {\"Task\": [1 2]}}",
    "{\"format\": 1, \(head), \"objects\": {\"Task\" [1]}}",
    "{\"format\": 1, \(head), \"objects\": {\"Task\": [1,]}}",
    "{\"format\": 1, \(head), \"objects\": {,}}",
    "{\"format\": 1, \(head), \"objects\": \(String(repeating: "[", count: 70))\(String(repeating: "]", count: 70))}",
    "{\"format\": 1, \(head), \"objects\": {}} {}",
    "{\"format\": 1, \(head), \"objects\": {}",
    "{\"format\": 2, \(head), \"objects\": {}}",
    "{\"format\": 1, \"objects\": {}, \"metadata\": {\"NSStoreUUID\": 7}}",
    "",
  ]

  private func compare(_ kind: some StoreKind, _ bytes: Data, in folder: TemporaryFolder) throws {
    let path = folder.path("store")
    try bytes.write(to: URL(fileURLWithPath: path))
    let whole = Result { try kind.metadata(in: bytes, path: path) }.mapError { CaughtText($0) }
    let read = Result { try kind.metadata(ofFile: path) }.mapError { CaughtText($0) }
    #expect(whole == read)
  }

  private struct CaughtText: Error, Equatable {
    let text: String

    init(_ error: any Error) { text = "\(error)" }
  }

  @Test("A JSON store, with metadata at any position, and its errors", arguments: texts)
  func json(_ text: String) throws {
    let folder = try TemporaryFolder()
    try compare(JSONStoreKind(), Data(text.utf8), in: folder)
    // A piece of the file ends within each byte of what is behind the first brace.
    guard let brace = text.firstIndex(of: "{") else { return }
    for length in stride(from: (1 << 18) - text.utf8.count - 4, through: 1 << 18, by: CorpusSample.isWhole ? 37 : 149) {
      let white = "{" + String(repeating: " ", count: length)
      try compare(JSONStoreKind(), Data(text.replacingCharacters(in: brace...brace, with: white).utf8), in: folder)
    }
  }

  @Test("An XML and a binary store", arguments: [0, 1, 2, 3] as [UInt64])
  func others(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let model = try StoreSamples.hierarchy()
    for kind in [XMLStoreKind(), BinaryStoreKind()] as [any StoreKind] {
      let document = try StoreSamples.document(seed: seed, sharedKeys: false, type: kind.name)
      let bytes = try kind.bytes(of: document, model: model)
      try compare(kind, bytes, in: folder)
      for count in [0, 7, 60, 100, bytes.count / 2, bytes.count - 1] {
        try compare(kind, bytes.prefix(count), in: folder)
      }
    }
  }
}
