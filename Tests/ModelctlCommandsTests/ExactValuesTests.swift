import Foundation
import GRDB
import TestSupport
import Testing

@Suite("A value is the same where its bytes are, in every kind of store")
struct ExactValuesTests {
  /// “café” with an é of one character, and with one of two.
  private static let spellings = ["caf\u{E9}", "cafe\u{301}"]

  private func workspace(_ model: String) throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "M.xcdatamodeld")
    try workspace.write(
      #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\#(model)</model>"#,
      to: "M.xcdatamodeld/v1.xcdatamodel/contents")
    return workspace
  }

  private func cafes() throws -> SampleFolder {
    let workspace = try workspace(
      #"<entity name="A"><attribute name="a" optional="YES" attributeType="String"/></entity>"#)
    let lines = Self.spellings.map { #"{"entity":"A","a":"\#($0)"}"# + "\n" }
    try workspace.write(lines.joined(), to: "a.jsonl")
    try workspace.shell("modelctl load a.jsonl --output a.sqlite")
    return workspace
  }

  @Test("Two spellings of a text are kept apart", arguments: ["binary", "xml", "json", "sqlite"])
  func spellings(kind: String) throws {
    let workspace = try cafes()
    try workspace.shell("modelctl convert a.sqlite copy --store-type \(kind)")
    let lines = try workspace.shell("modelctl dump copy --format jsonl").split(separator: "\n")
    for (line, spelling) in zip(lines, Self.spellings) {
      #expect(Data(line.utf8).range(of: Data(spelling.utf8)) != nil, "\(line)")
    }
    #expect(lines.count == 2)
  }

  @Test("Another spelling is a change")
  func change() throws {
    let workspace = try cafes()
    try workspace.shell("cp a.sqlite b.sqlite")
    let updated = try workspace.modelctl("update", "b.sqlite", "A", "--all", "--set", "a=\(Self.spellings[1])")
    #expect(updated.standardOutput.contains("1 object changed"), "\(updated)")
    let difference = try workspace.modelctl("diff", "a.sqlite", "b.sqlite", "--data", "--exit-code")
    #expect(difference.status == 1, "\(difference)")
  }

  @Test("An element of a composite attribute without a column is kept")
  func elements() throws {
    let workspace = try workspace(
      """
      <entity name="T"><attribute name="place" optional="YES" attributeType="Composite" composite="P"/></entity>
      <composite name="P"><attribute name="street" optional="YES" attributeType="String"/>\
      <attribute name="zip" optional="YES" attributeType="String"/></composite>
      """)
    try workspace.write(#"{"entity":"T","id":1,"place":{"street":"Main","zip":"80331"}}"# + "\n", to: "t.jsonl")
    try workspace.write("id,place.street\n1,Side\n2,New\n", to: "T.csv")
    try workspace.shell("modelctl load t.jsonl --output t.sqlite && modelctl load T.csv --output t.sqlite --upsert")
    func places() throws -> [String] {
      try workspace.shell("modelctl dump t.sqlite --format jsonl").split(separator: "\n").map { line in
        String(line[(line.range(of: "\"place\"")?.lowerBound ?? line.endIndex)...])
      }
    }
    #expect(try places() == [#""place": {"street": "Side", "zip": "80331"}}"#, #""place": {"street": "New"}}"#])
    try workspace.shell("modelctl update t.sqlite T --all --set place.zip=1")
    #expect(try places() == ["Side", "New"].map { #""place": {"street": "\#($0)", "zip": "1"}}"# })
    try workspace.shell("modelctl update t.sqlite T --all --clear place.street --clear place.zip")
    #expect(try places() == ["", ""])
    try workspace.shell("modelctl update t.sqlite T --all --set place.zip=2")
    try workspace.shell("modelctl update t.sqlite T --all --clear place")
    #expect(try places() == ["", ""])
    let element = try workspace.modelctl("query", "t.sqlite", "T", "--columns", "place.zip")
    #expect(
      element.status == 2 && element.standardError.contains("\n  Request the composite attribute place instead\n"),
      "\(element)")
    let refused = try workspace.modelctl("update", "t.sqlite", "T", "--all", "--set", "place=x")
    #expect(refused.status == 2 && refused.standardError.contains("nearest: place."), "\(refused)")
  }

  @Test("A decimal number of a JSON store keeps its digits when something else changes, and in XML")
  func digits() throws {
    let account = #"<attribute name="balance" optional="YES" attributeType="Decimal"/>"#
    let note = #"<attribute name="note" optional="YES" attributeType="String"/>"#
    let workspace = try workspace("<entity name=\"Account\">\(account)\(note)</entity>")
    let more = "<entity name=\"Account\">\(account)\(note)\(note.replacing("note", with: "more"))</entity>"
    try workspace.write("<model>\(more)</model>", to: "M.xcdatamodeld/v2.xcdatamodel/contents")
    // The entity and the attribute have other names.
    let renamed = more.replacing(#"name="Account""#, with: #"name="Post" elementID="Account""#)
      .replacing(#"name="balance""#, with: #"name="amount" elementID="balance""#)
    try workspace.write("<model>\(renamed)</model>", to: "M.xcdatamodeld/v3.xcdatamodel/contents")
    let lines = ["1.5", "-2.25", "3"].map { #"{"entity":"Account","balance":"\#($0)","note":"x"}"# + "\n" }
    try workspace.write(lines.joined(), to: "a.jsonl")
    try workspace.shell("modelctl load a.jsonl --output a.json --version v1")
    let long = ["12345678901234567890.12345678", "-0.12345678901234567890123", "123456789012345678"]
    for (short, long) in zip(["1.5", "-2.25", "3"], long) {
      try workspace.edit("a.json", "\"\(short)\"", "\"\(long)\"")
    }
    try workspace.shell("modelctl update a.json Account --where 'balance < 0' --set note=y")
    try workspace.shell("modelctl convert a.json a.xml && modelctl migrate a.json --to v2")
    try workspace.shell("cp a.json b.json && modelctl migrate b.json --to v3")
    for name in ["a.json", "a.xml", "b.json"] {
      let text = String(decoding: try Data(contentsOf: workspace.url.appendingPathComponent(name)), as: UTF8.self)
      for number in long { #expect(text.contains(number), "\(name): \(text)") }
    }
    try workspace.shell("modelctl update a.json Account --all --set balance=1.5")
    let text = String(decoding: try Data(contentsOf: workspace.url.appendingPathComponent("a.json")), as: UTF8.self)
    #expect(text.matches(of: /"balance": "1.5"/).count == 3, "\(text)")
    // Another number is no longer the old one when it comes back near to it, in one opening or several.
    try workspace.shell("modelctl update a.json Account --all --set balance=0.12345678901234568")
    let near = String(decoding: try Data(contentsOf: workspace.url.appendingPathComponent("a.json")), as: UTF8.self)
    #expect(near.matches(of: /"balance": "0.12345678901234568"/).count == 3, "\(near)")
  }

  @Test("A number that its attribute has no room for is written into no text that cannot be loaded")
  func wideNumber() throws {
    let workspace = try workspace(
      #"<entity name="A"><attribute name="n" optional="YES" attributeType="Integer 16"/></entity>"#)
    try workspace.write(#"{"entity":"A","n":1}"# + "\n", to: "a.jsonl")
    try workspace.shell("modelctl load a.jsonl --output a.sqlite")
    let store = try DatabaseQueue(path: workspace.url.appendingPathComponent("a.sqlite").path)
    try store.write { try $0.execute(sql: "UPDATE ZA SET ZN = 70000") }
    try store.close()
    for format in ["json", "jsonl", "csv"] {
      let dumped = try workspace.modelctl("dump", "a.sqlite", "--format", format, "--output", "text")
      #expect(dumped.status == 2, "\(dumped)")
      #expect(dumped.standardError.contains("A 1: the stored value of n is not a valid Integer 16"), "\(dumped)")
      #expect(try workspace.contents()["text"] == nil)
    }
    let converted = try workspace.modelctl("convert", "a.sqlite", "a.xml")
    #expect(converted.status == 2 && converted.standardError.contains("A 1: n: “70000”"), "\(converted)")
    #expect(try workspace.shell("modelctl query a.sqlite A").contains("70000"))
    #expect(try workspace.shell("modelctl dump a.sqlite --format sqlite").contains("70000"))
    // The refusal says that verify lists all such values.
    let verified = try workspace.modelctl("verify", "a.sqlite", "--format", "json")
    #expect(verified.status == 0 && verified.standardOutput.contains(#""storage-class""#), "\(verified)")
  }

  @Test("A number that a Float has no room for is refused with its line, in a new store and in one that is there")
  func wideFloat() throws {
    let workspace = try workspace(
      #"<entity name="B"><attribute name="f" optional="YES" attributeType="Float"/></entity>"#)
    func line(_ number: String) -> String { #"{"entity":"B","f":\#(number)}"# + "\n" }
    try workspace.write(line("3.4028234663852886e38") + line(#""-inf""#), to: "sound.jsonl")
    try workspace.write(line("0.1") + line("1e39") + line("-1e39"), to: "wide.jsonl")
    for _ in ["new", "there"] {
      let loaded = try workspace.modelctl("load", "wide.jsonl", "--output", "b.sqlite")
      #expect(loaded.status == 2, "\(loaded)")
      let greatest = "3.4028234663852886e+38"
      let messages = [
        "wide.jsonl:2:1: f of a new B is above \(greatest) (Core Data error 1610)",
        "wide.jsonl:3:1: f of a new B is below -\(greatest) (Core Data error 1620)",
      ]
      for message in messages { #expect(loaded.standardError.contains(message), "\(loaded)") }
      #expect(loaded.standardError.contains("2 errors, nothing was loaded"), "\(loaded)")
      try workspace.shell("test -e b.sqlite || modelctl load sound.jsonl --output b.sqlite")
    }
    #expect(try workspace.shell("modelctl query b.sqlite B").contains("2 objects of B"))
  }

  @Test("Upper case, lower case and folded text are computed from the complete text, beyond a NUL")
  func nul() throws {
    let names = ["c": "canonical", "l": "lowercase", "u": "uppercase"]
    let derived = names.map { name, function in
      #"<attribute name="\#(name)" optional="YES" attributeType="String" derived="YES" "#
        + #"derivationExpression="\#(function):(n)"/>"#
    }
    let workspace = try workspace(
      #"<entity name="A"><attribute name="n" optional="YES" attributeType="String"/>\#(derived.joined())</entity>"#)
    try workspace.write(#"{"entity":"A","n":"\u00c9a\u0000Bc"}"# + "\n", to: "a.jsonl")
    for store in ["a.sqlite", "a.json"] {
      try workspace.shell("modelctl load a.jsonl --output \(store)")
      let line = try workspace.shell("modelctl dump \(store) --format jsonl")
      for value in [#""c": "ea\u0000bc""#, #""l": "éa\u0000bc""#, #""u": "ÉA\u0000BC""#] {
        #expect(line.contains(value), "\(store): \(line)")
      }
    }
  }

  @Test("Digits that a SQLite store does not keep are named, and another kind of store keeps them")
  func lostDigits() throws {
    let workspace = try workspace(
      """
      <entity name="A"><attribute name="n" optional="YES" attributeType="Decimal"/>\
      <attribute name="price" optional="YES" attributeType="Composite" composite="P"/></entity>
      <composite name="P"><attribute name="net" optional="YES" attributeType="Decimal"/></composite>
      """)
    // A whole number of 64 bits, 15 digits, and the digits of a double come back as they were.
    let kept = ["9223372036854775807", "0.000123456789012345", "3.3333333332999993"]
    let long = ["1234567890.1234567891", "12345678901234567.5"]
    let lines = (kept + long).map { #"{"entity":"A","n":"\#($0)","price":{"net":"\#($0)"}}"# + "\n" }
    try workspace.write(lines.joined(), to: "a.jsonl")
    let note = """
      note: A.n: 2 numbers have more digits than an SQLite store keeps
        a.jsonl:4: 1234567890.1234567891
      note: A.price.net: 2 numbers have more digits than an SQLite store keeps
        a.jsonl:4: 1234567890.1234567891

      """
    for options in ["", " --match A.n"] {
      let loaded = try workspace.shell("rm -f a.sqlite && modelctl load a.jsonl --output a.sqlite\(options)")
      #expect("\(loaded)\n".hasSuffix(note), "\(loaded)")
    }
    let report = try workspace.shell("modelctl load a.jsonl --output again.sqlite --format json")
    #expect(report.contains(#""first" : "1234567890.1234567891""#), "\(report)")
    for number in kept { #expect(try workspace.shell("modelctl dump a.sqlite --format jsonl").contains(number)) }

    let quiet = try workspace.shell("modelctl load a.jsonl --output a.json")
    #expect(!quiet.contains("note"), "\(quiet)")
    let converted = try workspace.shell("modelctl convert a.json b.sqlite")
    #expect(converted.contains("note: 4 decimal numbers have more digits than an SQLite store keeps"), "\(converted)")
    let set = "A --where 'n == 9223372036854775807' --set n=0.1234567890123456789"
    #expect(
      try workspace.shell("modelctl update a.sqlite \(set)").contains(
        "note: A 1: n keeps fewer digits than 0.1234567890123456789"))
    #expect(try !workspace.shell("modelctl update a.json \(set)").contains("note"))
    try workspace.shell("modelctl update a.json A --where 'n == 3.3333333332999993' --set n=1")
    let text = try workspace.shell("cat a.json")
    for number in long + ["0.1234567890123456789"] { #expect(text.contains("\"n\": \"\(number)\""), "\(text)") }
  }

  /// A JSON store with a number of more digits than an SQLite store keeps.
  private func longNumber() throws -> SampleFolder {
    let workspace = try workspace(
      #"<entity name="A"><attribute name="n" optional="YES" attributeType="Decimal"/></entity>"#)
    try workspace.write(#"{"entity":"A","id":1,"n":"19.990000000000000001"}"# + "\n", to: "a.jsonl")
    try workspace.shell("modelctl load a.jsonl --output a.json")
    return workspace
  }

  @Test("A decimal number is set to the nearest one of fewer digits, and to itself without a change")
  func nearestNumber() throws {
    let workspace = try longNumber()
    try workspace.shell("cp a.json b.json")
    let same = try workspace.shell("modelctl update a.json A --all --set n=19.990000000000000001")
    #expect(same.contains("0 objects changed"), "\(same)")
    #expect(try workspace.shell("cat a.json").contains(#""19.990000000000000001""#))
    let other = try workspace.shell("modelctl update a.json A --all --set n=19.99")
    #expect(other.contains("1 object changed"), "\(other)")
    try workspace.write(#"{"entity":"A","id":1,"n":"19.99"}"# + "\n", to: "b.jsonl")
    try workspace.shell("modelctl load b.jsonl --output b.json --upsert")
    for name in ["a.json", "b.json"] {
      let text = try workspace.shell("cat \(name)")
      #expect(text.contains(#""n": "19.99""#), "\(name): \(text)")
    }
  }

  @Test(
    "A dump has all digits of a store, which is the same when it is loaded",
    arguments: CorpusSample.of(["json", "xml", "binary"], atMost: 1))
  func dumpedDigits(_ kind: String) throws {
    let workspace = try workspace(
      """
      <entity name="A"><attribute name="n" optional="YES" attributeType="Decimal"/>\
      <attribute name="price" optional="YES" attributeType="Composite" composite="P"/></entity>
      <entity name="B" parentEntity="A"/>
      <composite name="P"><attribute name="net" optional="YES" attributeType="Decimal"/>\
      <attribute name="zip" optional="YES" attributeType="String"/></composite>
      """)
    let long = "123456789012.345678901234567891"
    let numbers = [("A", long), ("B", "12345678901234567.5")]
    let lines = numbers.map { entity, number in
      #"{"entity":"\#(entity)","n":"\#(number)","price":{"net":"\#(number)","zip":"\#(entity)"}}"# + "\n"
    }
    try workspace.write(lines.joined(), to: "a.jsonl")
    try workspace.shell("modelctl load a.jsonl --output a.json && modelctl convert a.json store --store-type \(kind)")
    try workspace.shell("cp store before")
    for format in ["json", "jsonl", "csv", "sqlite", "postgresql"] {
      try workspace.shell("modelctl dump store --format \(format) --output dump.\(format)")
      let text = try workspace.shell("cat $(find dump.\(format) -type f)")
      for (_, number) in numbers {
        #expect(text.components(separatedBy: number).count == 3, "\(format) \(number): \(text)")
      }
    }
    try workspace.shell("modelctl load dump.json --output copy.json && cmp copy.json dump.json")
    for format in ["json", "jsonl", "csv"] {
      try workspace.shell("modelctl load dump.\(format) --output of-\(format).json")
      try workspace.shell("modelctl diff store of-\(format).json --data --exit-code")
      try workspace.shell("modelctl load dump.\(format) --output store --upsert && cmp store before")
    }
    // An element is its own number, too, and no change.
    let same = try workspace.shell("modelctl update store A --where \"price.zip == 'A'\" --set price.net=\(long)")
    #expect(same.contains("0 objects changed"), "\(same)")
  }

  @Test("A part of a store keeps all digits or reports its losses, as a copy does, and other digits are a difference")
  func digitsElsewhere() throws {
    let workspace = try longNumber()
    let note = "note: 1 decimal number has more digits than an SQLite store keeps"
    let part = try workspace.shell("modelctl extract a.json --entity A --output part.json")
    #expect(!part.contains("note"), "\(part)")
    #expect(try workspace.shell("cat part.json").contains(#""19.990000000000000001""#))
    let rows = try workspace.shell("modelctl extract a.json --entity A --output part.sqlite")
    #expect(rows.contains(note), "\(rows)")
    try workspace.write("A.n keep\n", to: "rules.txt")
    for kind in ["json", "sqlite"] {
      let copy = try workspace.shell("modelctl anonymize a.json --rules rules.txt --output copy.\(kind)")
      #expect(copy.contains(note), "\(copy)")
    }
    let masked = try workspace.shell("modelctl anonymize a.json --seed 1 --output masked.json")
    #expect(!masked.contains("note"), "\(masked)")

    try workspace.shell("cp a.json b.json")
    try workspace.edit("b.json", "19.990000000000000001", "19.990000000000000009")
    for (name, status) in [("b.json", 1), ("part.json", 0), ("part.sqlite", 0)] as [(String, Int32)] {
      let difference = try workspace.modelctl("diff", "a.json", name, "--data", "--exit-code")
      #expect(difference.status == status, "\(name): \(difference)")
    }
  }

  @Test("A value of an attribute without a type, which no row stores, blocks no command")
  func untyped() throws {
    let workspace = try workspace(
      """
      <entity name="A"><attribute name="any" optional="YES" attributeType="Undefined"/>\
      <attribute name="n" optional="YES" attributeType="Integer 16"/></entity>
      """)
    try workspace.write(#"{"entity":"A","id":1,"n":1}"# + "\n", to: "a.jsonl")
    try workspace.shell("modelctl load a.jsonl --output a.json")
    try workspace.edit("a.json", #""n": 1"#, #""any": {"int64": 7}, "n": 1"#)
    for line in ["query a.json A", "verify a.json", "convert a.json a.xml", "query a.xml A"] {
      try workspace.shell("modelctl \(line)")
    }
  }

  @Test("A rehearsal lists values without a type that block a migration", arguments: ["json", "xml", "binary"])
  func rehearsedUntyped(_ kind: String) throws {
    let any = #"<attribute name="any" optional="YES" attributeType="Undefined"/>"#
    let number = #"<attribute name="n" optional="YES" attributeType="Integer 16"/>"#
    let more = #"<attribute name="more" optional="YES" attributeType="String"/>"#
    let workspace = try workspace("<entity name=\"A\">\(any)\(number)</entity>")
    try workspace.write(#"{"entity":"A","id":1,"n":1}"# + "\n", to: "a.jsonl")
    try workspace.shell("modelctl load a.jsonl --output a.json")
    try workspace.edit("a.json", #""n": 1"#, #""any": {"int64": 7}, "n": 1"#)
    try workspace.shell("modelctl convert a.json store --store-type \(kind)")
    try workspace.write(
      #"""
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>v3.xcdatamodel</string></dict></plist>
      """#, to: "M.xcdatamodeld/.xccurrentversion")
    for (version, attributes) in [("v2", any + number + more), ("v3", number + more)] {
      try workspace.write(
        #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="A">"#
          + attributes + "</entity></model>", to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    let kept = try workspace.modelctl("rehearse", "--store", "store", "--to", "v2")
    #expect(kept.status == 0 && !kept.standardOutput.contains("loses"), "\(kept)")
    let rehearsed = try workspace.modelctl("rehearse", "--store", "store", "--to", "v3")
    let loss = "loses A.any: the attribute A.any and all its values are deleted"
    #expect(rehearsed.status == 0 && rehearsed.standardOutput.contains(loss), "\(rehearsed)")
    let refused = try workspace.modelctl("migrate", "store", "--to", "v3")
    #expect(refused.status == 2 && refused.standardError.contains("--allow-data-loss A.any"), "\(refused)")
    let migrated = try workspace.modelctl("migrate", "store", "--to", "v3", "--allow-data-loss", "A.any")
    #expect(migrated.status == 0, "\(migrated)")
  }

  @Test("A result with properties named format and metadata is not a store, and is replaced")
  func resultLikeStore() throws {
    let workspace = try workspace(
      """
      <entity name="A"><attribute name="format" optional="YES" attributeType="String"/>\
      <attribute name="metadata" optional="YES" attributeType="String"/></entity>
      """)
    try workspace.write(#"{"entity":"A","id":1,"format":"raw","metadata":"none"}"# + "\n", to: "a.jsonl")
    try workspace.shell("modelctl load a.jsonl --output a.json")
    for _ in 0..<2 { try workspace.shell("modelctl query a.json A --format json=out.json") }
    try Refusal.expect(
      ["query", "a.json", "A", "--format", "json=a.json"], says: ["a.json", "Name another file"], in: workspace)
  }

  @Test("A file of external data that one store lost is a difference")
  func lostFile() throws {
    let workspace = try workspace(
      """
      <entity name="T"><attribute name="blob" optional="YES" attributeType="Binary" \
      allowsExternalBinaryDataStorage="YES"/></entity>
      """)
    let bytes = Data(repeating: 7, count: 200_000).base64EncodedString()
    try workspace.write(#"{"entity":"T","blob":"\#(bytes)"}"# + "\n", to: "t.jsonl")
    try workspace.shell("modelctl load t.jsonl --output a.sqlite")
    try workspace.shell("cp a.sqlite b.sqlite && cp -r .a_SUPPORT .b_SUPPORT")
    let same = try workspace.modelctl("diff", "a.sqlite", "b.sqlite", "--data", "--exit-code")
    #expect(same.status == 0, "\(same)")
    try workspace.shell("rm .b_SUPPORT/_EXTERNAL_DATA/*")
    let difference = try workspace.modelctl("diff", "a.sqlite", "b.sqlite", "--data", "--exit-code")
    #expect(difference.status == 1, "\(difference)")
  }

  @Test("A part and an anonymous copy are of the kind that the extension names", arguments: ["json", "xml", "sqlite"])
  func kinds(_ kind: String) throws {
    let workspace = try cafes()
    try workspace.shell("modelctl convert a.sqlite store.json")
    try workspace.shell("modelctl extract store.json --entity A --output part.\(kind)")
    try workspace.shell("modelctl anonymize store.json --output anonymous.\(kind)")
    for name in ["part", "anonymous"] {
      let beginning = try Data(contentsOf: workspace.url.appendingPathComponent("\(name).\(kind)")).prefix(6)
      #expect((beginning == Data("SQLite".utf8)) == (kind == "sqlite"))
      #expect(try workspace.shell("modelctl query \(name).\(kind) A --count") == "2")
    }
  }

  @Test(
    "A result can be written to a pipe",
    arguments: ["update a.sqlite A --all --set a=b", "migrate a.sqlite --to v1"])
  func pipe(_ line: String) throws {
    let workspace = try cafes()
    let result = try Modelctl.shell("modelctl \(line) --format json=/dev/stdout | cat", in: workspace)
    #expect(result.standardOutput.hasPrefix("{"), "\(result)")
  }

  @Test("If the result cannot be written, nothing is done", arguments: ["no/folder.json", "M.xcdatamodeld"])
  func unwritable(_ place: String) throws {
    let workspace = try cafes()
    let before = try workspace.contents()
    for line in [
      "update a.sqlite A --all --set a=b", "delete a.sqlite A --all", "load a.jsonl --output new.sqlite",
      "migrate a.sqlite --to v1", "convert a.sqlite b.xml",
    ] {
      let result = try Modelctl.shell("modelctl \(line) --format json=\(place)", in: workspace)
      #expect(result.status == 2 && result.standardError.contains("\(place): cannot be written"), "\(line): \(result)")
    }
    #expect(try workspace.contents() == before)
  }
}
