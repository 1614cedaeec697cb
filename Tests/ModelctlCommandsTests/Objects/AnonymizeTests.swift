import Foundation
import TestSupport
import Testing

@Suite("modelctl anonymize")
struct AnonymizeTests {
  let workspace: SampleFolder

  init() throws {
    workspace = try SampleFolder()
    try workspace.makeStore()
  }

  @Test("The copy is sound and has the plan of the store")
  func plan() throws {
    let made = try workspace.modelctl("anonymize", "shop.sqlite", "--output", "copy.sqlite")
    #expect(made.status == 0 && made.standardOutput.hasPrefix("copy.sqlite: anonymous copy made, "), "\(made)")
    let verified = try workspace.modelctl("verify", "copy.sqlite")
    #expect(verified.status == 0 && !verified.standardOutput.contains("warning"), "\(verified.standardOutput)")
    let plans = try ["shop", "copy"].map { name in
      try workspace.modelctl("plan", "\(name).sqlite").standardOutput
        .replacingOccurrences(of: name, with: "store")
    }
    #expect(plans[0] == plans[1])
    let objects = try ["shop", "copy"].map { name in
      try workspace.modelctl("query", "\(name).sqlite", "Customer", "--format", "csv").standardOutput
    }
    #expect(objects[0] != objects[1] && !objects[1].isEmpty)
  }

  @Test("The same seed gives the same file, and nothing is overwritten")
  func seed() throws {
    for name in ["a.sqlite", "b.sqlite"] {
      #expect(try workspace.modelctl("anonymize", "shop.sqlite", "--output", name, "--seed", "5").status == 0)
    }
    let contents = try workspace.contents()
    #expect(contents["a.sqlite"] == contents["b.sqlite"])
    let again = try workspace.modelctl("anonymize", "shop.sqlite", "-o", "a.sqlite")
    #expect(again.status == 2 && again.standardError.contains("a.sqlite already exists"), "\(again.standardError)")
    #expect(try workspace.contents() == contents)
  }

  @Test(
    "The bytes of an anonymous store of any kind hold none of the texts",
    arguments: ["sqlite", "json", "xml", "binary"])
  func bytes(_ kind: String) throws {
    let dump = try workspace.modelctl("dump", "shop.sqlite").standardOutput
    let texts = Set(dump.matches(of: /": "([^"]* [^"]*)"/).map { String($0.output.1) })
    #expect(texts.count > 10)
    let (source, copy) = ("source.\(kind)", "copy.\(kind)")
    #expect(try workspace.modelctl("convert", "shop.sqlite", source).status == 0)
    let made = try workspace.modelctl("anonymize", source, "--output", copy)
    #expect(made.status == 0, "\(made)")
    let files = try [source, copy].map { try Data(contentsOf: workspace.url.appendingPathComponent($0)) }
    for text in texts {
      let bytes = Data(text.utf8)
      #expect(files[0].range(of: bytes) != nil && files[1].range(of: bytes) == nil, "\(text)")
    }
  }

  @Test("A missing file of external data is named where it should be, and a SQLite copy lacks it, too")
  func missingFile() throws {
    let workspace = try SampleFolder(emptyNamed: "M.xcdatamodeld")
    try workspace.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="A">\
      <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>\
      </entity></model>
      """, to: "M.xcdatamodeld/v1.xcdatamodel/contents")
    let data = Data(count: 200_000).base64EncodedString()
    try workspace.write(#"{"entity":"A","data":"\#(data)"}"# + "\n", to: "a.jsonl")
    try workspace.shell("modelctl load a.jsonl --output s.sqlite && rm .s_SUPPORT/_EXTERNAL_DATA/*")
    for kind in ["json", "xml", "binary"] {
      let run = try workspace.modelctl("anonymize", "s.sqlite", "--output", "an.\(kind)")
      #expect(run.status == 2 && run.standardError.contains("/.s_SUPPORT/_EXTERNAL_DATA/"), "\(run)")
      #expect(try workspace.contents()["an.\(kind)"] == nil)
    }
    #expect(try workspace.modelctl("anonymize", "s.sqlite", "--output", "an.sqlite").status == 0)
  }

  @Test("A wrong rule is refused with its file and line")
  func rules() throws {
    try workspace.write("# names\nCustomer.fulName keep\n", to: "rules.txt")
    let run = try workspace.modelctl("anonymize", "shop.sqlite", "-o", "a.sqlite", "--rules", "rules.txt")
    #expect(run.status == 2 && run.standardError.contains("rules.txt:2: the model has no “Customer.fulName”"), "\(run)")
    let missing = try workspace.modelctl("anonymize", "shop.sqlite", "-o", "a.sqlite", "--rules", "none.txt")
    #expect(missing.status == 2 && missing.standardError.contains("none.txt"), "\(missing.standardError)")
  }
}
