import Foundation
import GRDB
import TestSupport
import Testing

@Suite("A damaged store is distinguished from a valid store")
struct DamagedStoreCommandTests {
  @Test("Links to rows that are not there")
  func verify() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("sound.sqlite")
    try workspace.makeStore("damaged.sqlite")
    try Damage.dangle(workspace.url.appendingPathComponent("damaged.sqlite").path)
    let result = try workspace.modelctl("verify", "damaged.sqlite", "sound.sqlite")
    #expect(
      result.standardOutput == """
        damaged.sqlite: not sound (checked against version v1)
          error: RowOfOrder.order: the referenced row of Order does not exist (5 rows,
            Z_PK 1, 2, 3, 4, 5) [dangling-reference]
          next: modelctl verify --repair damaged.sqlite
        sound.sqlite: sound (checked against version v1)

        """)
    #expect(result.standardError.isEmpty)
    #expect(result.status == 1)
  }

  @Test("Earlier damage does not stop a migration, which drops dangling links and reports them")
  func migrate() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("damaged.sqlite")
    try Damage.dangle(workspace.url.appendingPathComponent("damaged.sqlite").path)
    let note = "5 links point to objects that do not exist and are left out: 5 of RowOfOrder.order"
    let planned = try workspace.modelctl("plan", "damaged.sqlite", "--to", "v4", "--format", "json")
    #expect(planned.standardOutput.contains(note), "\(planned)")
    let migrated = try workspace.modelctl("migrate", "damaged.sqlite", "--to", "v4", "--format", "json")
    #expect(migrated.status == 0 && migrated.standardOutput.contains(note), "\(migrated)")
    let verified = try workspace.modelctl("verify", "damaged.sqlite")
    #expect(verified.status == 0 && verified.standardOutput.contains("[missing-value]"), "\(verified)")
  }

  @Test("A copy drops dangling links and reports their number")
  func copies() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("damaged.sqlite")
    try Damage.dangle(workspace.url.appendingPathComponent("damaged.sqlite").path)
    let first = "note: 5 links to objects that do not exist are left out, such as RowOfOrder 1: order\n"
    let all = "note: 5 links point to objects that do not exist and are left out: 5 of RowOfOrder.order\n"
    for (command, note) in [
      (["convert", "damaged.sqlite", "copy.sqlite"], first),
      (["anonymize", "damaged.sqlite", "--output", "copy.sqlite"], all),
      (["extract", "damaged.sqlite", "--entity", "RowOfOrder", "--output", "copy.sqlite"], first),
      (["dump", "damaged.sqlite", "--output", "copy.json"], first),
    ] {
      let made = try Modelctl.run(command, in: workspace)
      #expect(made.status == 0, "\(made)")
      let text = made.standardOutput + made.standardError
      #expect(text.contains(note), "\(made)")
      let verified = try workspace.modelctl("verify", command.last ?? "")
      #expect(!verified.standardOutput.contains("[dangling-reference]"), "\(verified)")
      try FileManager.default.removeItem(at: workspace.url.appendingPathComponent(command.last ?? ""))
    }
  }

  @Test("A copy drops rows of no entity and reports their number")
  func rowsOfNoEntity() throws {
    let workspace = try SampleFolder()
    try workspace.shell("modelctl create damaged.sqlite --version Staff@v2 --rows 4")
    let queue = try DatabaseQueue(path: workspace.folder.path("damaged.sqlite"))
    let table = try queue.write { database in
      let root = try #require(
        try String.fetchOne(
          database, sql: "SELECT p.Z_NAME FROM Z_PRIMARYKEY p, Z_PRIMARYKEY s WHERE s.Z_SUPER = p.Z_ENT"))
      try database.execute(sql: "UPDATE Z\(root.uppercased()) SET Z_ENT = 99 WHERE Z_PK IN (1, 2)")
      return root
    }
    try queue.close()
    let note = "note: 2 rows are left out, because the entity number belongs to no entity of the table"
    for command in [
      ["convert", "damaged.sqlite", "copy.json"], ["dump", "damaged.sqlite", "--output", "dump.json"],
      ["dump", "damaged.sqlite", "--format", "sqlite", "--output", "dump.sql"],
      ["extract", "damaged.sqlite", "--entity", table, "--output", "copy.sqlite"],
    ] {
      let made = try Modelctl.run(command, in: workspace)
      #expect(made.status == 0 && (made.standardOutput + made.standardError).contains(note), "\(made)")
    }
    let form = try workspace.modelctl("convert", "damaged.sqlite", "form.json", "--format", "json")
    #expect(form.standardOutput.contains("\"rowsOfNoEntity\" : 2"), "\(form)")
    let other = try workspace.modelctl(
      "dump", "damaged.sqlite", "--entity", "Department", "--output", "department.json")
    #expect(!other.standardError.contains(note), "\(other)")
  }

  @Test(
    "No copy lacks a table or a column without a word",
    arguments: ["DROP TABLE ZSERVICE", "ALTER TABLE ZSERVICE DROP COLUMN ZMINUTES"])
  func incomplete(_ sql: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("damaged.sqlite")
    let queue = try DatabaseQueue(path: workspace.folder.path("damaged.sqlite"))
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
    let before = try workspace.contents()
    for command in [
      ["convert", "damaged.sqlite", "copy.sqlite"], ["convert", "damaged.sqlite", "copy.json"],
      ["anonymize", "damaged.sqlite", "--output", "copy.sqlite"], ["dump", "damaged.sqlite", "--output", "copy.json"],
      ["extract", "damaged.sqlite", "--entity", "RowOfOrder", "--output", "copy.sqlite"],
      ["migrate", "damaged.sqlite"], ["dump", "damaged.sqlite", "--entity", "Service", "--format", "jsonl"],
    ] {
      let refused = try Modelctl.run(command, in: workspace)
      #expect(refused.status == 2 && refused.standardOutput == "", "\(refused)")
      #expect(refused.standardError.contains("ZSERVICE") && refused.standardError.contains("is missing"), "\(refused)")
      #expect(refused.standardError.contains("modelctl verify --repair damaged.sqlite"), "\(refused)")
      #expect(try workspace.contents() == before)
    }
    // What is whole is copied.
    let made = try workspace.modelctl(
      "extract", "damaged.sqlite", "--entity", "Customer", "--depth", "0", "--output", "copy.sqlite")
    #expect(made.status == 0, "\(made)")
  }

  @Test("A text that is not UTF-8 is an error of the store, and stops neither a rehearsal nor a migration")
  func text() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("damaged.sqlite")
    try Damage.garble(workspace.url.appendingPathComponent("damaged.sqlite").path)
    let verified = try workspace.modelctl("verify", "damaged.sqlite")
    #expect(
      verified.status == 1
        && verified.standardOutput.contains("error: Customer.name: the text is not valid UTF-8 and cannot be read"),
      "\(verified)")
    let queried = try workspace.modelctl("query", "damaged.sqlite", "Customer")
    #expect(
      queried.status == 2 && queried.standardError.contains("Customer 2: the stored value of name is not a valid"))
    #expect(
      queried.standardError.hasSuffix(
        "\n  Verify the store to list all such values:\n    modelctl verify damaged.sqlite\n"), "\(queried)")
    let rehearsed = try workspace.modelctl("rehearse", "--store", "damaged.sqlite")
    #expect(rehearsed.status == 0, "\(rehearsed)")
    #expect(try workspace.modelctl("migrate", "damaged.sqlite", "--to", "v4").status == 0)
    #expect(try workspace.modelctl("verify", "damaged.sqlite").status == 1)
  }

  @Test("A mapping model drops dangling links, and rows that then lack a required link are reported")
  func map() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("damaged.sqlite")
    try Damage.dangle(workspace.url.appendingPathComponent("damaged.sqlite").path)
    let before = try workspace.contents()
    let result = try workspace.modelctl("migrate", "damaged.sqlite")
    #expect(result.status == 2)
    #expect(result.standardError.contains("missing attribute values on mandatory destination relationship"))
    #expect(try workspace.contents() == before)
  }
}
