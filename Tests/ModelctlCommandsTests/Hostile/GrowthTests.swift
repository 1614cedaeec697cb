import Foundation
import GRDB
import TestSupport
import Testing

/// The processor's time of a command for an input and one four times as large.
///
/// Work that grows with the square takes sixteen times as long, work of n log n less than six times.
@Suite("No work grows faster than its input", .serialized)
struct GrowthTests {
  /// A kind of input of any size, and the commands that read it.
  struct Door: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The smaller of the two sizes.
    let size: Int
    let commands: [String]
    let make: @Sendable (_ size: Int, _ workspace: SampleFolder) throws -> Void

    init(
      _ name: String, _ size: Int, _ commands: [String],
      _ make: @escaping @Sendable (_ size: Int, _ workspace: SampleFolder) throws -> Void
    ) {
      (testDescription, self.size, self.commands, self.make) = (name, size, commands, make)
    }
  }

  private static func attributes(_ count: Int, _ name: String = "a") -> String {
    (0..<count).map { "<attribute name=\"\(name)\($0)\" optional=\"YES\" attributeType=\"String\"/>" }.joined()
  }

  private static func entity(_ name: String, _ body: String) -> String {
    "<entity name=\"\(name)\">\(body)</entity>"
  }

  private static func write(_ versions: [String], in workspace: SampleFolder) throws {
    for (number, body) in versions.enumerated() {
      try workspace.write("<model>\(body)</model>\n", to: "M.xcdatamodeld/v\(number + 1).xcdatamodel/contents")
    }
    let current = "<key>_XCCurrentVersionName</key><string>v\(versions.count).xcdatamodel</string>"
    try workspace.write("<plist><dict>\(current)</dict></plist>\n", to: "M.xcdatamodeld/.xccurrentversion")
  }

  private static func makeStore(_ name: String, _ rows: Int, in workspace: SampleFolder) throws {
    try write([entity("A", attributes(3))], in: workspace)
    let made = try workspace.modelctl(
      "create", name, "--version", "v1", "--rows", "\(rows)", "--model", "M.xcdatamodeld")
    try #require(made.status == 0, "\(made.standardError)")
  }

  private static let doors = [
    Door("attributes", 250, ["check M.xcdatamodeld", "diff v1 v2", "mapping new v1 v2", "show v2"]) {
      try write([entity("A", attributes($0) + attributes(1, "z")), entity("A", attributes($0))], in: $1)
    },
    Door("renamed properties", 250, ["check M.xcdatamodeld", "diff v1 v2", "mapping new v1 v2"]) {
      try write([entity("A", attributes($0, "b")), entity("A", attributes($0))], in: $1)
    },
    Door("entities", 300, ["check M.xcdatamodeld", "diff v1 v2", "show v2", "create o.sqlite --version v2"]) {
      count, folder in
      let all = (0..<count).map { entity("A\($0)", attributes(3)) }.joined()
      try write([all + entity("Z", attributes(1)), all], in: folder)
    },
    Door("relationships", 200, ["check M.xcdatamodeld", "diff v1 v1"]) { count, folder in
      let near = (0..<count).map {
        "<relationship name=\"r\($0)\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" destinationEntity=\"B\" "
          + "inverseName=\"s\($0)\" inverseEntity=\"B\"/>"
      }
      let far = (0..<count).map {
        "<relationship name=\"s\($0)\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" destinationEntity=\"A\" "
          + "inverseName=\"r\($0)\" inverseEntity=\"A\"/>"
      }
      try write([entity("A", near.joined()) + entity("B", far.joined())], in: folder)
    },
    Door("versions", 60, ["check M.xcdatamodeld"]) { count, folder in
      try write((0..<count).map { entity("A", attributes(2 + $0 % 7) + attributes($0 % 3, "q")) }, in: folder)
    },
    Door(
      "lines of a CSV", 3000, ["load A.csv --version v1 --output o.sqlite", "load A.csv --version v1 --output o.json"]
    ) {
      count, folder in
      try write([entity("A", attributes(3))], in: folder)
      let lines = (1...count).map { "\($0),x\($0),y,z\n" }.joined()
      try folder.write("id,a0,a1,a2\n\(lines)", to: "A.csv")
    },
    Door("members of a list", 3000, ["load a.jsonl --version v1 --output o.sqlite"]) { count, folder in
      let parent =
        "<relationship name=\"p\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" destinationEntity=\"A\" "
        + "inverseName=\"c\" inverseEntity=\"A\"/><relationship name=\"c\" optional=\"YES\" toMany=\"YES\" "
        + "deletionRule=\"Nullify\" destinationEntity=\"A\" inverseName=\"p\" inverseEntity=\"A\"/>"
      try write([entity("A", attributes(1) + parent)], in: folder)
      let lines = (1...count).map { "{\"entity\":\"A\",\"id\":\($0),\"a0\":\"x\",\"p\":1}\n" }
      try folder.write(lines.joined(), to: "a.jsonl")
    },
    Door(
      "objects of a JSON store", 1200, ["status s.json", "convert s.json o.sqlite", "update s.json A --all --set a0=x"]
    ) {
      try makeStore("s.json", $0, in: $1)
    },
    Door("rows", 4000, ["dump s.sqlite --format jsonl", "anonymize s.sqlite --output o.sqlite", "verify s.sqlite"]) {
      try makeStore("s.sqlite", $0, in: $1)
    },
    Door("objects of an XML store", 1000, ["status s.xml", "convert s.xml o.json", "verify s.xml"]) {
      try makeStore("s.xml", $0, in: $1)
    },
    Door("keys of an archive", 600, ["status s.binary", "convert s.binary o.xml", "verify s.binary"]) {
      try makeStore("s.binary", $0, in: $1)
    },
    Door("levels of entities", 24, ["check M.xcdatamodeld", "diff v1 v1", "create o.sqlite --version v1"]) {
      count, folder in
      let levels = (1..<count).map { "<entity name=\"A\($0)\" parentEntity=\"A\($0 - 1)\"></entity>" }
      try write([entity("A0", attributes(5)) + levels.joined()], in: folder)
    },
    Door("rows of metadata", 3000, ["status s.sqlite", "verify s.sqlite", "plan s.sqlite"]) { count, folder in
      try makeStore("s.sqlite", 1, in: folder)
      try access("s.sqlite", of: folder) { database in
        for number in 2...count + 1 {
          try database.execute(
            sql: "INSERT INTO Z_METADATA SELECT ?, Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1",
            arguments: [number])
        }
      }
    },
    Door("keys of metadata", 10_000, ["status s.sqlite", "verify s.sqlite", "plan s.sqlite"]) { count, folder in
      try makeStore("s.sqlite", 1, in: folder)
      try access("s.sqlite", of: folder) { database in
        let bytes = try Data.fetchOne(database, sql: "SELECT Z_PLIST FROM Z_METADATA") ?? Data()
        var keys = try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any] ?? [:]
        for number in 0..<count { keys["key\(number)"] = number }
        let changed = try PropertyListSerialization.data(fromPropertyList: keys, format: .binary, options: 0)
        try database.execute(sql: "UPDATE Z_METADATA SET Z_PLIST = ?", arguments: [changed])
      }
    },
  ]

  private static func access(_ store: String, of folder: SampleFolder, _ work: (Database) throws -> Void) throws {
    let queue = try DatabaseQueue(path: folder.folder.path(store))
    try queue.write(work)
    try queue.close()
  }

  @Test("Four times the input", arguments: CorpusSample.of(doors, atMost: 2))
  func growth(_ door: Door) throws {
    for command in CorpusSample.of(door.commands, atMost: 1) {
      let words =
        command.split(separator: " ").map(String.init)
        + (command.hasPrefix("check") ? [] : ["--model", "M.xcdatamodeld"])
      var times: [Double] = []
      for size in [1 + door.size / 16, door.size, 4 * door.size] {
        let workspace = try SampleFolder(emptyNamed: "Growth")
        try door.make(size, workspace)
        let run = try MeasuredRun(words, in: workspace)
        try #require(run.status <= 1, "\(command): \(run.output.suffix(300))")
        times.append(run.seconds)
      }
      // What every run takes is not counted, and less than the clock shows is no time.
      let factor = (times[2] - times[0]) / max(times[1] - times[0], 0.03)
      #expect(factor < 10, "\(door.testDescription), \(command): \(times)")
    }
  }
}
