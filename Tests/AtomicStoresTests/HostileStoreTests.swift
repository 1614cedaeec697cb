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
      _ = try kind.document(in: bytes, of: EntityHierarchy(model), path: "store")
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
    "What is wrong with an XML store is said with its line",
    arguments: [
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"i16\" type=\"int16\">x",
        "“x” is no value for i16, which is of type Integer 16"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"i16\" type=\"int16\">32768",
        "“32768” is no value for i16, which is of type Integer 16"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7",
        "<attribute name=\"i16\" type=\"int16\">" + String(repeating: "9", count: 400),
        "“\(String(repeating: "9", count: 40))…” is no value for i16, which is of type Integer 16"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7",
        "<attribute name=\"dbl\" type=\"double\">" + String(repeating: "9", count: 400),
        "“\(String(repeating: "9", count: 40))…” is no value for dbl, which is of type Double"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7",
        "<attribute name=\"dec\" type=\"decimal\">" + String(repeating: "9", count: 40),
        "“\(String(repeating: "9", count: 40))” is no value for dec, which is of type Decimal"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"blob\" type=\"binary\">AA=A",
        "“AA=A” is no value for blob, which is of type Binary"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"day\" type=\"date\">soon",
        "“soon” is no value for day, which is of type Date"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"day\" type=\"date\">",
        "“” is no value for day, which is of type Date"
      ),
      (
        "<attribute name=\"i16\" type=\"int16\">7", "<attribute name=\"uid\" type=\"uuid\">12",
        "“12” is no value for uid, which is of type UUID"
      ),
      (
        "<attribute name=\"i16\"", "<attribute name=\"passing\"",
        "Item has no property “passing”; did you mean “thing”, “any”, “link”?"
      ),
      ("<attribute name=\"i16\"", "<attribute", "<attribute> has no name=\"…\""),
      ("<attribute name=\"i16\"", "<attribute name=\"owner\"", "<attribute> is not what owner is in the model"),
      (
        "type=\"ITEM\" id", "type=\"ITEMS\" id",
        "the model has no entity “ITEMS”; did you mean “Item”, “BigItem”, “Owner”?"
      ),
      (
        "type=\"ITEM\" id", "type=\"NOTHING\" id",
        "Nothing is abstract, and no object can be of it; name an entity below it"
      ),
      ("id=\"z2\"", "id=\"z1\"", "there are two objects z1"),
      ("id=\"z2\"", "id=\"2\"", "“2” is no identifier such as z102"),
      ("id=\"z2\"", "id=\"z0\"", "“z0” is no identifier such as z102"),
      ("id=\"z2\"", "id=\"z99999999999999999999\"", "“z99999999999999999999” is no identifier such as z102"),
      ("idrefs=\"z1\"", "idrefs=\"z9\"", "owner leads to z9, which is not there"),
      ("idrefs=\"z1\"", "idrefs=\"z1 z2\"", "owner leads to one object, and not to 2"),
      ("idrefs=\"z2\"", "idrefs=\"z2 z2\"", "items leads to z2 twice"),
      ("<nextObjectID>2", "<nextObjectID>-2", "“-2” is no number for <nextObjectID>"),
      ("<key>NSStoreModelVersionHashes</key>", "<key>Other</key>", "the metadata lacks NSStoreModelVersionHashes"),
      ("<UUID>", "<UUID2>", "no XML: Opening and ending tag mismatch: UUID2 line 7 and UUID"),
      (
        "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">",
        "<!DOCTYPE database [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>",
        "no XML: entity declarations are not accepted"
      ),
      (
        "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">",
        "<!DOCTYPE database [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]>",
        "no XML: entity declarations are not accepted"
      ),
      ("<database>", "<data>\u{0}", "no XML: Char 0x0 out of allowed range"),
    ])
  func xml(old: String, new: String, words: String) throws {
    let bytes = try XMLStoreKind().bytes(of: Self.document(nil), model: StoreSamples.hierarchy())
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(Self.words(XMLStoreKind(), bytes) == "read")
    #expect(text.contains(old))
    let found = Self.words(XMLStoreKind(), Data(text.replacingOccurrences(of: old, with: new).utf8))
    #expect(found.hasPrefix("store:"))
    #expect(found.hasSuffix(": " + words), "\(found)")
  }

  @Test("Names that differ by case only cannot be kept apart in XML")
  func caseless() throws {
    let bytes = try XMLStoreKind().bytes(of: Self.document(nil), model: StoreSamples.hierarchy())
    var model = StoreSamples.model
    model.entities.append(EntityDescription(name: "OWNER"))
    #expect(
      Self.words(XMLStoreKind(), bytes, model: model).hasSuffix(
        "“OWNER” stands for OWNER and Owner, which differ only by upper and lower case"))
    model = StoreSamples.model
    model.entities[0].attributes.append(AttributeDescription(name: "I16", type: .string))
    #expect(
      Self.words(XMLStoreKind(), bytes, model: model).hasSuffix(
        "“i16” stands for I16 and i16, which differ only by upper and lower case"))
    let hierarchy = try EntityHierarchy(model)
    #expect(throws: StoreDocumentError.self) {
      try XMLStoreKind().bytes(of: Self.document(nil), model: hierarchy)
    }
  }

  @Test("A file that ends too soon, at every 97th byte, is refused")
  func truncated() throws {
    for (kind, type) in [(XMLStoreKind() as any StoreKind, nil), (BinaryStoreKind(), "Binary")] {
      let bytes = try kind.bytes(of: Self.document(type), model: StoreSamples.hierarchy())
      for size in stride(from: 0, to: bytes.count, by: 97) {
        let found = Self.words(kind, bytes.prefix(size))
        #expect(found.hasPrefix("store"), "\(size): \(found)")
      }
    }
  }

  @Test(
    "Every number of a binary store's header is checked",
    arguments: [
      (0, [0x63], "byte 0: the file does not begin with “CoreData”"),
      (11, [2], "byte 8: the form of the file is 2, and not 1"),
      (12, [0], "byte 12: the version of the file is 264192, and not 134481920"),
      (16, [0xFF], "byte 16: the archive of the metadata begins at byte "),
      (24, [0x80], "byte 24: the archive of the metadata has "),
      (32, [0xFF], "byte 32: the archive of the objects begins at byte "),
      (39, [0], "byte 32: the archive of the objects begins at byte 0 of a file of "),
      (39, [65], "byte 65: the archive of the objects cannot be read: it is not in the binary form"),
      (40, [0x7F], "byte 40: the archive of the objects has "),
      (48, [0x80], "byte 48: the last key is 9223372036854775810, which is none"),
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
    "What is wrong with the objects of a binary store is said with the object",
    arguments: [
      ([:], "read"),
      ([7: .integer(4)], "store: Owner 1: fullName: “4” is no value for fullName, which is of type String"),
      (
        [7: .dictionary(["$class": .uid(14)])],
        "store: Owner 1: fullName: “an object of UIColor” is no value for fullName, which is of type String"
      ),
      (
        [7: .dictionary(["$class": .uid(7)])],
        "store: Owner 1: fullName: “something else” is no value for fullName, which is of type String"
      ),
      ([8: .string("x")], "store: Owner 1: “x” stands where only a relationship's null may"),
      (
        [4: .string("owner")],
        "store: owner 1: the model has no entity “owner”; did you mean “Owner”, “Item”, “BigItem”?"
      ),
      (
        [4: .string("Nothing")],
        "store: Nothing 1: Nothing is abstract, and no object can be of it; name an entity below it"
      ),
      ([4: .string("Item")], "store: Item 1: it has 2 values, and its entity 15 attributes and 3 relationships"),
      ([2: .integer(2)], "store: object 2: its NSPrimaryKey64 is another one"),
      ([2: .string("1")], "store: byte 64: an object's key is no number from 1"),
      ([2: .integer(0)], "store: byte 64: an object's key is no number from 1"),
      ([3: .string("x")], "store: object 1: it is no NSDictionaryMapNode"),
      (
        [1: .dictionary(["NS.keys": .array([.uid(2), .uid(2)]), "NS.objects": .array([.uid(3), .uid(3)])])],
        "store: object 1: there are two objects 1"
      ),
      ([1: .string("x")], "store: byte 64: the archive of the objects has no dictionary “mapData”"),
      ([5: .uid(5)], "store: object 1: its NSAttributeValues are no array"),
      (
        [5: .dictionary(["NS.objects": .array([.uid(99)]), "$class": .uid(12)])],
        "store: object 1: one of its NSAttributeValues is nothing"
      ),
      (
        [6: .dictionary(["NS.keys": .array([.uid(9)]), "NS.objects": .array([.uid(15)]), "$class": .uid(10)])],
        "store: object 1: one of its NSRelatedNodes is no list of keys"
      ),
      (
        [
          6: .dictionary(["NS.keys": .array([.uid(9)]), "NS.objects": .array([.uid(15)]), "$class": .uid(10)]),
          15: .dictionary(["NS.objects": .array([.integer(5)]), "$class": .uid(12)]),
        ], "store: Owner 1: items: items leads to object 5, which is not there"
      ),
      (
        [
          6: .dictionary(["NS.keys": .array([.uid(4)]), "NS.objects": .array([.uid(15)]), "$class": .uid(10)]),
          15: .dictionary(["NS.objects": .array([.integer(1)]), "$class": .uid(12)]),
        ], "store: Owner 1: Owner has no property “Owner”; did you mean “items”?"
      ),
    ] as [([Int: PropertyList], String)])
  func objects(changes: [Int: PropertyList], words: String) throws {
    #expect(Self.words(BinaryStoreKind(), try Self.owner(changes)) == words)
  }

  @Test("A graph of objects that stand in one another without end is refused, and one in a circle is kept")
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
    for number in 0..<300_000 { objects.append(array(UInt64(number + 17))) }
    objects.append(.string("end"))
    let long = try Self.owner([7: array(16)], appending: objects)
    #expect(
      Self.words(BinaryStoreKind(), long, model: model)
        == "store: Owner 1: fullName: “an object of NSArray” is no value for fullName, which is of type Transformable")
  }

  private static func owner(_ changes: [Int: PropertyList], appending: [PropertyList]) throws -> Data {
    let whole = try owner(changes)
    let size = whole[40..<48].reduce(0) { $0 << 8 | Int($1) }
    let archive = try PropertyList(decoding: Data(whole[64..<64 + size]))
    return try store(Array((archive.dictionary?["$objects"]?.array ?? []).dropFirst()) + appending)
  }

  @Test("A million property lists in one another are refused")
  func deep() throws {
    // An array whose only element is the next one, a million times.
    let count = 1_000_000
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
