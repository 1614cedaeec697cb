import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows
import Testing

@Suite("JSON stores")
struct JSONStoreTests {
  private static let hash = Data(repeating: 7, count: 32).base64EncodedString()

  private static var model: EntityHierarchy {
    get throws {
      try EntityHierarchy(
        ManagedObjectModel {
          Entity("Person", isAbstract: true) {
            Attribute("name", .string)
            Relationship("tasks", toMany: "Task", inverse: "owner")
          }
          Entity("Worker", parent: "Person") {}
          Entity("Boss", parent: "Person") {}
          Entity("Task") {
            Attribute("id", .integer64)
            Attribute("due", .date)
            Attribute("cost", .decimal)
            Attribute("rank", .integer16)
            Attribute("photo", .binary)
            Relationship("owner", toOne: "Person", inverse: "tasks")
          }
        })
    }
  }

  private static func text(_ objects: String, after metadata: String = "") -> String {
    "{\"format\": 1, \"metadata\": {\"NSStoreUUID\": \"U\",\n  \"NSStoreModelVersionHashes\": {\"Task\": \"\(hash)\"}},\(metadata)\n"
      + " \"objects\": {\(objects)}}\n"
  }

  @Test(
    "An object a line, the key apart from a property of its name, links to entities below the relationship's by name")
  func form() throws {
    let text = Self.text(
      "\n  \"Boss\": [\n   {\"id\": 2, \"name\": \"An\\u0000na\", \"tasks\": [1]}],\n  \"Task\": [\n   {\"$id\": 1, \"cost\": \"0.1\", "
        + "\"due\": \"2026-01-02T03:04:05Z\", \"id\": \"9007199254740993\", \"owner\": {\"Boss\": 2}}]")
    let document = try JSONStoreKind().document(in: Data(text.utf8), of: Self.model, path: "a.json")
    #expect(document.objects.map(\.id.description) == ["Boss 2", "Task 1"])
    #expect(document.objects[0].values["name"] == "An\u{0}na")
    #expect(document.objects[1].values["id"] == .attribute(.integer(9_007_199_254_740_993)))
    #expect(document.objects[1].values["owner"] == .object(RecordID(entity: "Boss", key: 2)))
    let again = String(decoding: try JSONStoreKind().bytes(of: document, model: Self.model), as: UTF8.self)
    #expect(
      again.hasSuffix(text.drop { $0 != "\n" }.drop { $0 != "]" } + "")
        || again.contains("\"owner\": {\"Boss\": 2}}]}}"))
    #expect(try JSONStoreKind().document(in: Data(again.utf8), of: Self.model, path: "b.json") == document)
  }

  @Test("Metadata is read at any position, without creating objects")
  func metadataAlone() throws {
    let objects = #"{"Task": [{"id": 1, "id": 2, "rank": -1.5e3, "x": ["\u00e9\n", {"{": "]"}, true, null]}, {}]}"#
    let metadata = "{\"NSStoreUUID\": \"U\", \"NSStoreModelVersionHashes\": {\"Task\": \"\(Self.hash)\"}}"
    let members = [
      "\"objects\": \(objects)", "\"metadata\": \(metadata)", "\"format\": 1", "\"lastKeys\": {\"Task\": 7}",
    ]
    for first in members.indices {
      let text = "{\((members[first...] + members[..<first]).joined(separator: ",\n"))}"
      #expect(try JSONStoreKind().metadata(in: Data(text.utf8), path: "a.json").uuid == "U")
      #expect(throws: StoreDocumentError.self) {
        try JSONStoreKind().document(in: Data(text.utf8), of: Self.model, path: "a.json")
      }
    }
  }

  @Test(
    "Objects that are not well formed are refused with one place and cause, whether they are read or not",
    arguments: [
      #"{"Task": [{"id": 1}"#, #"{"Task": [{"id": 1},]}}"#, #"{"Task": [{"id" 1}]}}"#, #"{"Task": [{id: 1}]}}"#,
      #"{"Task": [{"id": 01}]}}"#, #"{"Task": [{"id": tru}]}}"#, #"{"Task": ["a\x"]}}"#, #"{"Task": ["\ud800"]}}"#,
      "{\"Task\": [\"a\nb\"]}}", #"{"Task": [1 2]}}"#, #"{"Task": [1}}"#, "{\"Task\": [\"a",
      String(repeating: "[", count: 70),
    ])
  func brokenObjects(_ objects: String) throws {
    let bytes = Data("{\"format\": 1, \"metadata\": {\"NSStoreUUID\": \"U\"}, \"objects\": \(objects)".utf8)
    var words: [String] = []
    for read in [
      { _ = try JSONStoreKind().metadata(in: bytes, path: "a.json") },
      { _ = try JSONStoreKind().document(in: bytes, of: Self.model, path: "a.json") },
    ] as [() throws -> Void] {
      do {
        try read()
        Issue.record("\(objects) was read")
      } catch { words.append("\(error)") }
    }
    #expect(words.count == 2 && words.first == words.last)
  }

  @Test(
    "A file that is not a store is refused with its location",
    arguments: [
      ("\"Tusk\": []", "a.json:3:14: the model has no entity “Tusk”; nearest: Task"),
      ("\"Person\": []", "a.json:3:14: Person is abstract, so it cannot have objects; use one of its subentities"),
      ("\"Task\": [{\"$id\": 1, \"Rank\": 2}]", "a.json:3:34: Task has no property “Rank”; nearest: rank"),
      ("\"Task\": [{\"$id\": 1}, {\"$id\": 1}]", "a.json:3:35: there are two objects Task 1"),
      ("\"Worker\": [{\"id\": 1}], \"Boss\": [{\"id\": 1}]", "a.json:3:46: there are two objects Person 1"),
      ("\"Task\": [{\"$id\": 1, \"owner\": 5}]", "a.json:3:43: owner points to Person 5, which does not exist"),
      (
        "\"Task\": [{\"$id\": 1, \"owner\": {\"Task\": 1}}]",
        "a.json:3:43: owner points to Task 1, which does not exist"
      ),
      (
        "\"Task\": [{\"$id\": 1, \"rank\": 40000}]",
        "a.json:3:42: “40000” is not a valid value of rank, which has the type Integer 16"
      ),
      (
        "\"Task\": [{\"$id\": 1, \"rank\": 1.5}]",
        "a.json:3:42: “1.5” is not a valid value of rank, which has the type Integer 16"
      ),
      (
        "\"Task\": [{\"$id\": 1, \"id\": 9007199254740993}]",
        "a.json:3:40: “9007199254740993” is not a valid value of id: whole numbers from 2^53 on must be texts, so that they keep "
          + "every digit; write it in quotes"
      ),
      (
        "\"Task\": [{\"$id\": 1, \"id\": -9007199254740993}]",
        "a.json:3:40: “-9007199254740993” is not a valid value of id: whole numbers from 2^53 on must be texts"
      ),
      ("\"Task\": [{\"$id\": 9223372036854775808}]", "a.json:3:31: expected a whole number, found a number"),
      (
        "\"Task\": [{\"$id\": 1, \"cost\": 1}]",
        "a.json:3:42: “1” is not a valid value of cost, which has the type Decimal"
      ),
      (
        "\"Task\": [{\"$id\": 1, \"due\": \"soon\"}]",
        "a.json:3:41: “soon” is not a valid value of due, which has the type Date"
      ),
      (
        "\"Task\": [{\"$id\": 1, \"due\": \"2026-02-30\"}]",
        "a.json:3:41: “2026-02-30” is not a valid value of due, which has the type Date"
      ),
      (
        "\"Task\": [{\"$id\": 1, \"photo\": \"=\"}]",
        "a.json:3:43: “=” is not a valid value of photo, which has the type Binary"
      ),
      ("\"Task\": [{\"rank\": 1}]", "a.json:3:23: the key “$id” is missing"),
      (
        "\"Task\": [{\"$id\": 1, \"$id\": 1}]",
        "a.json:3:34: the key “$id” is there twice; remove one of the two"
      ),
      ("\"Boss\": [{\"id\": 1, \"name\": \"\\ud800\"}]", "a.json:3:48: not well-formed JSON: half of a surrogate pair"),
      (
        "\"Boss\": [{\"id\": 1, \"name\": 7}]",
        "a.json:3:41: “7” is not a valid value of name, which has the type String"
      ),
    ])
  func refused(_ objects: String, _ words: String) throws {
    let found = Self.words(Data(Self.text(objects).utf8))
    #expect(found.hasPrefix(words), "\(found)")
  }

  @Test(
    "Whole numbers from 2^53 on are texts, and keys and metadata keep each of their digits",
    arguments: [-1, 0, 1] as [Int64])
  func longNumbers(_ step: Int64) throws {
    let number = (1 << 53) + step
    let text = Self.text(
      "\"Task\": [{\"$id\": \(number), \"id\": \"\(number)\"}, {\"$id\": \(number + 2)}]",
      after: " \"lastKeys\": {\"Task\": \(number + 4)},"
    ).replacing("\"NSStoreUUID\": \"U\",", with: "\"NSStoreUUID\": \"U\", \"count\": \(number),")
    let document = try JSONStoreKind().document(in: Data(text.utf8), of: Self.model, path: "a.json")
    #expect(document.objects.map(\.id.key) == [number, number + 2])
    #expect(document.objects[0].values["id"] == .attribute(.integer(number)))
    #expect(document.lastKeys == ["Task": number + 4] && document.metadata.entries["count"] == .integer(number))
    let bytes = try JSONStoreKind().bytes(of: document, model: Self.model)
    let again = String(decoding: bytes, as: UTF8.self)
    let written = step < 0 ? "\(number)" : "\"\(number)\""
    #expect(again.contains("\"id\": \(written)}"))
    #expect(try JSONStoreKind().document(in: bytes, of: Self.model, path: "b.json") == document)
  }

  /// The message about bytes that are not a store.
  private static func words(_ bytes: Data) -> String {
    let error = #expect(throws: StoreDocumentError.self) {
      try JSONStoreKind().document(in: bytes, of: Self.model, path: "a.json")
    }
    return error.map { "\($0)" } ?? "read"
  }

  @Test("A text that is cut off at any byte is not JSON, and the error has the location")
  func cut() throws {
    let whole = Array(Self.text("\"Task\": [{\"$id\": 1, \"rank\": 2}]").utf8)
    for end in 0..<(whole.count - 2) {
      let found = Self.words(Data(whole[..<end]))
      #expect(found.prefixMatch(of: /a\.json:\d+:\d+: not well-formed JSON:/) != nil, "\(end): \(found)")
    }
  }

  private static let digits = String(repeating: "9", count: 400)
  private static let deep = String(repeating: "[", count: 10_000)

  @Test(
    "Numbers of 400 digits, depth, NUL and content after the end are refused with their location, and never trap",
    arguments: [
      (text("\"Task\": [{\"$id\": \(digits)}]"), "a.json:3:431: not well-formed JSON: this is not a number"),
      (
        text("\"Task\": [{\"$id\": 1, \"cost\": \"\(digits)\"}]"),
        "a.json:3:42: “\(digits.prefix(40))” is not a valid value of cost, which has the type Decimal"
      ),
      (text("\"Task\": \(deep)"), "a.json:3:84: lists and objects are nested more than 64 deep"),
      (deep, "a.json:1:65: lists and objects are nested more than 64 deep"),
      (
        text("\"Boss\": [{\"id\": 1, \"name\": \"a\u{0}b\"}]"),
        "a.json:3:43: not well-formed JSON: a string contains a control character"
      ),
      ("{\u{0}}", "a.json:1:2: not well-formed JSON: expected a key in double quotes"),
      (text("") + "x", "a.json:4:1: not well-formed JSON: the text continues after its end"),
      ("", "a.json:1:1: not well-formed JSON: the text ends where a value is expected"),
      ("\u{FEFF}", "a.json:1:1: not well-formed JSON: the text ends where a value is expected"),
      ("{}", "a.json:1:1: the key “format” is missing"),
      ("[]", "a.json:1:1: expected an object"),
      (
        text("").replacing("\"format\": 1", with: "\"format\": 2"),
        "a.json:1:12: this format is not supported; only 1 is"
      ),
      (text("").replacing(hash, with: "AAAA"), "a.json:1:27: the version hash of Task has 3 bytes instead of 32"),
      (
        text("").replacing("\"NSStoreUUID\": \"U\",", with: ""), "a.json:1:27: the key “NSStoreUUID” is missing"
      ),
      (text("", after: " \"lastKeys\": {\"Boss\": 3},"), "a.json:2:104: the model has no entity “Boss”"),
      (text("", after: " \"more\": 1,"), "a.json:2:91: the key “more” is unknown"),
    ] as [(String, String)])
  func hostile(_ text: String, _ words: String) throws {
    let found = Self.words(Data(text.utf8))
    #expect(found.hasPrefix(words), "\(found)")
  }

  @Test("Bytes that are not UTF-8 are refused, and a byte order mark is ignored")
  func encoding() throws {
    let text = Self.text("\"Boss\": [{\"id\": 1, \"name\": \"Anna\"}]")
    var bytes = Data(text.utf8)
    let range = try #require(bytes.range(of: Data("Anna".utf8)))
    bytes.replaceSubrange(range, with: [0x41, 0xFF, 0xFE, 0x61])
    #expect(Self.words(bytes) == "a.json:3:43: not well-formed JSON: the text is not UTF-8")
    let marked = "\u{FEFF}" + Self.text("", after: " \"lastKeys\": {\"Person\": 3},")
    #expect(try JSONStoreKind().document(in: Data(marked.utf8), of: Self.model, path: "a").lastKeys == ["Person": 3])
  }
}
