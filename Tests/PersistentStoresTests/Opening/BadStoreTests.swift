import Foundation
import GRDB
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing

@Suite("A file that is not a store is refused with its reason, and unchanged")
struct BadStoreTests {
  /// A bad file and the cause it is refused with.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let content: Data
    let cause: String

    init(_ name: String, _ content: Data, _ cause: String) {
      self.name = name
      self.content = content
      self.cause = cause
    }

    init(_ name: String, _ text: String, _ cause: String) { self.init(name, Data(text.utf8), cause) }

    var testDescription: String { name }
  }

  static let files: [Case] = [
    Case("empty", "", "the file is empty"),
    Case("text", "Dear diary,\n", "this is a text file, not an SQLite store"),
    Case("XML", "<?xml version=\"1.0\"?><model/>", "this is an XML file, not an SQLite store"),
    Case(
      "XML store", "<?xml version=\"1.0\"?>\n<!DOCTYPE database SYSTEM \"file:///CoreData.dtd\">\n<database/>",
      "this is a Core Data store of type XML, not an SQLite store"),
    Case(
      "binary store", Data("CoreData".utf8) + Data([0, 0, 0, 1, 8, 4, 16, 0]) + Data(count: 48),
      "this is a Core Data store of type Binary, not an SQLite store"),
    Case(
      "metadata of a store", "bplist00\u{1}\u{2}NSStoreModelVersionHashes\u{3}",
      "this is a property list, not an SQLite store"),
    Case("property list", "bplist00\u{1}\u{2}", "this is a property list, not an SQLite store"),
    Case("zip", Data([0x50, 0x4B, 3, 4, 0, 0]), "this is a compressed archive, not an SQLite store"),
    Case(
      "ciphertext", Data((0..<8192).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }),
      "this is not a plain SQLite file; it may be an encrypted store"),
    Case("zeros", Data(count: 4096), "this is not an SQLite file"),
    Case("magic only", "SQLite format 3\0", "the store is truncated: it has 16 bytes and its header says 512"),
    Case(
      "impossible page size", Data("SQLite format 3\0".utf8) + Data(count: 500),
      "the store is corrupt: its header has an invalid page size"),
  ]

  @Test("A file of another kind", arguments: files)
  func foreignFile(_ bad: Case) throws {
    let folder = try TemporaryFolder()
    try bad.content.write(to: URL(fileURLWithPath: folder.path("bad.sqlite")))
    try expect(bad.cause, for: folder.path("bad.sqlite"), in: folder)
  }

  @Test("A path without a file, and a folder")
  func noFile() throws {
    let folder = try TemporaryFolder()
    try expect("there is no such file", for: folder.path("nothing.sqlite"), in: folder)
    #expect(throws: StoreError.folder(path: folder.url.path)) { try StoreReader(path: folder.url.path) }
    #expect(
      StoreError.missing(path: "a b.sqlite").description
        == "a b.sqlite: there is no such file")
  }

  @Test("An SQLite database that Core Data did not make")
  func foreignDatabase() throws {
    let folder = try TemporaryFolder()
    let queue = try DatabaseQueue(path: folder.path("bad.sqlite"))
    try queue.write { try $0.execute(sql: "CREATE TABLE users (id); CREATE TABLE posts (id)") }
    try queue.close()
    try expect(
      "this is an SQLite database, not a Core Data store: it has no table Z_METADATA, only users, posts",
      for: folder.path("bad.sqlite"), in: folder)
  }

  @Test("An empty file beside a log is not opened, because SQLite would delete the log")
  func emptyBesideLog() throws {
    let store = try BareStore()
    let app = try DatabaseQueue(path: store.path)
    try store.insert(["in the log"], through: app)
    let (folder, path) = try store.copied(with: ["-wal"])
    try app.close()
    try Data().write(to: URL(fileURLWithPath: path))
    let bytes = try #require(try BareStore.files(in: folder.url)["Notes.sqlite-wal"]).count
    try expect(
      "the file is empty, but the write-ahead log next to it has \(bytes) bytes", for: path, in: folder)
  }

  @Test("A store cut off in the middle")
  func truncated() throws {
    let store = try BareStore(texts: (0..<500).map { "row \($0)" })
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: store.path))
    let size = try handle.seekToEnd()
    try handle.truncate(atOffset: 8192)
    try handle.close()
    try expect(
      "the store is truncated: it has 8192 bytes and its header says \(size)", for: store.path, in: store.folder)
  }

  @Test("A store whose pages are overwritten")
  func corrupt() throws {
    let store = try BareStore()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
    bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xA5, count: 3996))
    try bytes.write(to: URL(fileURLWithPath: store.path))
    try expect("the store is corrupt: database disk image is malformed", for: store.path, in: store.folder)
  }

  /// A statement that breaks a sound store, and the cause it is then refused with.
  static let broken: [(sql: String, cause: String)] = [
    ("DELETE FROM Z_METADATA", "the store's metadata is missing: Z_METADATA has no row"),
    ("UPDATE Z_METADATA SET Z_PLIST = NULL", "the store's metadata is missing: Z_PLIST is empty"),
    ("UPDATE Z_METADATA SET Z_UUID = NULL", "the store's metadata has no Z_UUID"),
    (
      "UPDATE Z_METADATA SET Z_PLIST = zeroblob(17000000)",
      "the store's metadata is too large: Z_PLIST has 17000000 bytes"
    ),
    (
      "DROP TABLE Z_METADATA; CREATE VIEW Z_METADATA AS SELECT 1 AS Z_UUID, 2 AS Z_PLIST",
      "Z_METADATA is not a table with the columns that Core Data creates"
    ),
    (
      "ALTER TABLE Z_METADATA RENAME Z_PLIST TO other",
      "Z_METADATA is not a table with the columns that Core Data creates"
    ),
  ]

  @Test("Metadata that is broken in the table", arguments: broken)
  func brokenTable(sql: String, cause: String) throws {
    let store = try BareStore(journal: "DELETE")
    let queue = try DatabaseQueue(path: store.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
    try expect(cause, for: store.path, in: store.folder)
  }

  /// Bytes of `Z_PLIST`, and the beginning of the cause they are refused with.
  static let propertyLists: [Case] = [
    Case("no plist", "bplist00 that is none", "the store's metadata is not a valid property list: "),
    Case(
      "array", PropertyList.array([]).binary, "the store's metadata is not a valid property list: its root is not a "),
    Case("no hashes", PropertyList.dictionary([:]).binary, "the store's metadata lacks NSStoreModelVersionHashes"),
    Case(
      "short hash",
      PropertyList.dictionary(["NSStoreModelVersionHashes": .dictionary(["Note": .data(Data([1, 2]))])]).binary,
      "the version hash of entity Note in the store's metadata has 2 bytes instead of 32"),
    Case(
      "other type", PropertyList.dictionary(["NSStoreType": .string("InMemory")]).binary,
      "the file is an SQLite database, but the store's metadata says its type is InMemory"),
  ]

  @Test("Metadata that is broken in the property list", arguments: propertyLists)
  func brokenPropertyList(_ bad: Case) throws {
    let store = try BareStore(plist: bad.content)
    try expect(bad.cause, for: store.path, in: store.folder)
  }

  /// Expects that reading the metadata fails with this cause and changes no byte of the folder.
  private func expect(_ cause: String, for path: String, in folder: TemporaryFolder) throws {
    let before = try BareStore.files(in: folder.url)
    let error = #expect(throws: StoreError.self) { try StoreReader(path: path).metadata() }
    #expect(error?.cause.hasPrefix(cause) == true, "\(error?.cause ?? "no error")")
    #expect(error?.advice != nil || error == .missing(path: path))
    #expect(error?.path == path)
    #expect(try BareStore.files(in: folder.url) == before)
  }
}
