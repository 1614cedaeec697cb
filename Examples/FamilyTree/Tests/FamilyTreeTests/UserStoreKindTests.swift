import Foundation
import ModelKit
import Testing

@testable import FamilyTree

@Suite("A store of an app's own kind")
struct UserStoreKindTests {
  let folder: URL
  let path: String
  let model: LoadedWorkspace

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("family-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("users.json").path
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    model = try Workspace(at: package.appendingPathComponent("Sources/FamilyTree/Family.xcdatamodeld").path).load()
  }

  private var options: OpeningOptions {
    var options = OpeningOptions()
    (options.kinds, options.kindOfMissing) = ([UserStoreKind()], UserStoreKind())
    return options
  }

  /// Makes a store as the first version of the app left it.
  private func makeFirstVersion() throws {
    var options = options
    options.migration = .to("v1")
    let store = try ObjectStore.open(path, model: model, options: options)
    try store.write { transaction in
      let karl = try transaction.insert("User", ["name": "Karl"])
      for name in ["Anna", "Eva"] {
        _ = try transaction.insert("User", ["name": .attribute(.string(name)), "parent": .object(karl)])
      }
    }
    try store.close()
  }

  @Test("A store of the first version is identified and migrated, and then read and saved through a repository")
  func migration() async throws {
    try makeFirstVersion()
    let old = try Data(contentsOf: URL(fileURLWithPath: path))
    let (v1, v2) = (model.versions[0], model.versions[1])
    #expect(try UserStoreKind().metadata(in: old, path: path).versionHashes == v1.versionHashes)
    let store = try await ObjectStore.open(path, model: model, options: options)
    let backup = "\(path).v1.backup"
    #expect(store.opening == .migrated(from: "v1", to: "v2", backup: backup))
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == old)
    let users = store.repository(of: User.self)
    let karl = try #require(try await users.fetch(where: "parent == nil").first)
    let otto = try await users.add(User(name: "Otto", parent: karl.objectID))
    try await users.delete(try #require(try await users.fetch(where: "name == 'Eva'").first))
    try store.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(try UserStoreKind().metadata(in: bytes, path: path).versionHashes == v2.versionHashes)
    let document = try UserStoreKind().document(in: bytes, of: v2.hierarchy, path: path)
    let anna = RecordID(entity: "User", key: 2)
    let added = try #require(otto.objectID?.record)
    #expect(document.objects.map(\.id) == [RecordID(entity: "User", key: 1), anna, added])
    #expect(document.objects[0].values == ["name": "Karl", "children": .objects([anna, added])])
    #expect(document.objects[2].values == ["name": "Otto", "parent": .object(RecordID(entity: "User", key: 1))])
  }

  @Test(
    "A file that is no store is refused with its name and the cause",
    arguments: [
      ("\"referenceId\" : 2,", "", "objects.1: the key “referenceId” is missing"),
      ("\"referenceId\" : 2,", "\"referenceId\" : 1,", "User 1: there are two objects User 1"),
      ("\"User 1\"", "\"User 9\"", "User 2: parent: parent points to User 9, which does not exist"),
      ("\"User 1\"", "\"Otto\"", "“Otto” names no object"),
      ("\"User 1\"", "", "User 2: parent: “0 objects” is not a valid value of parent, which has the type to-one link"),
      (
        "\"name\" : \"Anna\"", "\"nmae\" : \"Anna\"",
        "User 2: nmae: User has no property “nmae”; nearest: name"
      ),
    ])
  func refusals(text: String, replacement: String, cause: String) throws {
    try makeFirstVersion()
    let bytes = try String(contentsOfFile: path, encoding: .utf8)
    let place = try #require(bytes.range(of: text))
    try bytes.replacingCharacters(in: place, with: replacement).write(toFile: path, atomically: true, encoding: .utf8)
    let error = #expect(throws: StoreDocumentError.self) { try ObjectStore.open(path, model: model, options: options) }
    let message = error?.description ?? ""
    #expect(message.hasPrefix("\(path): ") && message.hasSuffix(cause), "\(message)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["users.json"])
  }
}
