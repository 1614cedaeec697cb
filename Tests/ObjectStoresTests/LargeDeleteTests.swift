import Foundation
import GRDB
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("A delete whose rules reach very many objects")
struct LargeDeleteTests {
  private static let model = ManagedObjectModel {
    Entity("Folder") {
      Relationship("parent", toOne: "Folder", inverse: "folders").optional()
      Relationship("folders", toMany: "Folder", inverse: "parent", deleteRule: .cascade)
      Relationship("files", toMany: "File", inverse: "folder", deleteRule: .cascade)
    }
    Entity("File") {
      Attribute("number", .integer64).optional()
      Relationship("folder", toOne: "Folder", inverse: "files")
    }
  }

  /// Makes a tree of a hundred folders, ten in each, to which the files belong in turn, and a folder beside it with a file.
  private func fill(_ path: String, files: Int) throws {
    let layout = SQLStoreLayout(of: try EntityHierarchy(Self.model))
    let (folder, file) = (layout.number(of: "Folder") ?? 0, layout.number(of: "File") ?? 0)
    func numbers(_ count: Int) -> String {
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
    }
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: """
          \(numbers(100)) INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZPARENT)
            SELECT i, \(folder), 1, CASE WHEN i > 1 THEN (i - 2) / 10 + 1 END FROM n;
          \(numbers(files)) INSERT INTO ZFILE (Z_PK, Z_ENT, Z_OPT, ZFOLDER) SELECT i, \(file), 1, i % 100 + 1 FROM n;
          INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT) VALUES (101, \(folder), 1);
          INSERT INTO ZFILE (Z_PK, Z_ENT, Z_OPT, ZFOLDER) VALUES (\(files + 1), \(file), 1, 101);
          UPDATE Z_PRIMARYKEY SET Z_MAX = 101 WHERE Z_NAME = 'Folder';
          UPDATE Z_PRIMARYKEY SET Z_MAX = \(files + 1) WHERE Z_NAME = 'File';
          """)
    }
    try queue.close()
  }

  @Test("A hundred thousand objects are deleted with one object, level by level, and no other object")
  func cascade() throws {
    let files = SlowBuild.isOn ? 5_000 : 100_000
    let folder = try TemporaryFolder()
    let path = folder.path("tree.sqlite")
    try ObjectStore.open(path, model: Self.model).close()
    try fill(path, files: files)
    let store = try ObjectStore.open(path, model: Self.model)
    let saving = try store.saving(isWritten: true) { try $0.delete(RecordID(entity: "Folder", key: 1)) }
    #expect(saving.writes.deletions.count == files + 100)
    #expect(saving.writes.updates.isEmpty && saving.writes.oldLinks.isEmpty)
    #expect(try store.fetch(RecordRequest("Folder")).map(\.id.key) == [101])
    #expect(try store.fetch(RecordRequest("File")).map(\.id.key) == [Int64(files + 1)])
    try store.close()
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    #expect(try reader.verify(against: store.hierarchy) == [])
  }
}
