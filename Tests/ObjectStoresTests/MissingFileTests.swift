import Foundation
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("An object whose file of external data is not there any more")
struct MissingFileTests {
  private static let large = Data(repeating: 7, count: 200 * 1024)

  let shop: ShopStore
  let anna: RecordID
  let path: String

  init() throws {
    shop = try ShopStore()
    anna = try shop.customer("Anna", ["photo": .attribute(.binary(Self.large))])
    let name = try #require(try shop.record(anna)?["photo"]?.externalFile)
    path = "\(ExternalData.folder(ofStore: shop.path))/\(name)"
    try FileManager.default.removeItem(atPath: path)
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: ExternalData.folder(ofStore: shop.path))
  }

  private func findings() throws -> [StoreFinding] {
    let reader = try StoreReader(path: shop.path)
    defer { reader.close() }
    return try reader.verify(against: shop.store.hierarchy)
  }

  @Test("Another property of it is changed, by every policy, and it is deleted", arguments: MergePolicy.allCases)
  func others(_ policy: MergePolicy) throws {
    var record = try #require(try shop.record(anna))
    record.values["name"] = .text("Emma")
    #expect(try shop.problems(merging: policy) { try $0.update(record) } == [])
    let changed = try #require(try shop.record(anna))
    #expect(changed["name"] == .text("Emma") && changed["photo"] == record["photo"])
    #expect(try findings().count == 1)
    #expect(try shop.problems(merging: policy) { try $0.delete(anna) } == [])
    #expect(try shop.record(anna) == nil && files() == [])
    #expect(try findings() == [])
  }

  @Test("It is given other data, or none", arguments: [true, false])
  func replaced(hasData: Bool) throws {
    let data = hasData ? RecordValue.attribute(.binary(Self.large)) : .null
    try shop.store.write { try $0.update(anna, ["photo": data]) }
    #expect(try files().count == (hasData ? 1 : 0))
    #expect(try findings() == [])
  }

  @Test("Its data is not copied to another object: the file is named, and nothing is saved")
  func copied() throws {
    let photo = try #require(try shop.record(anna)?["photo"])
    let missing = RecordWritingError.externalFileMissing(path: path)
    #expect(throws: missing) { try shop.customer("Bert", ["photo": photo]) }
    #expect(throws: missing) {
      try shop.store.write { transaction in
        try transaction.insert("Customer", ["name": .text("Bert"), "photo": photo])
        try transaction.insert("Customer", ["name": .text("Carl"), "photo": .attribute(.binary(Self.large))])
        _ = try transaction.count(RecordRequest("Customer"))
      }
    }
    #expect(try shop.store.count(RecordRequest("Customer")) == 1)
    #expect(try files() == [])
    let support = (ExternalData.folder(ofStore: shop.path) as NSString).deletingLastPathComponent
    #expect(try FileManager.default.contentsOfDirectory(atPath: support) == ["_EXTERNAL_DATA"])
  }

  @Test("A struct that was read before has the data still, and saving it brings the file back")
  func typed() throws {
    let studio = try StudioStore()
    var venture = try studio.read(studio.venture())
    venture.photo = Self.large
    venture = try studio.store.update(venture)
    let folder = ExternalData.folder(ofStore: studio.path)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    for name in names { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
    venture.title = "other"
    venture = try studio.store.update(venture)
    let isWhole = venture.photo == Self.large
    #expect(isWhole && venture.title == "other")
    let new = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 1 && new.count == 1 && new != names)
  }
}
