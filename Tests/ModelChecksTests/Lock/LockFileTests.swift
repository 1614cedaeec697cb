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

  /// The error, from its line on.
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

  /// The digest of the list “v1”, “v2 "beta"”.
  private static let recorded = "y+clssds1Feo9YC//OQwPtJgEjR4b1vkiBiFiO1GSME="

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
          "version": 3,
          "recorded": "\(Self.recorded)",
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
              "sameAs": "v2 \\"beta\\"",
              "entities": {}
            }
          }
        }

        """)
    let again = try read(lock.text)
    #expect(again.text == lock.text)
    #expect(again.entries["v10"]?.allowedLosses == ["Order.note", "Order.text"])
    #expect(again.entries["v10"]?.location?.line == 17)
    #expect(again.entries["v10"]?.location?.column == 5)
  }

  /// A text and its error.
  static let faults: [(text: String, says: String)] = [
    ("{\"version\": 1, \"versions\": {}}", "read: []"),
    ("\u{FEFF}{\"version\": 1, \"versions\": {}}", "read: []"),
    ("", "read of nothing"),
    ("{", "1:2: not well-formed JSON: expected a key in double quotes"),
    ("{\n  \"version\": 1,\n}", "3:1: not well-formed JSON: expected a key in double quotes"),
    ("{\"version\": 1 \"versions\": {}}", "1:15: not well-formed JSON: expected a comma or a closing brace"),
    ("{\"version\" 1}", "1:12: not well-formed JSON: expected a colon after the key"),
    ("{\"version\": 01}", "1:15: not well-formed JSON: this is not a number"),
    ("{\"version\": 1e400}", "1:18: not well-formed JSON: this is not a number"),
    ("{\"version\": tru}", "1:13: not well-formed JSON: expected a value"),
    ("{\"version\": \"a\nb\"}", "1:15: not well-formed JSON: a string contains a control character"),
    ("{\"ä\\u00e4\": \"\\ud83d\\ude00\", \"x\": \"\\ud83d\"}", "1:41: not well-formed JSON: half of a surrogate pair"),
    ("{\"a\": \"\\x\"}", "1:9: not well-formed JSON: JSON does not have this escape"),
    ("{} []", "1:4: not well-formed JSON: the text continues after its end"),
    (
      String(repeating: "[", count: 200_000),
      "1:33: lists and objects are nested more than 32 deep"
    ),
    ("{\"version\": 1, \"version\": 1}", "1:16: the key “version” is there twice; remove one of the two"),
    ("[]", "1:1: expected an object, found a list"),
    ("{\"version\": 2, \"versions\": {}}", "read: []"),
    ("{\"version\": 3, \"versions\": {}}", "1:1: the key “recorded” is missing"),
    (
      "{\"version\": 4, \"versions\": {}}",
      "1:13: lock file format 4 is not supported, only formats 1 to 3; update modelctl"
    ),
    (
      "{\"version\": 3, \"recorded\": \"x\", \"versions\": {}}",
      "1:28: “x” is not a digest of 32 bytes in base64; restore the entry with git"
    ),
    ("{\"version\": 1.5, \"versions\": {}}", "1:13: expected a whole number, found a number"),
    ("{\"version\": 1}", "1:1: the key “versions” is missing"),
    (
      "{\"version\": 1, \"version5\": {}}",
      "1:16: the key “version5” is unknown; nearest: version, versions"
    ),
    (
      "{\"version\": 1, \"versions\": {\n\"v1\": {\"state\": \"relased\", \"checksum\": \"\", \"entities\": {}}}}",
      "2:17: “relased” is not a state; write “released”, “draft” or “retired”"
    ),
    (
      "{\"version\": 1, \"versions\": {\"v1\": {\"state\": \"draft\", \"checksum\": \"\", \"entities\": {\"A\":\n \"AA==\"}}}}",
      "2:2: this is not a version hash of 32 bytes in base64"
    ),
    (
      "{\"version\": 1, \"versions\": {\"v1\": {\"state\": \"draft\", \"checksum\":\n \"\", \"entities\": {}}}}",
      """
      2:2: the checksum does not match the entities of v1: the entry was edited by hand or merged badly; restore it with \
      git
      """
    ),
  ]

  private static let digest = Data(repeating: 1, count: 32).base64EncodedString()

  /// Members of an otherwise valid entry, and the error of each.
  static let hostileMembers: [(members: String, says: String)] =
    [
      ("\"mappings\": {\"v1\":\n {\"Migrations/Shop/v1-v2.xml\": \"\(digest)\"}}", "read: [\"v2\"]"),
      ("\"mappings\": {\"v1\":\n {\"../Migrations/Shop/a b.xml\": \"\(digest)\"}}", "read: [\"v2\"]"),
      ("\"mappings\": {\"v1\":\n {\"-a.cdm\": \"\(digest)\"}}", "read: [\"v2\"]"),
      (
        "\"mappings\": {\"v1\":\n {\"a.xml\": \"AA==\"}}",
        "2:12: “AA==” is not a digest of 32 bytes in base64; restore the entry with git"
      ),
      ("\"mappings\": {\"v1\":\n {\"a.xml\": 1}}", "2:12: expected a string, found a number"),
      (
        "\"mappings\": {\"..\":\n {\"a.xml\": \"\(digest)\"}}",
        "1:*: “..” is not a name of a version; write the name of its folder, or restore the entry with git"
      ),
      (
        "\"after\":\n \"../v1\"",
        "2:2: “../v1” is not a name of a version; write the name of its folder, or restore the entry with git"
      ),
      (
        "\"sameAs\":\n \"v1\\n; x\"",
        "2:2: “v1\n; x” is not a name of a version; write the name of its folder, or restore the entry with git"
      ),
      ("\"replaces\":\n \"x y\"", "2:2: “x y” is not a digest of 32 bytes in base64; restore the entry with git"),
      (
        "\"replacesMappings\": [\n \"x\"]",
        "2:2: “x” is not a digest of 32 bytes in base64; restore the entry with git"
      ),
      (
        "\"allowDataLoss\": [\n \"Order\\u001b[2J\"]",
        "2:2: “Order\u{1b}[2J” is not a name of an entity or a property; restore the entry with git"
      ),
      ("\"mayBlock\": [\n \"\"]", "2:2: “” is not a name of an entity or a property; restore the entry with git"),
    ]
    + ["/etc/a.xml", "a/../../b.xml", "./a.xml", "a//b.xml", "a\\nb.xml", "note.txt", ""].map { place in
      (
        "\"mappings\": {\"v1\":\n {\"\(place)\": \"\(digest)\"}}",
        """
        2:3: “\(place.replacing("\\n", with: "\n"))” is not a path of a mapping model; write a path from the folder of this \
        file, or restore the entry with git
        """
      )
    }

  @Test("Texts for messages and commands are checked when they are read", arguments: hostileMembers)
  func hostile(_ members: String, says: String) {
    let checksum = VersionHashes(entities: [:]).checksum
    let fault = fault(
      """
      {"version": 2, "versions": {"v2": {"state": "released", "checksum": "\(checksum)", "entities": {}, \(members)}}}
      """)
    // The place of a key on the first line follows from the length of a checksum.
    #expect(says.hasPrefix("1:*") ? fault.hasSuffix(says.dropFirst(3)) && fault.hasPrefix("1:") : fault == says)
  }

  @Test("A version that no folder can be called is refused", arguments: ["", ".", "..", "a/b", "a\\tb"])
  func hostileVersion(_ name: String) {
    let fault = fault("{\"version\": 1, \"versions\": {\n\"\(name)\": {}}}")
    #expect(fault.hasPrefix("2:1: “") && fault.contains("” is not a name of a version; "), "\(fault)")
  }

  @Test("Errors are reported with line and column", arguments: faults)
  func places(_ text: String, says: String) {
    let fault = fault(text)
    #expect(text.isEmpty ? fault.contains("the file is empty") : fault == says)
  }

  private static func hash(_ byte: UInt8) -> VersionHash? { VersionHash(Array(repeating: byte, count: 32)) }

  private static func entry(_ state: LockFile.State, _ bytes: [String: UInt8]) -> LockFile.Entry {
    LockFile.Entry(state: state, hashes: VersionHashes(entities: bytes.compactMapValues(hash)))
  }

  @Test("Only differences from the previous released version are repeated, and every version is read completely")
  func short() throws {
    let many = Dictionary(uniqueKeysWithValues: (0..<9).map { ("Entity\($0)", UInt8($0)) })
    var changed = many
    (changed["Entity3"], changed["Entity4"], changed["New"]) = (99, nil, 98)
    var other = changed
    other["Entity8"] = 97
    let lock = LockFile(
      path: "Shop.lock.json",
      entries: [
        "v1": Self.entry(.released, many), "v2": Self.entry(.draft, changed), "v3": Self.entry(.released, changed),
        "v4": Self.entry(.draft, other), "v5": Self.entry(.released, ["Another": 1]),
      ])
    let again = try read(lock.text)
    #expect(again.entries.mapValues(\.hashes) == lock.entries.mapValues(\.hashes))
    // A draft changes under those that would go by it, and what has little in common is listed.
    #expect(again.entries.mapValues(\.sameAs) == ["v1": nil, "v2": "v1", "v3": "v1", "v4": "v3", "v5": nil])
    #expect(lock.text.components(separatedBy: "\n").filter { $0.contains("\"Entity") }.count == 9 + 2 + 2 + 1)
    #expect(lock.text.contains("\"Entity4\": null"))
    #expect(again.text == lock.text)
    // What a version went by once it keeps, so that the release of another does not rewrite it.
    var released = again
    released.entries["v2"]?.state = .released
    let digest = /"recorded": ".*"/
    #expect(
      released.text.replacing(digest, with: "")
        == again.text.replacingOccurrences(
          of: "\"v2\": {\n      \"state\": \"draft\"", with: "\"v2\": {\n      \"state\": \"released\""
        ).replacing(digest, with: ""))
    #expect(released.text != again.text.replacing("draft", with: "released"))
  }

  @Test("Entries that refer to missing entries, or to each other, are refused with their location")
  func lost() throws {
    let many = Dictionary(uniqueKeysWithValues: (0..<9).map { ("Entity\($0)", UInt8($0)) })
    let lock = LockFile(
      path: "a", entries: ["v1": Self.entry(.released, many), "v2": Self.entry(.released, many)])
    #expect(
      fault(lock.text.replacingOccurrences(of: "\"v1\": {", with: "\"v0\": {")).hasPrefix(
        "23:17: v2 lists only its differences from “v1”, which is not in this file or refers to it itself"))
    #expect(
      fault(lock.text.replacingOccurrences(of: "\"sameAs\": \"v1\"", with: "\"sameAs\": \"v2\"")).contains(
        "v2 lists only its differences from “v2”"))
    #expect(
      fault(lock.text.replacingOccurrences(of: "\"entities\": {}", with: "\"entities\": {\"Entity1\": null}"))
        .contains("the checksum does not match the entities of v2"))
  }

  @Test("A retirement is read with its day and reason, and an incomplete retirement is refused with its location")
  func retirement() throws {
    var entry = Self.entry(.retired, ["Order": 1])
    entry.retirement = LockFile.Retirement("“old”, says \"one\"", at: Date(timeIntervalSince1970: 1_795_000_000))
    let lock = LockFile(path: "Shop.lock.json", entries: ["v1": entry, "v2": Self.entry(.released, ["Order": 1])])
    let again = try read(lock.text)
    #expect(again.isIntact)
    #expect(again.entries["v1"]?.retirement == entry.retirement)
    #expect(again.entries["v1"]?.retirement?.date == "2026-11-18")
    #expect(again.entries["v2"]?.sameAs == "v1")
    #expect(try !read(lock.text.replacing("\"v2\": {", with: "\"v3\": {")).isIntact)
    #expect(fault(lock.text.replacing("2026-11-18", with: "18.11.2026")).hasPrefix("7:20: “18.11.2026” is not a date"))
    #expect(fault(lock.text.replacing("“old”, says \\\"one\\\"", with: " ")).hasPrefix("8:17: this is not a reason"))
    #expect(
      fault(lock.text.replacing("\"state\": \"retired\"", with: "\"state\": \"released\""))
        .hasPrefix("7:20: v1 is not retired; "))
    #expect(LockFile.Retirement("two\nlines") == nil && LockFile.Retirement(" ") == nil)
  }

  @Test("The recorded steps survive writing and reading")
  func steps() throws {
    var entry = Self.entry(.released, ["Order": 1])
    entry.mappings = ["v1": ["../Migrations/Shop/v1-v2.xml": Self.digest, "Old.xcmappingmodel": Self.digest]]
    (entry.mayBlock, entry.replacedMappings) = (["Order.total", "Order(number, date)"], [Self.digest])
    let lock = LockFile(path: "Shop.lock.json", entries: ["v2": entry])
    let again = try #require(try read(lock.text).entries["v2"])
    #expect(again.mappings == entry.mappings)
    #expect(again.mayBlock == entry.mayBlock)
    #expect(again.replacedMappings == entry.replacedMappings)
    #expect(fault(lock.text.replacingOccurrences(of: "\"version\": 3", with: "\"version\": 1")).contains("is unknown"))
  }

  @Test("A merge conflict is reported with advice")
  func conflict() {
    let text = "{\n  \"version\": 1,\n  \"versions\": {\n<<<<<<< HEAD\n    \"v2\": {\n=======\n"
    let fault = fault(text)
    #expect(
      fault.hasPrefix(
        "4:1: the file has merge conflict markers; resolve the models first, then restore the version that both sides had"
      ))
    #expect(fault.contains("record each version that is not released yet; then the rest, as released; and the current"))
    let error = #expect(throws: JSONFileError.self) { try read(text) }
    let commands = error?.advice?.commands.dropFirst().map(\.text)
    #expect(commands == ["modelctl lock --draft VERSION", "modelctl lock --all", "modelctl lock"])
  }

  @Test("A full volume has a message of its own; any other error has Foundation's message")
  func fullVolume() {
    let full =
      [
        CocoaError(.fileWriteOutOfSpace), POSIXError(.ENOSPC), POSIXError(.EDQUOT),
        CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.ENOSPC)]),
      ] as [any Error]
    for error in full {
      #expect(
        "\(LockError(error, writing: "A.lock.json"))"
          == "A.lock.json: cannot be written: the volume is full; free some space; to see how much there is")
    }
    let other = LockError(CocoaError(.fileWriteNoPermission), writing: "A.lock.json")
    #expect("\(other)".hasSuffix("; check the permissions of the folder, and try again"))
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
