import Foundation
import TestSupport
import Testing

@Suite("Results take the place of no store, model, mapping model or lock file")
struct OutputPlaceTests {
  /// Every command that gives its result in forms, with arguments that it takes, and a form that can go to a file.
  static let commands: [(path: String, arguments: String, form: String)] = [
    ("init", "--dry-run", "json"), ("show", "Orders@v1", "json"), ("diagram", "Orders@v1", "dot"),
    ("hash", "Orders@v1", "json"), ("diff", "Orders@v1 Orders@v2", "json"), ("log", "", "json"),
    ("status", "shop.sqlite", "json"), ("plan", "shop.sqlite", "json"), ("migrate", "shop.sqlite", "json"),
    ("mapping check", "", "json"), ("mapping show", "Migrations/Orders/v4-v5.xml", "json"),
    ("mapping new", "Orders@v1 Orders@v2 --write", "json"), ("check", "", "sarif"),
    ("lock", "Models/Orders.xcdatamodeld", "text"), ("new-version", "--model Models/Orders.xcdatamodeld", "json"),
    ("edit add entity", "Invoice --model Models/Orders.xcdatamodeld", "json"),
    ("edit add attribute", "Order.more --type String --model Models/Orders.xcdatamodeld", "json"),
    ("edit add relationship", "Order.more --destination Customer --to-one --model Models/Orders.xcdatamodeld", "json"),
    ("edit add constraint", "Order number --model Models/Orders.xcdatamodeld", "json"),
    ("edit add index", "Order byNumber number --model Models/Orders.xcdatamodeld", "json"),
    ("edit current", "v1 --model Models/Orders.xcdatamodeld", "json"),
    ("edit rename", "Order Purchase --model Models/Orders.xcdatamodeld", "json"),
    ("edit remove", "Order --model Models/Orders.xcdatamodeld", "json"),
    ("edit retype", "Order.number String --model Models/Orders.xcdatamodeld", "json"),
    ("edit set", "Order.number optional=yes --model Models/Orders.xcdatamodeld", "json"),
    ("edit undo", "--model Models/Orders.xcdatamodeld", "json"),
    ("export", "Orders@v1 --output New.xcdatamodeld", "json"),
    ("merge", "base ours theirs", "json"), ("matrix", "", "markdown"), ("rehearse", "--from Orders@v5", "json"),
    ("verify", "shop.sqlite", "json"), ("query", "shop.sqlite Order", "csv"),
    ("update", "shop.sqlite Order --all --set number=1", "json"), ("delete", "shop.sqlite Order --all", "json"),
    ("history", "shop.sqlite", "json"), ("convert", "shop.sqlite copy.sqlite", "json"),
    ("load", "orders.jsonl --output shop.sqlite", "json"), ("cloudkit diff", "Orders@v1 Orders@v2", "json"),
    ("rescue", "shop.sqlite --output new.sqlite", "json"),
  ]

  /// Files that stay, and why.
  private static let kept: [(path: String, words: String)] = [
    ("shop.sqlite", "it is an SQLite database"), ("link.out", "it is an SQLite database"),
    ("shop.json", "it is a store of type JSON"), ("shop.xml", "it is a store of type XML"),
    ("shop.binary", "it is a store of type Binary"), ("shop.sqlite-wal", "it belongs to"),
    ("shop.sqlite-shm", "it belongs to"), ("shop.sqlite-journal", "it belongs to"),
    (".shop_SUPPORT/_EXTERNAL_DATA/data", "it belongs to"), ("log.out", "it is the log of an SQLite database"),
    ("Models/Orders.xcdatamodeld/v1.xcdatamodel/contents", "it is a model"),
    ("Models/Orders.xcdatamodeld/.xccurrentversion", "it is inside the bundle Orders.xcdatamodeld"),
    ("Models/Orders.xcdatamodeld/new.out", "it is inside the bundle Orders.xcdatamodeld"),
    ("Migrations/Orders/v4-v5.xml", "it is a mapping model"), ("Models/Orders.lock.json", "it is a lock file"),
    ("compiled.out", "it is a property list"),
  ]

  /// All of them for one command and in a complete run; some of them, in turn, in any other run.
  private static func tried(by path: String) -> [(path: String, words: String)] {
    guard path != "query", !CorpusSample.isWhole, let first = commands.firstIndex(where: { $0.path == path }) else {
      return kept
    }
    return [0, 5, 10].map { kept[(first + $0) % kept.count] }
  }

  /// What each test gets a copy of, as to make the stores takes longer than all else.
  private static let template = Result { try stores() }

  private func workspace() throws -> SampleFolder { try SampleFolder(copying: Self.template.get()) }

  private static func stores() throws -> SampleFolder {
    let workspace = try SampleFolder()
    for kind in ["sqlite", "json", "xml", "binary"] { try workspace.makeStore("shop.\(kind)", rows: 2) }
    try workspace.write("data", to: ".shop_SUPPORT/_EXTERNAL_DATA/data")
    try workspace.write(#"{"entity": "Order", "number": 1}"#, to: "orders.jsonl")
    try workspace.write("bplist00", to: "compiled.out")
    try Data([0x37, 0x7F, 0x06, 0x82]).write(to: workspace.url.appendingPathComponent("log.out"))
    try workspace.shell("ln -s shop.sqlite link.out")
    return workspace
  }

  @Test("Every command that writes into a file is among these")
  func complete() throws {
    let workspace = try SampleFolder()
    let writing = try HelpTests.commandPaths.get().filter { path in
      let help = try Modelctl.run(path + ["--help"], in: workspace).standardOutput
      return help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(", or write a file with ")
    }
    #expect(writing.map { $0.joined(separator: " ") }.sorted() == Self.commands.map(\.path).sorted())
  }

  @Test("It is refused before anything is done", arguments: CorpusSample.of(commands, atMost: 9))
  func refused(_ path: String, _ arguments: String, _ form: String) throws {
    let workspace = try workspace()
    let command = "\(path) \(arguments)".split(separator: " ").map(String.init)
    for (place, words) in Self.tried(by: path) {
      try Refusal.expect(
        command + ["--format", "\(form)=\(place)"], says: ["error: \(place): cannot be written: \(words)"],
        in: workspace)
    }
  }

  @Test(
    "A file that the command reads or creates is also not replaced, with any content",
    arguments: [
      ("status broken.sqlite --format json=broken.sqlite", "it belongs to the store broken.sqlite"),
      ("verify broken.sqlite --format json=./broken.sqlite", "it belongs to the store broken.sqlite"),
      ("status broken.sqlite --format json=broken.sqlite.v1.backup", "it belongs to the store broken.sqlite"),
      ("convert shop.sqlite new.json --format json=new.json", "it belongs to the store new.json"),
      ("load orders.jsonl --output new.sqlite --format json=new.sqlite", "it belongs to the store new.sqlite"),
      ("load orders.jsonl --output new.sqlite --format json=orders.jsonl", "the command reads orders.jsonl"),
      ("update shop.json Order --all --set number=1 --format json=shop.json", "it is a store of type JSON"),
      ("generate swift Orders@v1 --output shop.json --overwrite", "it is a store of type JSON"),
      ("generate types Orders@v1 --output shop.swift --overwrite", "it is an SQLite database"),
      ("generate types Orders@v1 --output Types --overwrite", "it is an SQLite database"),
      ("migrate shop.sqlite --report shop.md", "it is a store of type JSON"),
      ("migrate Stores --format json=Stores/shop.json", "it is a store of type JSON"),
    ])
  func own(_ line: String, _ words: String) throws {
    let workspace = try workspace()
    try workspace.write("broken", to: "broken.sqlite")
    try workspace.write("backup", to: "broken.sqlite.v1.backup")
    try workspace.shell(
      """
      cp shop.json shop.md; cp shop.sqlite shop.swift; mkdir Types Stores; cp shop.sqlite Types/Order.swift; \
      cp shop.json Stores
      """)
    let arguments = line.split(separator: " ").map(String.init)
    try Refusal.expect(arguments, says: ["cannot be written: \(words)", "\n  Name another file"], in: workspace)
  }

  @Test("An earlier report is replaced, and a pipe or a device is written to")
  func replaced() throws {
    let workspace = try workspace()
    for line in [
      "query shop.sqlite Order --format json=report.json --format csv=rows.csv",
      "status shop.json --format json=s.json",
      "show Orders@v1 --format json=model.json", "diagram Orders@v1 --format dot=model.dot",
      "plan shop.sqlite --format text=plan.sql",
      "migrate shop.sqlite --dry-run --report m.md --format json=m.json",
    ] {
      for _ in 0..<2 {
        let result = try Modelctl.run(line.split(separator: " ").map(String.init), in: workspace)
        #expect(result.status == 0, "\(line): \(result.standardError)")
      }
    }
    let printed = try workspace.shell("modelctl query shop.sqlite Order --format csv=/dev/stdout | cat")
    let rows = try String(contentsOf: workspace.url.appendingPathComponent("rows.csv"), encoding: .utf8)
    #expect(printed == rows.trimmingCharacters(in: .newlines))
    try workspace.shell("modelctl query shop.sqlite Order --format csv=/dev/stdout > again.csv")
    #expect(try String(contentsOf: workspace.url.appendingPathComponent("again.csv"), encoding: .utf8) == rows)
    #expect(try workspace.modelctl("dump", "shop.sqlite", "--output", "dump.json").status == 0)
  }
}
