import Foundation
import GRDB
import TestSupport
import Testing

@Suite("modelctl history of a store that keeps one")
struct HistoryCommandTests {
  let workspace: SampleFolder

  /// Four saves of the program, a day apart: two inserts, an update, another update, and a delete.
  init() throws {
    workspace = try SampleFolder(emptyNamed: "Notes.xcdatamodeld")
    try workspace.write(Self.contents, to: "Notes.xcdatamodeld/v1.xcdatamodel/contents")
    try workspace.makeStore("notes.sqlite", version: "Notes@v1", rows: 0)
    try execute(Self.tables)
    try workspace.write(
      """
      {"entity": "Note", "id": 1, "title": "Milk", "pages": 2}
      {"entity": "Person", "id": 1, "name": "Anna"}
      """, to: "more.jsonl")
    for command in [
      "load more.jsonl --output notes.sqlite", "update notes.sqlite Note --all --set title=Bread --author import",
      "update notes.sqlite Person --all --set name=Emma --author import", "delete notes.sqlite Note --all",
    ] {
      let result = try Modelctl.run(command.split(separator: " ").map(String.init), in: workspace)
      #expect(result.status == 0, "\(command): \(result.standardError)")
    }
    try execute("UPDATE ATRANSACTION SET ZTIMESTAMP = 86400 * Z_PK")
  }

  private func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: workspace.folder.path("notes.sqlite"))
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  private static let contents = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Item" isAbstract="YES">
            <attribute name="title" optional="YES" attributeType="String" preserveAfterDeletion="YES"/>
        </entity>
        <entity name="Note" parentEntity="Item">
            <attribute name="pages" optional="YES" attributeType="Integer 16" preserveAfterDeletion="YES"/>
        </entity>
        <entity name="Person">
            <attribute name="name" optional="YES" attributeType="String"/>
        </entity>
    </model>
    """

  private static let tables = """
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
      ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, ZTOMBSTONE1 BLOB);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER,
      ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP TIMESTAMP);
    CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0),
      (16003, 'TRANSACTIONSTRING', 0, 0);
    """

  private static let saves = [
    """
    save 1, 2001-01-02T00:00:00Z, by modelctl, modelctl
      insert Note 1
      insert Person 1

    """,
    """
    save 2, 2001-01-03T00:00:00Z, by import, modelctl
      update Note 1: title

    """,
    """
    save 3, 2001-01-04T00:00:00Z, by import, modelctl
      update Person 1: name

    """,
    """
    save 4, 2001-01-05T00:00:00Z, by modelctl, modelctl
      delete Note 1; its values were pages 2, title Bread

    """,
  ]

  @Test(
    "Saves are chosen by number, date, author and entity",
    arguments: [
      ("", [1, 2, 3, 4]), ("--after 2", [3, 4]), ("--after 4", []), ("--since 2001-01-04", [3, 4]),
      ("--since 2001-01-04T00:00:01Z", [4]), ("--author import", [2, 3]), ("--author nobody", []),
      ("--entity Note --after 1", [2, 4]), ("--entity Item --author import", [2]),
      ("--entity Person --after 1 --author import", [3]),
    ] as [(String, [Int])])
  func choice(_ options: String, _ numbers: [Int]) throws {
    let result = try Modelctl.run(
      ["history", "notes.sqlite"] + options.split(separator: " ").map(String.init), in: workspace)
    #expect(result.status == 0, "\(result.standardError)")
    let count = "\(numbers.count) \(numbers.count == 1 ? "save" : "saves")\n"
    #expect(result.standardOutput == numbers.map { "\(Self.saves[$0 - 1])\n" }.joined() + count)
  }

  @Test("A save that changed objects of several entities shows only the objects of the requested entity")
  func entity() throws {
    let result = try workspace.modelctl("history", "notes.sqlite", "--entity", "Person", "--after", "0")
    let first = "save 1, 2001-01-02T00:00:00Z, by modelctl, modelctl\n  insert Person 1\n\n"
    #expect(result.standardOutput == "\(first)\(Self.saves[2])\n2 saves\n")
    let unknown = try workspace.modelctl("history", "notes.sqlite", "--entity", "Itm")
    #expect(unknown.status == 2)
    #expect(unknown.standardError.contains("the model has no entity “Itm”; nearest: Item"))
  }

  @Test("The document conforms to its schema, and has addresses, properties and values of deleted objects")
  func document() throws {
    let result = try workspace.modelctl("history", "notes.sqlite", "--format", "json")
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(result.standardOutput.utf8))
    let file = JSONSchema.folder.appendingPathComponent("history.schema.json")
    let schema = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
    #expect(JSONSchema(schema).faults(in: document) == [])
    #expect(document["isKept"] == .boolean(true))
    let saves = document["transactions"]?.elements ?? []
    #expect(saves.map { $0["number"] } == [.integer(1), .integer(2), .integer(3), .integer(4)])
    #expect(saves.map { $0["author"]?.text } == ["modelctl", "import", "import", "modelctl"])
    for name in ["process", "bundle"] { #expect(saves.allSatisfy { $0[name] == .string("modelctl") }) }
    #expect(saves.allSatisfy { $0["context"] == nil })
    let changes = saves.flatMap { $0["changes"]?.elements ?? [] }
    #expect(changes.map { $0["change"]?.text } == ["insert", "insert", "update", "update", "delete"])
    #expect(changes.map { $0["entity"]?.text } == ["Note", "Person", "Note", "Person", "Note"])
    #expect(changes.allSatisfy { $0["key"] == .integer(1) })
    for change in changes {
      let (address, entity) = (change["uri"]?.text ?? "", change["entity"]?.text ?? "")
      #expect(address.hasPrefix("x-coredata://") && address.hasSuffix("/\(entity)/p1"))
    }
    let properties: [JSONValue?] = [nil, nil, .array([.string("title")]), .array([.string("name")]), nil]
    #expect(changes.map { $0["properties"] } == properties)
    let tombstones: [JSONValue?] = [
      nil, nil, nil, nil, .object(["pages": .string("2"), "title": .string("Bread")]),
    ]
    #expect(changes.map { $0["tombstone"] } == tombstones)
  }
}
