import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("Broken and hostile XML and binary stores")
struct HostileStoreTests {
  private static func words(_ kind: any StoreKind, _ bytes: Data, model: ManagedObjectModel = StoreSamples.model)
    -> String
  {
    do {
      let hierarchy = try EntityHierarchy(model)
      try kind.document(in: bytes, of: hierarchy, path: "store").check(against: hierarchy, path: "store")
      return "read"
    } catch let error as StoreDocumentError {
      return "\(error)"
    } catch {
      return "another error: \(error)"
    }
  }

  /// A store of one owner with one item.
  private static func document(_ type: String?) throws -> StoreDocument {
    let (owner, item) = (RecordID(entity: "Owner", key: 1), RecordID(entity: "Item", key: 2))
    return StoreDocument(
      metadata: try StoreSamples.metadata(type),
      objects: [
        .init(id: owner, values: ["fullName": "Anna", "items": .objects([item])]),
        .init(id: item, values: ["i16": 7, "owner": .object(owner)]),
      ], lastKeys: ["Item": 2, "Owner": 1])
  }

  @Test(
    "An error of an XML store has its line",
    arguments: [
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"i16\" type=\"int16\">x",
        "“x” is not a valid value of i16, which has the type Integer 16"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"i16\" type=\"int16\">32768",
        "“32768” is not a valid value of i16, which has the type Integer 16"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7",
        "<attribute name=\"i16\" type=\"int16\">" + String(repeating: "9", count: 400),
        "“\(String(repeating: "9", count: 40))…” is not a valid value of i16, which has the type Integer 16"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7",
        "<attribute name=\"dbl\" type=\"double\">" + String(repeating: "9", count: 400),
        "“\(String(repeating: "9", count: 40))…” is not a valid value of dbl, which has the type Double"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7",
        "<attribute name=\"dec\" type=\"decimal\">" + String(repeating: "9", count: 40),
        "“\(String(repeating: "9", count: 40))” is not a valid value of dec, which has the type Decimal"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"blob\" type=\"binary\">AA=A",
        "“AA=A” is not a valid value of blob, which has the type Binary"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"day\" type=\"date\">soon",
        "“soon” is not a valid value of day, which has the type Date"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"day\" type=\"date\">",
        "“” is not a valid value of day, which has the type Date"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"uid\" type=\"uuid\">12",
        "“12” is not a valid value of uid, which has the type UUID"
      ),
      ("<attribute name=\"i16\"", "<attribute name=\"passing\"", "Item has no property “passing”"),
      ("<attribute name=\"i16\"", "<attribute", "<attribute> has no name=\"…\""),
      (
        "<attribute name=\"i16\"", "<attribute name=\"owner\"",
        "<attribute> does not match the kind of owner in the model"
      ),
      ("type=\"ITEM\" id", "type=\"ITEMS\" id", "the model has no entity “ITEMS”; nearest: Item"),
      (
        "type=\"ITEM\" id", "type=\"NOTHING\" id",
        "Nothing is abstract, so it cannot have objects; use one of its subentities"
      ),
      ("id=\"z2\"", "id=\"z1\"", "there are two objects z1"),
      ("id=\"z2\"", "id=\"2\"", "“2” is not an identifier such as z102"),
      ("id=\"z2\"", "id=\"z0\"", "“z0” is not an identifier such as z102"),
      ("id=\"z2\"", "id=\"z99999999999999999999\"", "“z99999999999999999999” is not an identifier such as z102"),
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"text\" type=\"string\">&#xD800;",
        "not valid XML: xmlParseCharRef: invalid xmlChar value 55296"
      ),
      ("idrefs=\"z1\"", "idrefs=\"z9\"", "owner points to z9, which does not exist"),
      ("idrefs=\"z1\"", "idrefs=\"z1 z2\"", "owner is a to-one relationship, but has 2 objects"),
      ("idrefs=\"z2\"", "idrefs=\"z2 z2\"", "items points to z2 twice"),
      ("idrefs=\"z1\"", "idrefs=\"z2\"", "owner points to z2, an object of Item instead of Owner"),
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"text\" type=\"string\">o<b>n</b>e",
        "<attribute> contains <b>, but may not contain elements"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7",
        "<attribute name=\"place\" type=\"composite\">north<attribute name=\"Latitude\" type=\"double\">1</attribute>",
        "<attribute> contains the text “north”, but may contain only elements"
      ),
      (
        "<object type=\"ITEM\" id=\"z2\">", "<object type=\"ITEM\" id=\"z2\">lost",
        "<object> contains the text “lost”, but may contain only elements"
      ),
      ("<nextObjectID>2", "<nextObjectID>-2", "“-2” is not a valid number for <nextObjectID>"),
      ("<UUID>", "<UUID2>", "not valid XML: Opening and ending tag mismatch: UUID2 line 7 and UUID"),
      (
        "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">",
        "<!DOCTYPE database [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>",
        "not valid XML: the document type has declarations; entity declarations are not accepted"
      ),
      (
        "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">",
        "<!DOCTYPE database [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]>",
        "not valid XML: the document type has declarations; entity declarations are not accepted"
      ),
      ("<database>", "<data>\u{0}", "not valid XML: Char 0x0 out of allowed range"),
    ])
  func xml(old: String, new: String, words: String) throws {
    let bytes = try XMLStoreKind().bytes(of: Self.document(nil), model: StoreSamples.hierarchy())
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(Self.words(XMLStoreKind(), bytes) == "read")
    let start = try #require(text.range(of: old)).lowerBound
    let line = text[..<start].split(separator: "\n", omittingEmptySubsequences: false).count
    let found = Self.words(XMLStoreKind(), Data(text.replacingOccurrences(of: old, with: new).utf8))
    #expect(found.prefixMatch(of: /store:(\d+):\d+:/)?.output.1 == "\(line)", "\(found)")
    #expect(found.hasSuffix(": " + words), "\(found)")
  }

  @Test("Metadata without version hashes is an error with its location")
  func metadata() throws {
    let words = "the metadata lacks NSStoreModelVersionHashes"
    let xml = try XMLStoreKind().bytes(of: Self.document(nil), model: StoreSamples.hierarchy())
    let text = String(decoding: xml, as: UTF8.self).replacing("<key>NSStoreModelVersionHashes<", with: "<key>Other<")
    #expect(Self.words(XMLStoreKind(), Data(text.utf8)) == "store:10:13: " + words)
    let json = try JSONStoreKind().bytes(of: Self.document("JSON"), model: StoreSamples.hierarchy())
    #expect(Self.words(JSONStoreKind(), json) == "read")
    let other = String(decoding: json, as: UTF8.self).replacing("\"NSStoreModelVersionHashes\":", with: "\"Other\":")
    #expect(Self.words(JSONStoreKind(), Data(other.utf8)) == "store:1:27: " + words)
    var binary = try BinaryStoreKind().bytes(of: Self.document("Binary"), model: StoreSamples.hierarchy())
    let start = binary[16..<24].reduce(0) { $0 << 8 | Int($1) }
    while let range = binary.range(of: Data("NSStoreModel".utf8)) {
      binary.replaceSubrange(range, with: Data("NSOtherModel".utf8))
    }
    #expect(Self.words(BinaryStoreKind(), binary) == "store: byte \(start): " + words)
  }

  @Test("Bytes that are not UTF-8 are refused with their line")
  func encoding() throws {
    var bytes = try XMLStoreKind().bytes(of: Self.document(nil), model: StoreSamples.hierarchy())
    let range = try #require(bytes.range(of: Data("Anna".utf8)))
    bytes.replaceSubrange(range, with: [0x41, 0xFF, 0xFE, 0x61])
    let found = Self.words(XMLStoreKind(), bytes)
    let line = bytes[..<range.lowerBound].split(separator: 0x0A, omittingEmptySubsequences: false).count
    #expect(found.hasPrefix("store:\(line):") && found.hasSuffix(": not valid XML: the text is not UTF-8"), "\(found)")
  }

  @Test("A document type that names a file is not opened")
  func documentType() throws {
    let folder = try TemporaryFolder()
    // Who opens a pipe waits for somebody who writes into it, and nobody does.
    let pipe = folder.path("CoreData.dtd")
    #expect(mkfifo(pipe, 0o600) == 0)
    let bytes = try XMLStoreKind().bytes(of: Self.document(nil), model: StoreSamples.hierarchy())
    let text = String(decoding: bytes, as: UTF8.self)
      .replacing("file:///System/Library/DTDs/CoreData.dtd", with: "file://\(pipe)")
    #expect(text.contains(pipe))
    #expect(Self.words(XMLStoreKind(), Data(text.utf8)) == "read")
  }

  @Test("Content after the end is refused with its location")
  func trailing() throws {
    for (kind, type, words) in [
      (XMLStoreKind(), nil, "not valid XML: Extra content at the end of the document"),
      (JSONStoreKind(), "JSON", "not well-formed JSON: the text continues after its end"),
      (BinaryStoreKind(), "Binary", "the file has more bytes after its last archive"),
    ] as [(any StoreKind, String?, String)] {
      let bytes = try kind.bytes(of: Self.document(type), model: StoreSamples.hierarchy())
      #expect(Self.words(kind, bytes) == "read")
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      let end = type == "Binary" ? " byte \(bytes.count)" : "\(lines.count):\((lines.last?.count ?? 0) + 1)"
      #expect(Self.words(kind, bytes + Data("x".utf8)) == "store:\(end): " + words)
    }
  }

  @Test("Names that differ by case only cannot be kept apart in XML")
  func caseless() throws {
    let bytes = try XMLStoreKind().bytes(of: Self.document(nil), model: StoreSamples.hierarchy())
    var model = StoreSamples.model
    model.entities.append(EntityDescription(name: "OWNER"))
    #expect(
      Self.words(XMLStoreKind(), bytes, model: model).hasSuffix(
        "“OWNER” matches OWNER and Owner, which differ only in upper and lower case"))
    model = StoreSamples.model
    model.entities[0].attributes.append(AttributeDescription(name: "I16", type: .string))
    #expect(
      Self.words(XMLStoreKind(), bytes, model: model).hasSuffix(
        "“i16” matches I16 and i16, which differ only in upper and lower case"))
    let hierarchy = try EntityHierarchy(model)
    #expect(throws: StoreDocumentError.self) {
      try XMLStoreKind().bytes(of: Self.document(nil), model: hierarchy)
    }
  }

  @Test("A file that ends too soon, at every 97th byte, is refused")
  func truncated() throws {
    for (kind, type) in [(XMLStoreKind() as any StoreKind, nil), (BinaryStoreKind(), "Binary")] {
      let bytes = try kind.bytes(of: Self.document(type), model: StoreSamples.hierarchy())
      for size in stride(from: 0, to: bytes.count, by: CorpusSample.isWhole ? 97 : 997) {
        let found = Self.words(kind, bytes.prefix(size))
        #expect(found.hasPrefix("store"), "\(size): \(found)")
      }
    }
  }

  @Test(
    "Every number of a binary store's header is checked",
    arguments: [
      (0, [0x63], "byte 0: the file does not begin with “CoreData”"),
      (11, [2], "byte 8: the format of the file is 2 instead of 1"),
      (12, [0], "byte 12: the version of the file is 264192 instead of 134481920"),
      (16, [0xFF], "byte 16: the archive of the metadata begins at byte "),
      (24, [0x80], "byte 24: the archive of the metadata has "),
      (32, [0xFF], "byte 32: the archive of the objects begins at byte "),
      (39, [0], "byte 32: the archive of the objects begins at byte 0, but the file has "),
      (39, [65], "byte 65: the archive of the objects cannot be read: it is not in the binary form"),
      (40, [0x7F], "byte 40: the archive of the objects has "),
      (48, [0x80], "byte 48: the last key is 9223372036854775810, which is not a valid key"),
    ])
  func header(offset: Int, new: [UInt8], words: String) throws {
    var bytes = try BinaryStoreKind().bytes(of: Self.document("Binary"), model: StoreSamples.hierarchy())
    #expect(Self.words(BinaryStoreKind(), bytes) == "read")
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
    let found = Self.words(BinaryStoreKind(), bytes)
    // An archive that is moved by a byte lies over the other one too.
    #expect(
      found.hasPrefix("store: " + words) || (offset == 39 && found.hasSuffix("the two archives overlap")), "\(found)")
  }

  /// A binary store with other objects.
  private static func store(_ objects: [PropertyList]) throws -> Data {
    let whole = try BinaryStoreKind().bytes(of: document("Binary"), model: StoreSamples.hierarchy())
    func number(_ offset: Int) -> Int { whole[offset..<offset + 8].reduce(0) { $0 << 8 | Int($1) } }
    let metadata = whole[number(16)..<number(16) + number(24)]
    let archive = PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
      "$top": .dictionary(["mapData": .uid(1)]), "$objects": .array([.string("$null")] + objects),
    ]).binary
    var bytes = whole.prefix(16)
    for number in [64 + archive.count, metadata.count, 64, archive.count, 9, 0] {
      for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    return bytes + archive + metadata
  }

  /// A store of one owner, whose name and items are given.
  private static func owner(_ changes: [Int: PropertyList]) throws -> Data {
    let names = { (names: [String]) in PropertyList.array(names.map { .string($0) }) }
    var objects: [PropertyList] = [
      .dictionary(["NS.keys": .array([.uid(2)]), "NS.objects": .array([.uid(3)]), "$class": .uid(10)]),
      .integer(1),
      .dictionary([
        "NSEntityName": .uid(4), "NSPrimaryKey64": .integer(1), "NSAttributeValues": .uid(5), "NSRelatedNodes": .uid(6),
        "$class": .uid(11),
      ]),
      .string("Owner"),
      .dictionary(["NS.objects": .array([.uid(7), .uid(8)]), "$class": .uid(12)]),
      .dictionary(["NS.keys": .array([]), "NS.objects": .array([]), "$class": .uid(10)]),
      .string("Anna"), .dictionary(["$class": .uid(13)]), .string("items"),
      .dictionary(["$classname": .string("NSDictionary"), "$classes": names(["NSDictionary", "NSObject"])]),
      .dictionary([
        "$classname": .string("NSDictionaryMapNode"),
        "$classes": names(["NSDictionaryMapNode", "NSStoreMapNode", "NSObject"]),
      ]),
      .dictionary(["$classname": .string("NSArray"), "$classes": names(["NSArray", "NSObject"])]),
      .dictionary(["$classname": .string("NSNull"), "$classes": names(["NSNull", "NSObject"])]),
      .dictionary(["$classname": .string("UIColor"), "$classes": names(["UIColor", "NSObject"])]),
      .dictionary(["NS.objects": .array([.uid(15)]), "$class": .uid(12)]),
    ]
    for (number, object) in changes { objects[number - 1] = object }
    return try store(objects)
  }

  @Test(
    "An error in the objects of a binary store names the object",
    arguments: [
      ([:], "read"),
      ([7: .integer(4)], "store: Owner 1: fullName: “4” is not a valid value of fullName, which has the type String"),
      (
        [7: .dictionary(["$class": .uid(14)])],
        "store: Owner 1: fullName: “an object of UIColor” is not a valid value of fullName, which has the type String"
      ),
      (
        [7: .dictionary(["$class": .uid(7)])],
        "store: Owner 1: fullName: “something else” is not a valid value of fullName, which has the type String"
      ),
      ([8: .string("x")], "store: Owner 1: “x” is in the slot of a relationship, which must be null"),
      ([4: .string("owner")], "store: owner 1: the model has no entity “owner”; nearest: Owner"),
      (
        [4: .string("Nothing")],
        "store: Nothing 1: Nothing is abstract, so it cannot have objects; use one of its subentities"
      ),
      (
        [4: .string("Item")],
        "store: Item 1: the object has 2 values, but its entity has 15 attributes and 3 relationships"
      ),
      ([2: .integer(2)], "store: object 2: its NSPrimaryKey64 differs from its key"),
      ([2: .string("1")], "store: byte 64: the key of an object is not a number from 1"),
      ([2: .integer(0)], "store: byte 64: the key of an object is not a number from 1"),
      ([3: .string("x")], "store: object 1: the object is not an NSDictionaryMapNode"),
      (
        [1: .dictionary(["NS.keys": .array([.uid(2), .uid(2)]), "NS.objects": .array([.uid(3), .uid(3)])])],
        "store: object 1: there are two objects 1"
      ),
      ([1: .string("x")], "store: byte 64: the archive of the objects has no dictionary “mapData”"),
      (
        [
          1: .dictionary(["NS.keys": .uid(15), "NS.objects": .uid(15)]), 15: .array([.uid(2)]),
        ], "store: byte 64: the archive of the objects has no dictionary “mapData”"
      ),
      ([5: .uid(5)], "store: object 1: its NSAttributeValues is not an array"),
      (
        [5: .dictionary(["NS.objects": .array([.uid(99)]), "$class": .uid(12)])],
        "store: object 1: an element of its NSAttributeValues is missing"
      ),
      (
        [6: .dictionary(["NS.keys": .array([.uid(9)]), "NS.objects": .array([.uid(15)]), "$class": .uid(10)])],
        "store: object 1: an entry of its NSRelatedNodes is not a list of keys"
      ),
      (
        [
          6: .dictionary(["NS.keys": .array([.uid(9)]), "NS.objects": .array([.uid(15)]), "$class": .uid(10)]),
          15: .dictionary(["NS.objects": .array([.integer(5)]), "$class": .uid(12)]),
        ], "store: Owner 1: items: items points to object 5, which does not exist"
      ),
      (
        [
          6: .dictionary(["NS.keys": .array([.uid(4)]), "NS.objects": .array([.uid(15)]), "$class": .uid(10)]),
          15: .dictionary(["NS.objects": .array([.integer(1)]), "$class": .uid(12)]),
        ], "store: Owner 1: Owner has no property “Owner”"
      ),
    ] as [([Int: PropertyList], String)])
  func objects(changes: [Int: PropertyList], words: String) throws {
    #expect(Self.words(BinaryStoreKind(), try Self.owner(changes)) == words)
  }

  /// A binary store of an owner and an item, of whose values one is given.
  private static func item(_ name: String, _ value: PropertyList, owner: UInt64 = 1) throws -> Data {
    let names = (EveryTypeModel.types.map { $0.0 } + ["place"]).sorted()
    // Behind the attributes come the nulls of the three relationships.
    let values = (names + ["friends", "owner", "row"]).map { PropertyList.uid($0 == name ? 16 : 13) }
    let classes = { (names: [String]) in
      PropertyList.dictionary(["$classname": .string(names[0]), "$classes": .array(names.map { .string($0) })])
    }
    return try store([
      .dictionary([
        "NS.keys": .array([.uid(2), .uid(3)]), "NS.objects": .array([.uid(4), .uid(5)]), "$class": .uid(12),
      ]),
      .integer(1), .integer(2),
      .dictionary([
        "NSEntityName": .uid(6), "NSPrimaryKey64": .integer(1), "NSAttributeValues": .uid(8), "$class": .uid(18),
      ]),
      .dictionary([
        "NSEntityName": .uid(7), "NSPrimaryKey64": .integer(2), "NSAttributeValues": .uid(9),
        "NSRelatedNodes": .uid(10), "$class": .uid(18),
      ]),
      .string("Owner"), .string("Item"),
      .dictionary(["NS.objects": .array([.uid(13), .uid(13)]), "$class": .uid(14)]),
      .dictionary(["NS.objects": .array(values), "$class": .uid(14)]),
      .dictionary(["NS.keys": .array([.uid(11)]), "NS.objects": .array([.uid(17)]), "$class": .uid(12)]),
      .string("owner"),
      classes(["NSDictionary", "NSObject"]),
      .dictionary(["$class": .uid(15)]),
      classes(["NSArray", "NSObject"]), classes(["NSNull", "NSObject"]),
      value,
      .dictionary(["NS.objects": .array([.uid(owner + 1)]), "$class": .uid(14)]),
      classes(["NSDictionaryMapNode", "NSStoreMapNode", "NSObject"]),
    ])
  }

  @Test(
    "A value of a wrong type is reported with the object of a binary store",
    arguments: [
      ("i16", .integer(40_000), "“40000” is not a valid value of i16, which has the type Integer 16"),
      ("i32", .integer(-2_147_483_649), "“-2147483649” is not a valid value of i32, which has the type Integer 32"),
      ("i64", .real(1.5), "“1.5” is not a valid value of i64, which has the type Integer 64"),
      ("day", .string("soon"), "“soon” is not a valid value of day, which has the type Date"),
      ("uid", .string("12"), "“12” is not a valid value of uid, which has the type UUID"),
    ] as [(String, PropertyList, String)])
  func values(name: String, value: PropertyList, words: String) throws {
    #expect(Self.words(BinaryStoreKind(), try Self.item(name, value)) == "store: Item 2: \(name): \(words)")
    #expect(Self.words(BinaryStoreKind(), try Self.item(name, .dictionary(["$class": .uid(15)]))) == "read")
  }

  @Test("True and false are read as the numbers that some archives have for them, too")
  func truth() throws {
    for number in 0...1 as ClosedRange<Int64> {
      #expect(Self.words(BinaryStoreKind(), try Self.item("flag", .integer(number))) == "read")
    }
  }

  @Test("A link to an object of a wrong entity is reported with its object")
  func wrongEntity() throws {
    let words = "store: Item 2: owner: owner points to Item 2, which does not exist"
    #expect(Self.words(BinaryStoreKind(), try Self.item("i16", .integer(7))) == "read")
    #expect(Self.words(BinaryStoreKind(), try Self.item("i16", .integer(7), owner: 2)) == words)
    let bytes = try XMLStoreKind().bytes(of: Self.document(nil), model: StoreSamples.hierarchy())
    let text = String(decoding: bytes, as: UTF8.self).replacing("idrefs=\"z1\"", with: "idrefs=\"z2\"")
    let found = Self.words(XMLStoreKind(), Data(text.utf8))
    #expect(found.hasSuffix(": owner points to z2, an object of Item instead of Owner"), "\(found)")
  }

  @Test("Half of a surrogate pair in an archive is not a text")
  func surrogate() throws {
    var bytes = try Self.owner([7: .string("\u{4E2D}\u{4E2D}")])
    #expect(Self.words(BinaryStoreKind(), bytes) == "read")
    let range = try #require(bytes.range(of: Data([0x4E, 0x2D, 0x4E, 0x2D])))
    bytes.replaceSubrange(range, with: [0xD8, 0x00, 0x00, 0x41])
    #expect(
      Self.words(BinaryStoreKind(), bytes)
        == "store: byte 64: the archive of the objects cannot be read: it contains a string that is not valid Unicode")
  }

  @Test("Endlessly nested objects are refused, and a circle of objects is kept")
  func graphs() throws {
    var model = StoreSamples.model
    model.entities[2].attributes[0].type = .transformable
    let array = { (number: UInt64) in
      PropertyList.dictionary(["NS.objects": .array([.uid(number)]), "$class": .uid(12)])
    }
    let circle = try Self.owner([7: array(7)])
    let hierarchy = try EntityHierarchy(model)
    let document = try BinaryStoreKind().document(in: circle, of: hierarchy, path: "store")
    let written = try BinaryStoreKind().bytes(of: document, model: hierarchy)
    #expect(try BinaryStoreKind().document(in: written, of: hierarchy, path: "store") == document)
    var objects: [PropertyList] = [.dictionary(["NS.keys": .array([]), "NS.objects": .array([])])]
    _ = objects.popLast()
    for number in 0..<(CorpusSample.isWhole ? 300_000 : 60_000) { objects.append(array(UInt64(number + 17))) }
    objects.append(.string("end"))
    let long = try Self.owner([7: array(16)], appending: objects)
    #expect(
      Self.words(BinaryStoreKind(), long, model: model)
        == "store: Owner 1: fullName: “an object of NSArray” is not a valid value of fullName, which has the type Transformable"
    )
  }

  private static func owner(_ changes: [Int: PropertyList], appending: [PropertyList]) throws -> Data {
    let whole = try owner(changes)
    let size = whole[40..<48].reduce(0) { $0 << 8 | Int($1) }
    let archive = try PropertyList(decoding: Data(whole[64..<64 + size]))
    return try store(Array((archive.dictionary?["$objects"]?.array ?? []).dropFirst()) + appending)
  }

  @Test("Very many property lists in one another are refused")
  func deep() throws {
    // An array whose only element is the next one, again and again.
    let count = CorpusSample.isWhole ? 1_000_000 : 200_000
    var bytes = Data("bplist00".utf8)
    func append(_ number: Int, _ size: Int) {
      for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    for index in 0..<count {
      bytes.append(index == count - 1 ? 0x09 : 0xA1)
      if index < count - 1 { append(index + 1, 4) }
    }
    let table = bytes.count
    for index in 0..<count { append(8 + index * 5, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 4]
    for number in [count, 0, table] { append(number, 8) }
    let whole = try BinaryStoreKind().bytes(of: Self.document("Binary"), model: StoreSamples.hierarchy())
    func number(_ offset: Int) -> Int { whole[offset..<offset + 8].reduce(0) { $0 << 8 | Int($1) } }
    let metadata = whole[number(16)..<number(16) + number(24)]
    var store = whole.prefix(16)
    for number in [64 + bytes.count, metadata.count, 64, bytes.count, 9, 0] {
      for shift in stride(from: 56, through: 0, by: -8) { store.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    #expect(
      Self.words(BinaryStoreKind(), store + bytes + metadata)
        == "store: byte 64: the archive of the objects cannot be read: it is nested deeper than 128 levels")
    let text = "<database>" + String(repeating: "<a>", count: count)
    #expect(
      Self.words(XMLStoreKind(), Data(text.utf8)) == "store: the nesting of its elements exceeds the limit of 100")
  }
}
