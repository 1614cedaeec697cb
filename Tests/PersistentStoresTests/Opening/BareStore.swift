import Foundation
import GRDB
import ModelFiles
import PersistentStores
import TestSupport
import VersionHashing

/// A store made by plain SQL: one entity `Note` with one attribute, and Core Data's system tables.
struct BareStore {
  let folder: TemporaryFolder
  let path: String

  static let hashes = VersionHashes(
    entities: ["Note": VersionHash(Array(repeating: 7, count: 32))].compactMapValues { $0 })

  /// Makes the store with these texts as its rows.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - journal: SQLite's journal mode.
  ///   - texts: the text of each row.
  ///   - plist: the bytes of `Z_PLIST`; sound metadata when nil.
  /// - Throws: what SQLite or the file system answers.
  init(named name: String = "Notes.sqlite", journal: String = "WAL", texts: [String] = ["first"], plist: Data? = nil)
    throws
  {
    folder = try TemporaryFolder()
    path = folder.path(name)
    let queue = try DatabaseQueue(path: path)
    let metadata = StoreMetadata(
      uuid: "0E5F4A64-6C1D-4B3E-8B64-6F0E9A3F2C11", versionHashes: Self.hashes, identifiers: ["1"],
      entries: ["NSStoreType": .string("SQLite"), "NSPersistenceFrameworkVersion": .integer(1344)])
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = \(journal)")
      try database.execute(
        sql: """
          CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR );
          CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
          CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
          CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
          INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 0);
          """)
      try database.execute(
        sql: "INSERT INTO Z_METADATA VALUES (1, ?, ?)", arguments: [metadata.uuid, plist ?? metadata.encoded()])
    }
    try queue.close()
    try insert(texts)
  }

  /// Adds rows and closes, so that everything is in the database file.
  func insert(_ texts: [String]) throws {
    let queue = try DatabaseQueue(path: path)
    try insert(texts, through: queue)
    try queue.close()
  }

  /// Adds rows through an open connection, in one transaction.
  func insert(_ texts: [String], through queue: DatabaseQueue) throws {
    try queue.write { database in
      for text in texts {
        try database.execute(sql: "INSERT INTO ZNOTE (Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, ?)", arguments: [text])
      }
      try database.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ZNOTE)")
    }
  }

  /// The texts that a reader sees.
  func texts(in path: String? = nil) throws -> [String] {
    let reader = try StoreReader(path: path ?? self.path, busyTimeout: 0.2)
    defer { reader.close() }
    return try reader.read { try String.fetchAll($0, sql: "SELECT ZTEXT FROM ZNOTE ORDER BY Z_PK") }
  }

  /// Every file of the folder with its bytes.
  var files: [String: Data] { get throws { try Self.files(in: folder.url) } }

  static func files(in folder: URL) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = try Data(contentsOf: folder.appendingPathComponent(name))
    }
    return files
  }

  /// Copies the database and the named companions, as they are now, into a folder of their own.
  func copied(with suffixes: [String]) throws -> (folder: TemporaryFolder, path: String) {
    let target = try TemporaryFolder()
    let path = target.path("Notes.sqlite")
    for suffix in [""] + suffixes {
      try FileManager.default.copyItem(atPath: self.path + suffix, toPath: path + suffix)
    }
    return (target, path)
  }
}
