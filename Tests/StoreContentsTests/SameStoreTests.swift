import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreContents
import StoreRows
import TestSupport
import Testing

@Suite("Stores of one text are the same")
struct SameStoreTests {
  private let folder: TemporaryFolder
  private let version: LoadedVersion

  init() throws {
    folder = try TemporaryFolder()
    version = try LoadedVersion(bundle: "Shop", name: "v1", isCurrent: true, model: ShopModel.model)
    try ShopModel.make(folder.path("shop.sqlite"), customers: 12, orders: 30, tags: 5, seed: 8).close()
  }

  private func load(_ text: String, _ form: LoadFormat, to name: String, matches: [LoadMatch] = []) throws {
    try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
    var loading = StoreLoading(text, format: form, version: version)
    (loading.seed, loading.matches) = (LoadSeed("7"), matches)
    _ = try loading.run(to: folder.path("\(name)/made.sqlite"))
  }

  /// The bytes of every file in a folder.
  private func contents(_ name: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    let files = try #require(FileManager.default.enumerator(atPath: folder.path(name)))
    for case let file as String in files {
      found[file] = FileManager.default.contents(atPath: folder.path("\(name)/\(file)"))
    }
    return found
  }

  @Test("Also with data in files of its own and with matches", arguments: LoadFormat.allCases)
  func sameBytes(_ form: LoadFormat) throws {
    let text = try LoadTexts(folder.path("shop.sqlite"), version.hierarchy).write(form, to: folder)
    for matches in [[], [LoadMatch(entity: "Customer", attribute: "email")]] {
      let names = ["a\(matches.count)", "b\(matches.count)"]
      for name in names { try load(text, form, to: name, matches: matches) }
      let first = try contents(names[0])
      #expect(try first == contents(names[1]))
      #expect(first.keys.contains { $0.hasPrefix(".made_SUPPORT/_EXTERNAL_DATA/") })
    }
  }

  @Test("A new store and an empty one that is filled have the same objects", arguments: LoadFormat.allCases)
  func sameRules(_ form: LoadFormat) throws {
    let texts = try LoadTexts(folder.path("shop.sqlite"), version.hierarchy)
    let text = try texts.write(form, to: folder)
    try StoreCreator(of: version.hierarchy).create(at: folder.path("filled.sqlite"))
    _ = try StoreLoading(text, format: form, version: version).run(to: folder.path("filled.sqlite"))
    let filled = try StoreDocument(storeAt: folder.path("filled.sqlite"), model: version.hierarchy)
    #expect(filled.objects == texts.document.objects)
  }
}
