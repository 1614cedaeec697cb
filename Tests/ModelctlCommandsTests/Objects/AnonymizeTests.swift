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

  @Test("A copy that finds no room is named, and the store is not")
  func noRoom() throws {
    try workspace.makeStore("large.sqlite", rows: 300)
    let made = try Modelctl.shell(
      "trap '' XFSZ; ulimit -f 20; modelctl anonymize large.sqlite --output copy.sqlite", in: workspace)
    #expect(made.status == 2 && made.standardError.contains("copy.sqlite: "), "\(made)")
    #expect(!made.standardError.contains("large.sqlite"), "\(made)")
  }

  @Test("The same seed gives the same file, and nothing is overwritten")
  func seed() throws {
    for name in ["a.sqlite", "b.sqlite"] {
      #expect(try workspace.modelctl("anonymize", "shop.sqlite", "--output", name, "--seed", "5").status == 0)
    }
    let contents = try workspace.contents()
    #expect(contents["a.sqlite"] == contents["b.sqlite"])
    let again = try workspace.modelctl("anonymize", "shop.sqlite", "-o", "a.sqlite")
    #expect(again.status == 2 && again.standardError.contains("a.sqlite: already exists"), "\(again.standardError)")
    #expect(try workspace.contents() == contents)
  }

  @Test(
    "The bytes of an anonymous store of any kind hold none of the texts",
    arguments: ["sqlite", "json", "xml", "binary"])
  func bytes(_ kind: String) throws {
    try workspace.write(Self.people, to: "people.jsonl")
    let loaded = try workspace.modelctl("load", "people.jsonl", "--output", "shop.sqlite", "--version", "Orders@v1")
    #expect(loaded.status == 0, "\(loaded)")
    let dump = try workspace.modelctl("dump", "shop.sqlite").standardOutput
    let objects = try #require(dump.components(separatedBy: "\"objects\": {").last)
    let model = try String(
      contentsOf: workspace.url.appendingPathComponent("Models/Orders.xcdatamodeld/v1.xcdatamodel/contents"),
      encoding: .utf8)
    // Dates and numbers are texts in a dump only.
    let texts = Set(objects.matches(of: /": "([^"]{4,})"/).map { String($0.output.1) }).filter { text in
      text.contains(where: \.isLetter) && text.prefixMatch(of: /\d{4}-\d\d-\d\dT/) == nil && !model.contains(text)
    }
    #expect(texts.count > 10 && texts.isSuperset(of: ["Wolfgang", "Ёлка-Ivanova", "山田太郎"]))
    let (source, copy) = ("source.\(kind)", "copy.\(kind)")
    #expect(try workspace.modelctl("convert", "shop.sqlite", source).status == 0)
    let made = try workspace.modelctl("anonymize", source, "--output", copy, "--seed", "4")
    #expect(made.status == 0, "\(made)")
    let files = try [source, copy].map { try Data(contentsOf: workspace.url.appendingPathComponent($0)) }
    for text in texts { #expect(files.map { Self.holds($0, text) } == [true, false], "\(text)") }
  }

  /// Texts of one word, and of several scripts.
  private static let people = """
    {"entity":"Customer","name":"Wolfgang","email":"Ёлка-Ivanova","number":70001,"registrationDate":"2021-03-04T05:06:07Z"}
    {"entity":"Customer","name":"Schlüsselbund","email":"山田太郎","number":70003,"registrationDate":"2021-03-05T05:06:07Z"}

    """

  private static func holds(_ file: Data, _ text: String) -> Bool {
    let encodings: [String.Encoding] = [.utf8, .utf16LittleEndian, .utf16BigEndian]
    return encodings.compactMap { text.data(using: $0) }.contains { file.range(of: $0) != nil }
  }

  @Test("Rules are followed in a store of any kind", arguments: ["sqlite", "json", "xml", "binary"])
  func rules(_ kind: String) throws {
    try workspace.write(Self.people, to: "people.jsonl")
    try workspace.write(
      """
      Customer.name keep
      Customer.email mask
      Customer.number shift
      Customer.registrationDate replace 2001-01-01
      """, to: "rules.txt")
    let line = """
      modelctl load people.jsonl --output people.\(kind) --version Orders@v1 &&
        modelctl anonymize people.\(kind) --output copy.\(kind) --rules rules.txt --seed 4
      """
    let made = try Modelctl.shell(line, in: workspace)
    #expect(made.status == 0, "\(made)")
    let columns = "name,email,number,registrationDate"
    let tables = try ["people", "copy"].map { name -> [[String]] in
      let result = try workspace.modelctl(
        "query", "\(name).\(kind)", "Customer", "--columns", columns, "--format", "csv")
      return result.standardOutput.split(whereSeparator: \.isNewline).dropFirst()
        .map { $0.split(separator: ",").map(String.init) }
    }
    let pairs = Array(zip(tables[0], tables[1]))
    // Entity and key come first.
    try #require(pairs.count == 2 && pairs.allSatisfy { $0.count == 6 && $1.count == 6 }, "\(tables)")
    for (old, new) in pairs {
      #expect(new[2] == old[2] && new[3] != old[3] && new[3].count == old[3].count, "\(tables)")
      #expect(new[4] != old[4] && new[5] == "2001-01-01T00:00:00.000Z" && new[5] != old[5], "\(tables)")
    }
    let steps = Set(pairs.map { old, new in (Int(new[4]) ?? 0) - (Int(old[4]) ?? 0) })
    #expect(steps.count == 1, "\(tables)")
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
  func wrongRules() throws {
    try workspace.write("# names\nCustomer.fulName keep\n", to: "rules.txt")
    let run = try workspace.modelctl("anonymize", "shop.sqlite", "-o", "a.sqlite", "--rules", "rules.txt")
    #expect(
      run.status == 2
        && run.standardError.contains("rules.txt:2: the model has no stored attribute “Customer.fulName”"), "\(run)")
    let missing = try workspace.modelctl("anonymize", "shop.sqlite", "-o", "a.sqlite", "--rules", "none.txt")
    #expect(missing.status == 2 && missing.standardError.contains("none.txt"), "\(missing.standardError)")
  }
}
