import Foundation
import ModelFiles
import TestSupport
import Testing

@Suite("Every command refuses a bad store of a type other than SQLite and leaves it unchanged")
struct BadDocumentCommandTests {
  /// A file that is not a valid store, and the messages after its name.
  private struct Bad {
    let name: String
    let bytes: Data
    let words: String

    /// True if the file's beginning is sound and an object is not.
    var isOfObjects: Bool { name == "wrong" || name == "dangling" }
  }

  /// A customer with an order.
  private static let text = """
    {"entity": "Customer", "id": 1, "name": "Anna", "registrationDate": "2026-01-02T03:04:05Z", "orders": [2]}
    {"entity": "Order", "id": 2, "number": 7, "date": "2026-02-03T09:00:00Z"}

    """

  private static let commands = [
    "status FILE", "show FILE", "query FILE Order", "plan FILE", "migrate FILE", "verify FILE",
    "convert FILE made.sqlite", "dump FILE", "diff --data good.sqlite FILE", "rehearse --store FILE",
    "update FILE Order --all --set number=8", "delete FILE Order --all",
    "extract FILE --entity Order --output made.sqlite", "anonymize FILE --output made.sqlite",
    "load text.jsonl --output FILE --version Orders@v1 --upsert",
  ]

  @Test(
    "A file that is cut, that continues after its end, or that holds content unknown to its model",
    arguments: ["json", "xml", "binary"])
  func badFile(_ kind: String) throws {
    let workspace = try SampleFolder()
    try workspace.write(Self.text, to: "text.jsonl")
    for store in ["good.sqlite", "good.\(kind)"] {
      let made = try workspace.modelctl("load", "text.jsonl", "--output", store, "--version", "Orders@v1")
      #expect(made.status == 0, "\(made)")
    }
    let files = try Self.bad(kind, Data(contentsOf: workspace.url.appendingPathComponent("good.\(kind)")))
    for bad in files { try bad.bytes.write(to: workspace.url.appendingPathComponent("\(bad.name).\(kind)")) }
    let runs = files.flatMap { bad in Self.commands.map { (bad, $0) } }
    for (bad, command) in CorpusSample.of(runs, atMost: 10) {
      let store = "\(bad.name).\(kind)"
      let arguments = command.replacing("FILE", with: store).split(separator: " ").map(String.init)
      if arguments[0] == "status", bad.isOfObjects || kind == "xml" && bad.name == "trailing" {
        // The metadata alone are read, which XML has at its beginning.
        let result = try Modelctl.run(arguments, in: workspace)
        #expect(result.status != 2 && result.standardOutput.contains("written by version v1"), "\(result)")
        continue
      }
      try Refusal.expect(arguments, says: ["error: \(store):", bad.words], in: workspace)
    }
  }

  @Test(
    "A text that no store can be made of, or filled with",
    arguments: [
      (
        "half.jsonl", #"{"entity": "Customer", "id": 1, "name": "An"#, "1:44: not well-formed JSON: a string has no end"
      ),
      (
        "value.jsonl",
        #"{"entity": "Customer", "id": 1, "name": 4, "registrationDate": "2026-01-02T03:04:05Z"}"#,
        "1:41: “4” is not a valid value of name, which has the type String"
      ),
      (
        "trailing.jsonl", #"{"entity": "Order", "id": 5, "customer": 1, "date": "2026-02-03T09:00:00Z"} x"#,
        "1:77: not well-formed JSON: the text continues after its end"
      ),
      (
        "link.jsonl", #"{"entity": "Order", "id": 5, "customer": 3, "date": "2026-02-03T09:00:00Z"}"#,
        "1:1: customer of a new Order is Customer 3, which does not exist"
      ),
      (
        "Customer.csv", "id,name,registrationDate\n1,\"Anna,2026-01-02T03:04:05Z\n",
        "2:3: the quote that opens here is not closed"
      ),
      (
        "Customer.csv", "id,name,registrationDate\n1,2026-01-02T03:04:05Z,Anna\n",
        "2:24: “Anna” is not a valid value of registrationDate, which has the type Date"
      ),
      (
        "Customer.csv", "id,nam,registrationDate\n1,Anna,2026-01-02T03:04:05Z\n",
        "1:4: Customer has no property “nam”; nearest: name"
      ),
      ("Customer.csv", "id,name,registrationDate\n1,Anna\n", "2:1: the row has 2 fields, and the header 3"),
      (
        "Order.csv", "id,customer,date\n5,3,2026-02-03T09:00:00Z\n",
        "2:1: customer of a new Order is Customer 3, which does not exist"
      ),
    ])
  func badText(file: String, text: String, words: String) throws {
    let workspace = try SampleFolder()
    try workspace.write(Self.text, to: "text.jsonl")
    let made = try workspace.modelctl("load", "text.jsonl", "--output", "shop.json", "--version", "Orders@v1")
    #expect(made.status == 0, "\(made)")
    try workspace.write(text, to: file)
    for output in [["new.sqlite"], ["new.xml"], ["shop.json", "--upsert"]] {
      try Refusal.expect(
        ["load", file, "--version", "Orders@v1", "--output"] + output, says: ["error: \(file):\(words)"],
        in: workspace)
    }
  }

  private static func bad(_ kind: String, _ good: Data) throws -> [Bad] {
    func changed(_ piece: String, _ replacement: String) -> Data {
      Data(String(decoding: good, as: UTF8.self).replacing(piece, with: replacement).utf8)
    }
    let (cut, trailing) = (good.prefix(good.count / 2), good + Data("x".utf8))
    switch kind {
    case "json":
      return [
        Bad(name: "cut", bytes: cut, words: ": not well-formed JSON: "),
        Bad(name: "trailing", bytes: trailing, words: ":14:1: not well-formed JSON: the text continues after its end"),
        Bad(
          name: "wrong", bytes: changed("\"name\": \"Anna\"", "\"name\": 4"),
          words: ":11:40: “4” is not a valid value of name, which has the type String"),
        Bad(
          name: "dangling", bytes: changed("\"customer\": 1", "\"customer\": 3"),
          words: ":13:26: customer points to Customer 3, which does not exist"),
      ]
    case "xml":
      return [
        Bad(name: "cut", bytes: cut, words: ": not valid XML: "),
        Bad(
          name: "trailing", bytes: trailing, words: ":64:12: not valid XML: Extra content at the end of the document"),
        Bad(
          name: "wrong", bytes: changed("type=\"int32\">7<", "type=\"int32\">x<"),
          words: ":58:9: “x” is not a valid value of number, which has the type Integer 32"),
        Bad(
          name: "dangling", bytes: changed("idrefs=\"z1\"", "idrefs=\"z9\""),
          words: ":61:9: customer points to z9, which does not exist"),
      ]
    default:
      return [
        Bad(name: "cut", bytes: cut, words: ": byte 24: the archive of the metadata has "),
        Bad(
          name: "trailing", bytes: trailing,
          words: ": byte \(good.count): the file has more bytes after its last archive"),
        Bad(
          name: "wrong", bytes: try rearchived(good) { $0.map { $0 == .string("Anna") ? .integer(4) : $0 } },
          words: ": Customer 1: name: “4” is not a valid value of name, which has the type String"),
        Bad(
          name: "dangling", bytes: try rearchived(good, withoutFirstObject),
          words: ": Order 2: customer: customer points to object 1, which does not exist"),
      ]
    }
  }

  /// Leaves the first object out of the dictionary of all objects, which is the archive's first.
  private static func withoutFirstObject(_ objects: [PropertyList]) -> [PropertyList] {
    var objects = objects
    guard var map = objects[1].dictionary else { return objects }
    for name in ["NS.keys", "NS.objects"] { map[name] = .array(Array((map[name]?.array ?? []).dropFirst())) }
    objects[1] = .dictionary(map)
    return objects
  }

  /// A binary store with other objects in the archive of its objects.
  private static func rearchived(_ store: Data, _ change: ([PropertyList]) -> [PropertyList]) throws -> Data {
    func field(_ offset: Int) -> Int { store[offset..<offset + 8].reduce(0) { $0 << 8 | Int($1) } }
    let metadata = store[field(16)..<field(16) + field(24)]
    let list = try PropertyList(decoding: Data(store[field(32)..<field(32) + field(40)]))
    var archive = try #require(list.dictionary)
    let objects = try #require(archive["$objects"]?.array)
    archive["$objects"] = .array(change(objects))
    let new = PropertyList.dictionary(archive).binary
    var bytes = store.prefix(16)
    for number in [64 + new.count, metadata.count, 64, new.count, field(48), field(56)] {
      for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    return bytes + new + metadata
  }
}
