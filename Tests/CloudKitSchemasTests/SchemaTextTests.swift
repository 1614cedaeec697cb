import CloudKitSchemas
import Foundation
import ModelDescription
import TestSupport
import Testing

@Suite("The language of CloudKit's schemas")
struct SchemaTextTests {
  private static let text = """
    DEFINE SCHEMA

        CREATE ROLE Moderator;

        RECORD TYPE CD_Note (
            CD_body       STRING QUERYABLE SEARCHABLE SORTABLE,
            CD_count      INT64 QUERYABLE SORTABLE,
            "___recordID" REFERENCE QUERYABLE,
            GRANT WRITE TO "_creator",
            GRANT READ, CREATE TO Moderator
        );

        RECORD TYPE Users (
            roles LIST<INT64>,
            GRANT READ TO "_world"
        );


    """

  private func read(_ text: String, path: String = "a.ckdb") -> (schema: CloudKitSchema, faults: [String]) {
    let (schema, faults) = CloudKitSchema.read(Array(text.utf8), path: path)
    return (schema, faults.map(\.description))
  }

  @Test("A text comes back as it was, with the positions of its names")
  func wholeText() throws {
    let (schema, faults) = read(Self.text)
    #expect(faults == [] && schema.description == Self.text)
    let note = try #require(schema.recordType("CD_Note"))
    #expect(note.position == .init(line: 5, column: 17))
    #expect(note.field("CD_count")?.position == .init(line: 7, column: 9))
    #expect(note.grants == [.init([.write], to: "_creator"), .init([.read, .create], to: "Moderator")])
    #expect(schema.recordType("Users")?.field("roles")?.type == .init(.int64, isList: true))
  }

  @Test(
    "Forms that mean the same are accepted",
    arguments: [
      "\u{FEFF}" + text, text.replacing("\n", with: "\r\n"), text.replacing("    ", with: "\t"),
      text.lowercased()
        .replacing("cd_", with: "CD_").replacing("note", with: "Note").replacing("moderator", with: "Moderator")
        .replacing("users", with: "Users").replacing("recordid", with: "recordID"),
      text.replacing("DEFINE", with: "// one\n-- two\n/* three\n four */ DEFINE"), text.replacing(";", with: ""),
      text.replacing("CD_Note", with: "\"CD_Note\"").replacing("roles", with: "\"roles\""),
      text.replacing("Moderator\n", with: "Moderator,\n").trimmingCharacters(in: .whitespacesAndNewlines),
    ])
  func leniency(_ form: String) {
    let (schema, faults) = read(form)
    #expect(faults == [])
    var same = schema
    same.endsWithEmptyLine = true
    #expect(same.description == Self.text)
  }

  @Test(
    "Each fault has its place and the expected words",
    arguments: [
      ("", "a.ckdb: the file has no schema"), (" // nothing\n", "a.ckdb: the file has no schema"),
      ("SCHEMA", "a.ckdb:1:1: expected DEFINE SCHEMA, found “SCHEMA”"),
      ("DEFINE SCHEMA RECORD TYPE A (\n b STRIN\n);", "a.ckdb:2:4: expected a data type, found “STRIN”"),
      (
        "DEFINE SCHEMA RECORD TYPE A (b STRING c INT64);",
        "a.ckdb:1:39: expected QUERYABLE, SORTABLE, SEARCHABLE, “,” or “)”, found “c”"
      ),
      ("DEFINE SCHEMA RECORD TYPE cloudkit.share (b STRING);", "a.ckdb:1:35: expected “(”, found “.”"),
      (
        "DEFINE SCHEMA RECORD TYPE A (b ENCRYPTED ASSET);",
        "a.ckdb:1:42: expected a data type that can be encrypted, found “ASSET”"
      ),
      (
        "DEFINE SCHEMA RECORD TYPE A (b NUMBER PREFERRED AS STRING);",
        "a.ckdb:1:52: expected INT64 or DOUBLE, found “STRING”"
      ),
      ("DEFINE SCHEMA RECORD TYPE A (b LIST STRING);", "a.ckdb:1:37: expected “<”, found “STRING”"),
      ("DEFINE SCHEMA RECORD TYPE A (b STRING", "a.ckdb:1:38: expected “,” or “)”, found the end of the text"),
      (
        "DEFINE SCHEMA RECORD TYPE A (b STRING, b INT64);",
        "a.ckdb:1:40: the field A.b is declared twice, first in line 1"
      ),
      (
        "DEFINE SCHEMA\nRECORD TYPE A (b STRING);\nRECORD TYPE A (b STRING);",
        "a.ckdb:3:13: the record type A is declared twice, first in line 2"
      ),
      ("DEFINE SCHEMA /* RECORD", "a.ckdb:1:15: the comment does not end"),
      ("DEFINE SCHEMA RECORD TYPE \"A (b STRING);\n", "a.ckdb:1:27: the name in quotation marks does not end"),
      ("DEFINE SCHEMA RECORD TYPE größe (b STRING);", "a.ckdb:1:29: expected a name in ASCII, found “öße”"),
      ("DEFINE SCHEMA RECORD TYPE A\0 (b STRING);", "a.ckdb:1:28: expected “(”, found “\0”"),
      (
        "DEFINE SCHEMA\n<<<<<<< HEAD\nRECORD TYPE A (b STRING);\n=======\n",
        "a.ckdb:2:1: the file has merge conflict markers"
      ),
      ("DEFINE SCHEMA GRANT READ TO x;", "a.ckdb:1:15: expected RECORD TYPE or CREATE ROLE, found “GRANT”"),
      ("DEFINE SCHEMA RECORD TYPE A (GRANT EAT TO x);", "a.ckdb:1:36: expected READ, CREATE or WRITE, found “EAT”"),
    ])
  func faults(_ text: String, _ fault: String) {
    let (_, faults) = read(text)
    #expect(faults.count == 1 && faults.first?.hasPrefix(fault) ?? false, "\(faults)")
  }

  @Test("After a fault the next record types are read, and many faults are counted")
  func recovery() {
    let (schema, faults) = read("DEFINE SCHEMA RECORD TYPE A (b X); RECORD TYPE B (c STRING); RECORD TYPE C (d Y);")
    #expect(faults.count == 2 && schema.recordTypes.map(\.name) == ["A", "B", "C"])
    let many = "DEFINE SCHEMA " + String(repeating: "RECORD TYPE A (b X);", count: 100)
    #expect(read(many).faults.last?.contains("more faults") ?? false)
    #expect(CloudKitSchema.read([0x44, 0xFF], path: "a").faults.map(\.fault) == [.notUTF8])
  }

  @Test("A schema in a code block of a Markdown file has its lines; two are a fault")
  func markdown() throws {
    let page = "# Schema\n\n```\nls\n```\n\n```ckdb\n\(Self.text)```\n\nEnd.\n"
    let (schema, faults) = read(page, path: "a.md")
    #expect(faults == [] && schema.recordType("CD_Note")?.position?.line == 12)
    #expect(read(page.split(separator: "```").joined(separator: "~~~"), path: "a.md").schema == schema)
    #expect(read("~~~\n```\n\(Self.text)\n~~~\n", path: "a.md").faults.first?.contains("no code block") ?? false)
    #expect(read(page + page, path: "a.md").faults.first?.hasPrefix("a.md:35:1: a second code block") ?? false)
    #expect(read("text", path: "a.markdown").faults.first?.contains("no code block") ?? false)
    var note = try #require(schema.recordType("CD_Note"))
    note.fields = [.init("CD_aside", .init(.bytes)), .init("CD_zone", .init(.double))]
    let added = CloudKitSchema(recordTypes: [note, .init("CD_Tag", fields: [.init("CD_name", .init(.string))])])
    let merged = added.merged(into: page, of: schema)
    let (read, again) = self.read(merged, path: "a.md")
    #expect(again == [] && read.recordTypes.map(\.name) == ["CD_Note", "Users", "CD_Tag"], "\(merged)")
    #expect(merged.hasSuffix("```\n\nEnd.\n") && merged.hasPrefix("# Schema\n\n```\nls\n"))
  }

  @Test("A merge into a text of another form keeps its lines")
  func keptLines() throws {
    let text =
      "DEFINE SCHEMA\r\nRECORD TYPE CD_A ( // mine\r\n  \"CD_b\" STRING, CD_d INT64 ,\r\n  GRANT READ TO \"_world\")\r\nRECORD TYPE E ()\r\n"
    let (schema, faults) = read(text)
    #expect(faults == [])
    let added = CloudKitSchema(recordTypes: [
      .init("CD_A", fields: ["CD_a", "CD_b", "CD_c", "CD_z"].map { .init($0, .init(.bytes), indexes: []) }),
      .init("E", fields: [.init("x", .init(.asset))]),
    ])
    #expect(
      added.merged(into: text, of: schema)
        == "DEFINE SCHEMA\r\nRECORD TYPE CD_A ( // mine\r\n  CD_a BYTES,\r\n  CD_z BYTES,\r\n  \"CD_b\" STRING, CD_c BYTES, CD_d INT64 ,\r\n  GRANT READ TO \"_world\")\r\nRECORD TYPE E (x ASSET)\r\n"
    )
  }

  @Test(
    "A merge into a text without a field, or without a record type, can be read",
    arguments: [
      ("DEFINE SCHEMA RECORD TYPE CD_A ( GRANT WRITE TO \"_creator\", )", "a.ckdb"),
      ("DEFINE SCHEMA RECORD TYPE CD_A /* ( */ (\n)", "a.ckdb"), ("DEFINE SCHEMA\n", "a.ckdb"),
      ("DEFINE SCHEMA CREATE ROLE r", "a.ckdb"), ("# S\n```\nDEFINE SCHEMA\n```\nend\n", "a.md"),
    ])
  func withoutFields(_ text: String, _ path: String) throws {
    let (schema, faults) = read(text, path: path)
    #expect(faults == [])
    let added = CloudKitSchema(recordTypes: [
      .init("CD_A", fields: ["CD_a", "CD_b"].map { .init($0, .init(.bytes), indexes: []) }),
      .init("E", fields: [.init("x", .init(.asset))]),
    ])
    let merged = added.merged(into: text, of: schema)
    let (result, others) = read(merged, path: path)
    #expect(others == [] && SchemaShrinkage(from: added, to: result).losses.isEmpty, "\(merged)")
    #expect(result.roles == schema.roles && added.merged(into: merged, of: result) == merged)
  }

  @Test("Sizes without use are read or refused at once")
  func sizes() {
    let long = String(repeating: "n", count: 10_000)
    let one = "RECORD TYPE \(long) (" + (0..<1_000).map { "f\($0) STRING" }.joined(separator: ", ") + ");"
    let many = (0..<5_000).map { "RECORD TYPE T\($0) (a STRING);" }.joined()
    let (schema, faults) = read("DEFINE SCHEMA \(one)\(many)")
    #expect(faults == [] && schema.recordTypes.count == 5_001)
    let large = [UInt8](repeating: 0x20, count: 50 << 20)
    #expect(CloudKitSchema.read(large, path: "a").faults.count == 1)
  }
}
