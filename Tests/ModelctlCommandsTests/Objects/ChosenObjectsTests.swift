import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Which objects and values are chosen, as it is typed")
struct ChosenObjectsTests {
  let workspace: SampleFolder

  /// Three objects with the numbers 1, 5 and 7.
  init() throws {
    workspace = try SampleFolder(emptyNamed: "M.xcdatamodeld")
    try workspace.write(
      #"""
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="A">
          <attribute name="n" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
          <attribute name="t" optional="YES" attributeType="String"/>
          <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
          <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="A"/>
        </entity>
        <composite name="Place"><attribute name="city" optional="YES" attributeType="String"/></composite>
        <fetchRequest name="Big" entity="A" predicateString="(n &gt; 3) == $T"/>
        <fetchRequest name="Before" entity="A" predicateString="next == $K"/>
      </model>
      """#, to: "M.xcdatamodeld/v1.xcdatamodel/contents")
    try workspace.write([1, 5, 7].map { #"{"entity": "A", "n": \#($0)}"# + "\n" }.joined(), to: "a.jsonl")
    try workspace.shell("modelctl load a.jsonl --output a.sqlite")
  }

  private func count(_ line: String) throws -> Int {
    try workspace.shell("modelctl query a.sqlite \(line) --format csv").split(whereSeparator: \.isNewline).count - 1
  }

  @Test(
    "Several predicates are refused with the one that they make",
    arguments: [
      "query a.sqlite A", "delete a.sqlite A", "update a.sqlite A --set t=x", "dump a.sqlite --entity A",
      "extract a.sqlite --entity A --output b.sqlite",
    ])
  func predicates(_ command: String) throws {
    let before = try workspace.contents()
    let result = try Modelctl.shell("modelctl \(command) --where 'n > 1' --where 't == \"x\" OR n < 6'", in: workspace)
    #expect(result.status == 64 && result.standardOutput.isEmpty, "\(result)")
    let advice = """
      error: give a single --where
        Combine the conditions: --where '(n > 1) AND (t == "x" OR n < 6)'

      """
    #expect(result.standardError.hasPrefix(advice), "\(result.standardError)")
    #expect(try workspace.contents() == before)
    #expect(try count(#"A --where '(n > 1) AND (t == "x" OR n < 6)'"#) == 1)
  }

  @Test("A predicate may begin with a minus sign")
  func minus() throws {
    #expect(try count("A --where '-n < -4'") == 2)
    try workspace.shell("modelctl delete a.sqlite A --where '-n < -4'")
    #expect(try count("A") == 1)
  }

  @Test("Columns and keys to sort by that are given one after another are all taken; none is refused")
  func columns() throws {
    let (joined, apart) = ("--columns n,t", "--columns n --columns t")
    let rows = try [joined, apart].map { columns in
      try workspace.shell("modelctl query a.sqlite A \(columns) --sort t --sort=-n --format csv")
    }
    #expect(rows[0] == rows[1] && rows[0].hasPrefix("entity,key,n,t\r\nA,3,7,"), "\(rows)")
    for names in ["", ",", " , "] {
      let result = try workspace.modelctl("query", "a.sqlite", "A", "--columns", names)
      #expect(result.status == 64 && result.standardError.contains("--columns needs names of properties"), "\(result)")
    }
  }

  @Test(
    "A value is not set and cleared together, and a path with an empty part is refused",
    arguments: [
      ("--clear place --set place.city=Bonn", 64, "--clear place and --set place.city change the same value"),
      ("--set place.city=Bonn --clear place.city", 64, "--clear place.city and --set place.city change the same value"),
      ("--set t=x --clear t", 64, "--clear t and --set t change the same value"),
      ("--set .t=x", 2, "A has no settable attribute or to-one relationship “.t”"),
      ("--set t.=x", 2, "A has no settable attribute or to-one relationship “t.”"),
      ("--set place..city=x", 2, "A has no settable attribute or to-one relationship “place..city”"),
      ("--clear t.", 2, "A has no settable attribute or to-one relationship “t.”"),
      ("--set next=0", 2, "next: “0” is not a valid key of an object\n  Write a whole number above 0\n"),
      ("--set next=nil", 2, "next: “nil” is not a valid key of an object\n  Remove the link: --clear next\n"),
    ] as [(String, Int32, String)])
  func values(_ options: String, _ status: Int32, _ words: String) throws {
    let before = try workspace.shell("modelctl dump a.sqlite")
    let result = try Modelctl.shell("modelctl update a.sqlite A --all \(options)", in: workspace)
    #expect(result.status == status && result.standardError.contains(words), "\(result)")
    #expect(try workspace.shell("modelctl dump a.sqlite") == before)
  }

  @Test("A word for no value is a text, and the note names the option that removes the value")
  func wordForNothing() throws {
    let result = try Modelctl.shell("modelctl update a.sqlite A --all --set t=nil --set place.city=NULL", in: workspace)
    #expect(result.status == 0)
    #expect(result.standardError.contains("note: t gets the text “nil”; to remove its value, use --clear t\n"))
    #expect(result.standardError.contains("“NULL”; to remove its value, use --clear place.city\n"), "\(result)")
    #expect(try count("A --where \"t == 'nil'\"") == 3)
  }

  @Test("Two elements, or two names with a common beginning, are not a conflict")
  func otherValues() throws {
    try workspace.shell("modelctl update a.sqlite A --all --set place.city=Bonn --clear t")
    try workspace.shell("modelctl update a.sqlite A --all --set t=x --clear place.city")
  }

  @Test("A condition of a template is compared with every word for true and false")
  func truth() throws {
    for word in ["YES", "yes", "true", "1"] { #expect(try count("--template Big --variable T=\(word)") == 2) }
    for word in ["NO", "no", "false", "0"] { #expect(try count("--template Big --variable T=\(word)") == 1) }
    try Refusal.expect(
      ["query", "a.sqlite", "--template", "Big", "--variable", "T=maybe"], says: ["$T: ", "maybe"], in: workspace)
    try Refusal.expect(
      ["query", "a.sqlite", "--template", "Before", "--variable", "K=-1"],
      says: ["$K: “-1” is not a valid key of an object\n  Write a whole number above 0\n"], in: workspace)
  }

  @Test("A value that is none of its attribute's type is reported, and verify lists it")
  func foreignValue() throws {
    let queue = try DatabaseQueue(path: workspace.folder.path("a.sqlite"))
    try queue.writeWithoutTransaction { try $0.execute(sql: "UPDATE ZA SET ZN = 'abc' WHERE Z_PK = 1") }
    try queue.close()
    let result = try workspace.modelctl("query", "a.sqlite", "A")
    #expect(result.status == 2 && !result.standardError.contains("STORE"), "\(result)")
    #expect(
      result.standardError.hasSuffix("\n  Verify the store to list all such values:\n    modelctl verify a.sqlite\n"),
      "\(result)")
    let verified = try workspace.modelctl("verify", "a.sqlite")
    #expect(verified.standardOutput.contains("A.n: "), "\(verified)")
  }

  @Test(
    "A failed save and a dry run change no byte of a store with a write-ahead log",
    arguments: [
      ("update a.sqlite A --all --set t=x --dry-run", 0), ("delete a.sqlite A --all --dry-run", 0),
      ("update a.sqlite A --all --set n=70000", 2), ("load bad.jsonl --output a.sqlite", 2),
    ] as [(String, Int32)])
  func bytes(_ line: String, _ status: Int32) throws {
    try workspace.write(#"{"entity": "A", "n": "x"}"# + "\n", to: "bad.jsonl")
    let before = try workspace.contents()
    let result = try Modelctl.shell("modelctl \(line)", in: workspace)
    #expect(result.status == status, "\(result)")
    #expect(try workspace.contents() == before)
  }

  @Test(
    "A result that cannot be written does not hide that the store was changed",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full, which is a full disk"))
  func unreported() throws {
    for (line, written) in [
      ("update a.sqlite A --all --set t=x > /dev/full", "a.sqlite"),
      ("update a.sqlite A --all --set t=y --format json=/dev/full", "a.sqlite"),
      ("delete a.sqlite A --where 'n == 1' > /dev/full", "a.sqlite"),
      ("load a.jsonl --output b.sqlite > /dev/full", "b.sqlite"),
      ("convert a.sqlite c.json > /dev/full", "c.json"),
    ] {
      let words = "\n  Only the report is missing: \(written) is written\n"
      let result = try Modelctl.shell("modelctl \(line)", in: workspace)
      #expect(result.status == 2 && result.standardError.hasSuffix(words), "\(line): \(result)")
    }
    #expect(try count("A --where 't == \"y\"'") == 2)
    let tried = try Modelctl.shell("modelctl update a.sqlite A --all --set t=z --dry-run > /dev/full", in: workspace)
    #expect(tried.status == 2 && !tried.standardError.contains("is written"), "\(tried)")
  }
}
