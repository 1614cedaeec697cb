import Foundation
import ModelChecks
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

@Suite("The lock file is read with places and written the same way every time")
struct LockFileTests {
  private func read(_ text: String) throws -> LockFile {
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: folder.url.appendingPathComponent("Shop.lock.json"))
    return try LockFile(contentsOf: folder.path("Shop.lock.json"))
  }

  /// What is wrong, from the line on.
  private func fault(_ text: String) -> String {
    do {
      return "read: \(try read(text).entries.keys.sorted())"
    } catch {
      return "\(error)".components(separatedBy: "Shop.lock.json:").last ?? ""
    }
  }

  private static let order = try? VersionHashes(
    of: ManagedObjectModel(entities: [
      EntityDescription(name: "Order", attributes: [AttributeDescription(name: "number", type: .integer32)])
    ]))

  @Test("Versions in their natural order, entities by name, one value a line")
  func text() throws {
    let hashes = try #require(Self.order)
    let hash = try #require(hashes.entities["Order"]).base64
    let lock = LockFile(
      path: "Shop.lock.json",
      entries: [
        "v10": LockFile.Entry(state: .draft, hashes: hashes, allowedLosses: ["Order.text", "Order.note"]),
        "v2 \"beta\"": LockFile.Entry(state: .released, hashes: hashes),
        "v1": LockFile.Entry(state: .released, hashes: VersionHashes(entities: [:])),
      ])
    #expect(
      lock.text == """
        {
          "version": 1,
          "versions": {
            "v1": {
              "state": "released",
              "checksum": "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
              "entities": {}
            },
            "v2 \\"beta\\"": {
              "state": "released",
              "checksum": "\(hashes.checksum)",
              "entities": {
                "Order": "\(hash)"
              }
            },
            "v10": {
              "state": "draft",
              "checksum": "\(hashes.checksum)",
              "allowDataLoss": [
                "Order.note",
                "Order.text"
              ],
              "entities": {
                "Order": "\(hash)"
              }
            }
          }
        }

        """)
    let again = try read(lock.text)
    #expect(again.text == lock.text)
    #expect(again.entries["v10"]?.allowedLosses == ["Order.note", "Order.text"])
    #expect(again.entries["v10"]?.location?.line == 16)
    #expect(again.entries["v10"]?.location?.column == 5)
  }

  /// A text, and what is said of it.
  static let faults: [(text: String, says: String)] = [
    ("{\"version\": 1, \"versions\": {}}", "read: []"),
    ("\u{FEFF}{\"version\": 1, \"versions\": {}}", "read: []"),
    ("", "read of nothing"),
    ("{", "1:2: not well-formed JSON: a key in double quotes is due"),
    ("{\n  \"version\": 1,\n}", "3:1: not well-formed JSON: a key in double quotes is due"),
    ("{\"version\": 1 \"versions\": {}}", "1:15: not well-formed JSON: a comma or a closing brace is due"),
    ("{\"version\" 1}", "1:12: not well-formed JSON: a colon is due after the key"),
    ("{\"version\": 01}", "1:15: not well-formed JSON: this is no number"),
    ("{\"version\": 1e400}", "1:18: not well-formed JSON: this is no number"),
    ("{\"version\": tru}", "1:13: not well-formed JSON: a value is due"),
    ("{\"version\": \"a\nb\"}", "1:15: not well-formed JSON: a string ends in the middle of its line"),
    ("{\"ä\\u00e4\": \"\\ud83d\\ude00\", \"x\": \"\\ud83d\"}", "1:41: not well-formed JSON: half of a surrogate pair"),
    ("{\"a\": \"\\x\"}", "1:9: not well-formed JSON: there is no such escape in JSON"),
    ("{} []", "1:4: not well-formed JSON: something follows the end"),
    (
      String(repeating: "[", count: 200_000),
      "1:33: lists and objects lie more than 32 deep"
    ),
    ("{\"version\": 1, \"version\": 1}", "1:16: the key “version” is there a second time; remove one of the two"),
    ("[]", "1:1: an object must stand here, not a list"),
    ("{\"version\": 2, \"versions\": {}}", "1:13: this form of lock file is not known, only 1; update modelctl"),
    ("{\"version\": 1.5, \"versions\": {}}", "1:13: a whole number must stand here, not a number"),
    ("{\"version\": 1}", "1:1: the key “versions” is missing"),
    (
      "{\"version\": 1, \"version5\": {}}",
      "1:16: the key “version5” is unknown; did you mean “version”, “versions”?"
    ),
    (
      "{\"version\": 1, \"versions\": {\n\"v1\": {\"state\": \"relased\", \"checksum\": \"\", \"entities\": {}}}}",
      "2:17: “relased” is no state; write “released” or “draft”"
    ),
    (
      "{\"version\": 1, \"versions\": {\"v1\": {\"state\": \"draft\", \"checksum\": \"\", \"entities\": {\"A\":\n \"AA==\"}}}}",
      "2:2: this is no version hash: 32 bytes in base64"
    ),
    (
      "{\"version\": 1, \"versions\": {\"v1\": {\"state\": \"draft\", \"checksum\":\n \"\", \"entities\": {}}}}",
      """
      2:2: the checksum does not fit the entities of v1: the entry was edited by hand or merged badly; restore it with \
      git
      """
    ),
  ]

  @Test("What is wrong is told with its line and column", arguments: faults)
  func places(_ text: String, says: String) {
    let fault = fault(text)
    #expect(text.isEmpty ? fault.contains("the file is empty") : fault == says)
  }

  @Test("A merge conflict is told with the way out of it")
  func conflict() {
    let fault = fault("{\n  \"version\": 1,\n  \"versions\": {\n<<<<<<< HEAD\n    \"v2\": {\n=======\n")
    #expect(
      fault.hasPrefix("4:1: merge conflict markers; resolve the models first, then go back to what both sides had"))
    #expect(fault.contains("&& modelctl lock --all"))
  }

  @Test("A full volume is told as such, anything else as what Foundation says")
  func fullVolume() {
    let full =
      [
        CocoaError(.fileWriteOutOfSpace), POSIXError(.ENOSPC), POSIXError(.EDQUOT),
        CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.ENOSPC)]),
      ] as [any Error]
    for error in full {
      #expect(
        "\(LockError(error, writing: "A.lock.json"))"
          == "A.lock.json: cannot be written: no space is left; make some, see how much with: df -h")
    }
    let other = LockError(CocoaError(.fileWriteNoPermission), writing: "A.lock.json")
    #expect("\(other)".hasSuffix("; check the folder's permissions"))
  }

  @Test("Hostile text never stops the reader")
  func hostile() throws {
    let hashes = try #require(Self.order)
    let sound = Array(
      LockFile(path: "a", entries: ["v1": LockFile.Entry(state: .released, hashes: hashes)]).text.utf8)
    var generator = SeededGenerator(seed: 4)
    var refused = 0
    for _ in 0..<400 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let position = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[position] = UInt8.random(in: 0...255, using: &generator)
      }
      let folder = try TemporaryFolder()
      try Data(bytes).write(to: folder.url.appendingPathComponent("a.lock.json"))
      do {
        _ = try LockFile(contentsOf: folder.path("a.lock.json"))
      } catch {
        refused += 1
      }
    }
    #expect(refused > 300)
  }
}
