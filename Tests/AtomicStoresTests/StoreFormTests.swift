import AtomicStores
import Foundation
import ModelDescription
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("XML, binary and JSON stores of documents")
struct StoreFormTests {
  @Test("A document survives writing and reading in each format", arguments: [false, true])
  func unchanged(sharedKeys: Bool) throws {
    let hierarchy = try StoreSamples.hierarchy()
    for seed in 0..<(CorpusSample.isWhole ? 60 : 5) {
      for (kind, type) in [
        (XMLStoreKind() as any StoreKind, nil), (BinaryStoreKind(), "Binary"), (JSONStoreKind(), "JSON"),
      ] {
        let document = try StoreSamples.document(seed: UInt64(seed), sharedKeys: sharedKeys, type: type)
        let bytes = try kind.bytes(of: document, model: hierarchy)
        #expect(kind.recognizes(bytes.prefix(4096)))
        let back = try kind.document(in: bytes, of: hierarchy, path: "store")
        #expect(back.metadata == document.metadata)
        #expect(back.lastKeys == document.lastKeys)
        #expect(back.objects.map(\.id) == document.objects.map(\.id))
        for (one, other) in zip(back.objects, document.objects) {
          for name in Set(one.values.keys).union(other.values.keys).sorted() {
            #expect(one[name] == other[name], "\(kind.name) \(one.id) \(name), seed \(seed)")
          }
        }
        #expect(try kind.metadata(in: bytes, path: "store") == document.metadata)
        #expect(try kind.bytes(of: back, model: hierarchy) == bytes)
      }
    }
  }

  @Test("A JSON store is known by the members of its outermost object, also where only its beginning is there")
  func recognition() {
    let kind = JSONStoreKind()
    for text in [
      #"{"format": 1, "metadata": {"#, #"\#u{FEFF} {"metadata": {"a": ["}", "\""]}, "format" : 1}"#,
      #"{"format": [[1, {"metadata": 2}]], "metadata":"#,
    ] { #expect(kind.recognizes(Data(text.utf8)), "\(text)") }
    for text in [
      "", "{", #"{""#, #"["format", "metadata"]"#, #"{"a": {"format": 1, "metadata": {}}}"#,
      #"{"format": "metadata"}"#, #"{"a": "\"format\": 1, \"metadata\": 2"}"#, #"{"format": 1, "metadata"#,
    ] { #expect(!kind.recognizes(Data(text.utf8)), "\(text)") }
  }

  @Test("The type of an attribute in an XML store is ignored if the model has a type")
  func foreignTypes() throws {
    let hierarchy = try StoreSamples.hierarchy()
    var document = try StoreSamples.document(seed: 3, sharedKeys: false, type: nil)
    for position in document.objects.indices { document.objects[position].values["any"] = nil }
    let text = String(decoding: try XMLStoreKind().bytes(of: document, model: hierarchy), as: UTF8.self)
    let foreign = text.replacing(/(<attribute name="[^"]*") type="[^"]*"/) { "\($0.output.1) type=\"foreign\"" }
    #expect(foreign.contains("<attribute name=\"i16\" type=\"foreign\">"))
    let read = try XMLStoreKind().document(in: Data(foreign.utf8), of: hierarchy, path: "x")
    #expect(read.objects == document.objects)
  }

  @Test("A store of more than 10 MB survives writing and reading, for any division into pieces for the parser")
  func large() throws {
    let hierarchy = try StoreSamples.hierarchy()
    var objects = (1...20_000).map { key in
      StoreDocument.Object(id: RecordID(entity: "Item", key: Int64(key)), values: ["i16": 7])
    }
    let text = String(repeating: "aäx€𝄞", count: 950_000)
    objects.append(.init(id: RecordID(entity: "Owner", key: 20_001), values: ["fullName": .attribute(.string(text))]))
    let document = StoreDocument(
      metadata: try StoreSamples.metadata(nil), objects: objects, lastKeys: ["Item": 20_000, "Owner": 20_001])
    let bytes = try XMLStoreKind().bytes(of: document, model: hierarchy)
    #expect(bytes.count > 11_000_000)
    let back = try XMLStoreKind().document(in: bytes, of: hierarchy, path: "store")
    #expect(back.objects.count == 20_001)
    #expect(back.objects.first { $0.id.entity == "Owner" }?["fullName"] == .attribute(.string(text)))
  }

  @Test("Keys that are unique are the identifiers, others have an offset that the metadata names")
  func keys() throws {
    let hierarchy = try StoreSamples.hierarchy()
    let metadata = try StoreSamples.metadata(nil)
    func text(_ keys: [(String, Int64)]) throws -> String {
      let objects = keys.map { StoreDocument.Object(id: RecordID(entity: $0.0, key: $0.1), values: [:]) }
      let document = StoreDocument(metadata: metadata, objects: objects, lastKeys: ["Item": 7, "Owner": 4])
      let bytes = try XMLStoreKind().bytes(of: document, model: hierarchy)
      #expect(try XMLStoreKind().document(in: bytes, of: hierarchy, path: "x") == document)
      return String(decoding: bytes, as: UTF8.self)
    }
    let unique = try text([("Item", 7), ("Owner", 4)])
    #expect(unique.contains("<object type=\"ITEM\" id=\"z7\">") && !unique.contains("modelctl"))
    #expect(unique.contains("<nextObjectID>7</nextObjectID>"))
    let shared = try text([("Item", 7), ("Owner", 4), ("BigItem", 4)])
    #expect(shared.contains("modelctlKeyOffsets") && !shared.contains("modelctlLastKeys"))
    #expect(shared.contains("<object type=\"OWNER\" id=\"z8\">"))
    #expect(try text([("Item", 0), ("Owner", 4)]).contains("modelctlKeyOffsets"))
  }

  @Test("Content that no store can have: a wrong value, a link to nothing, a character that XML lacks")
  func unwritable() throws {
    let hierarchy = try StoreSamples.hierarchy()
    let metadata = try StoreSamples.metadata(nil)
    let id = RecordID(entity: "Item", key: 1)
    func words(_ kind: any StoreKind, _ objects: [StoreDocument.Object]) -> String {
      do {
        _ = try kind.bytes(of: StoreDocument(metadata: metadata, objects: objects), model: hierarchy)
        return "written"
      } catch { return "\(error)" }
    }
    func words(_ kind: any StoreKind, _ name: String, _ value: RecordValue) -> String {
      words(kind, [StoreDocument.Object(id: id, values: [name: value])])
    }
    let (xml, binary) = (XMLStoreKind(), BinaryStoreKind())
    for kind in [xml, binary] as [any StoreKind] {
      #expect(words(kind, "passing", "never written") == "written")
      #expect(
        words(kind, "i16", "x")
          == ": Item 1: i16: “x” is not a valid value of i16, which has the type Integer 16")
      #expect(
        words(kind, "nothing", "x")
          == ": Item 1: nothing: Item has no property “nothing”; nearest: thing, uid, link"
          || words(kind, "nothing", "x").hasPrefix(
            ": Item 1: nothing: Item has no property “nothing”; nearest: thing")
      )
      #expect(
        words(kind, "row", .objects([RecordID(entity: "Item", key: 9)]))
          == ": Item 1: row: row points to Item 9, which does not exist")
      #expect(
        words(kind, [.init(id: id, values: [:]), .init(id: RecordID(entity: "BigItem", key: 1), values: [:])])
          .hasPrefix(": there are two objects "))
      #expect(
        words(kind, [.init(id: RecordID(entity: "Nothing", key: 1), values: [:])])
          == ": Nothing 1: Nothing is abstract, so it cannot have objects; use one of its subentities")
      #expect(
        words(
          kind,
          [
            .init(id: id, values: [:]), .init(id: RecordID(entity: "Item", key: .max), values: [:]),
            .init(id: RecordID(entity: "Owner", key: 1), values: [:]),
          ])
          == ": the keys of Owner range from 1 to 1, so there are no keys for other entities")
    }
    for kind in [xml, binary, JSONStoreKind()] as [any StoreKind] {
      #expect(
        words(kind, "i16", 40_000).hasSuffix("“40000” is not a valid value of i16, which has the type Integer 16"),
        "\(kind.name)"
      )
      #expect(words(kind, "i16", -32_768) == "written", "\(kind.name)")
    }
    #expect(
      words(xml, "text", "a\u{0}b") == ": Item 1: text: the text has a character that XML cannot store, such as NUL")
    #expect(words(binary, "text", "a\u{0}b") == "written")
  }

  @Test("The first bytes of a file show its kind")
  func kinds() throws {
    let folder = try TemporaryFolder()
    func kind(_ bytes: Data) throws -> String? {
      let path = folder.url.appendingPathComponent("file").path
      try bytes.write(to: URL(fileURLWithPath: path))
      return StoreKinds.kind(ofFile: path)?.name
    }
    #expect(try kind(Data("CoreData\u{0}".utf8)) == "Binary")
    #expect(try kind(Data("<?xml version=\"1.0\"?>\n<!DOCTYPE database SYSTEM \"x\">\n<database>".utf8)) == "XML")
    #expect(try kind(Data("\u{FEFF}<database>".utf8)) == "XML")
    #expect(try kind(Data("SQLite format 3\u{0}".utf8)) == nil)
    #expect(try kind(Data("<databases>".utf8)) == nil)
    #expect(try kind(Data()) == nil)
    #expect(StoreKinds.kind(ofFile: folder.url.path) == nil)
    #expect(StoreKinds.kind(ofFile: "/dev/null") == nil)
    #expect(StoreKinds.kind(ofFile: folder.url.appendingPathComponent("none").path) == nil)
  }
}

extension StoreDocument.Object {
  fileprivate subscript(name: String) -> RecordValue? { values[name] }
}
