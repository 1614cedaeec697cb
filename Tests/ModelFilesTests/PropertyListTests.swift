import Foundation
import ModelFiles
import Testing

/// Property lists keep every type exactly, and hostile ones are refused.
struct PropertyListTests {
  static let values: [PropertyList] = [
    .string(""), .string("plain"), .string("Straße 🚲"), .string(String(repeating: "x", count: 300)),
    .integer(0), .integer(255), .integer(256), .integer(65_536), .integer(1 << 40), .integer(-1), .integer(.min),
    .integer(.max), .unsigned(.max), .real(1.5), .real(-0.0), .single(0.1), .boolean(true), .boolean(false),
    .date(704_497_620.5), .data(Data()), .data(Data(repeating: 7, count: 70_000)), .uid(3), .uid(70_000),
    .array([]), .array([.integer(1), .boolean(true), .real(1), .integer(1)]),
    .dictionary([:]), .dictionary(["b": .array([.string("b")]), "a": .dictionary(["ä": .integer(-5)])]),
    .array((0..<400).map { .dictionary(["n": .integer(Int64($0))]) }),
  ]

  @Test(arguments: values)
  func whatIsWrittenIsReadAgain(_ list: PropertyList) throws {
    #expect(try PropertyList(decoding: list.binary) == list)
  }

  @Test func equalListsGiveEqualBytes() {
    let one = PropertyList.dictionary(["a": .integer(1), "b": .integer(2), "c": .string("a")])
    let other = PropertyList.dictionary(["c": .string("a"), "b": .integer(2), "a": .integer(1)])
    #expect(one.binary == other.binary)
  }

  @Test func foundationReadsWhatIsWritten() throws {
    let list = PropertyList.dictionary([
      "text": .string("ä"), "number": .integer(-3), "real": .real(2.5), "yes": .boolean(true),
      "when": .date(86_400), "bytes": .data(Data([1, 2])), "list": .array([.string("x"), .string("x")]),
    ])
    let object = try PropertyListSerialization.propertyList(from: list.binary, format: nil)
    let read = try #require(object as? [String: Any])
    #expect(read["text"] as? String == "ä")
    #expect(read["number"] as? Int == -3)
    #expect(read["real"] as? Double == 2.5)
    #expect(read["yes"] as? Bool == true)
    #expect(read["when"] as? Date == Date(timeIntervalSinceReferenceDate: 86_400))
    #expect(read["bytes"] as? Data == Data([1, 2]))
    #expect(read["list"] as? [String] == ["x", "x"])
  }

  @Test func whatFoundationWritesIsRead() throws {
    let object: [String: Any] = ["n": 300, "d": 0.25, "b": false, "s": ["é", "f"], "x": Data([9])]
    let data = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
    #expect(
      try PropertyList(decoding: data)
        == .dictionary([
          "n": .integer(300), "d": .real(0.25), "b": .boolean(false), "s": .array([.string("é"), .string("f")]),
          "x": .data(Data([9])),
        ]))
  }

  @Test func theXMLFormGivesTheSameTypes() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict>
        <key>_XCCurrentVersionName</key><string>Model 2.xcdatamodel</string>
        <key>one</key><integer>1</integer><key>yes</key><true/><key>half</key><real>0.5</real>
        <key>when</key><date>2001-01-02T00:00:00Z</date><key>bytes</key><data>AQI=</data>
        <key>list</key><array><string/></array>
      </dict></plist>
      """
    #expect(
      try PropertyList(decoding: Data(text.utf8))
        == .dictionary([
          "_XCCurrentVersionName": .string("Model 2.xcdatamodel"), "one": .integer(1), "yes": .boolean(true),
          "half": .real(0.5), "when": .date(86_400), "bytes": .data(Data([1, 2])), "list": .array([.string("")]),
        ]))
  }

  @Test func aReferenceInTheXMLFormIsAReference() throws {
    let text = "<plist><array><dict><key>CF$UID</key><integer>7</integer></dict></array></plist>"
    #expect(try PropertyList(decoding: Data(text.utf8)) == .array([.uid(7)]))
  }

  @Test(arguments: [
    "<plist/>", "<plist><dict><key>a</key></dict></plist>", "<plist><dict><string>a</string></dict></plist>",
    "<plist><integer>x</integer></plist>", "<plist><set/></plist>", "<dict/>", "plain",
  ])
  func brokenXMLListsAreRefused(_ text: String) {
    #expect(throws: PropertyListError.self) { try PropertyList(decoding: Data(text.utf8)) }
  }

  /// Objects as given, one byte a reference and an offset, the first object on top.
  private func hostile(_ objects: [[UInt8]]) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table]
    return Data(bytes)
  }

  @Test func anObjectThatContainsItselfIsRefused() {
    #expect(throws: PropertyListError.cycle) { try PropertyList(decoding: hostile([[0xA1, 1], [0xA1, 0]])) }
  }

  @Test func sharedObjectsThatDoubleAreRefused() {
    let doubling = (0..<40).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] as [UInt8] } + [[0x09]]
    #expect(throws: PropertyListError.tooManyObjects(limit: 1_000_000)) {
      try PropertyList(decoding: hostile(doubling))
    }
  }

  @Test func deepNestingIsRefused() {
    let deep = (0..<70).map { [0xA1, UInt8($0 + 1)] as [UInt8] } + [[0x09]]
    #expect(throws: Never.self) { try PropertyList(decoding: hostile(deep)) }
    let nested = (0..<200).reduce(PropertyList.boolean(true)) { inner, _ in .array([inner]) }
    #expect(throws: PropertyListError.tooDeep(limit: 128)) { try PropertyList(decoding: nested.binary) }
  }

  @Test func countsBeyondTheBytesAreRefused() {
    for object: [UInt8] in [
      [0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xAF, 0x12, 0x7F, 0xFF, 0xFF, 0xFF],
      [0x6F, 0x11, 0xFF, 0xFF], [0xD1, 9, 9], [0x4E], [0x13],
    ] {
      #expect(throws: PropertyListError.self) { try PropertyList(decoding: hostile([object])) }
    }
  }

  @Test func everyPrefixAndEveryChangedByteIsAnswered() throws {
    let bytes = [UInt8](PropertyList.array(Self.values.filter { $0.binary.count < 200 }).binary)
    var answered = 0
    for position in bytes.indices {
      for change: UInt8 in [0, 1, 0x0F, 0x80, 0xFF] {
        var changed = change == 0 ? Array(bytes[..<position]) : bytes
        if change != 0 { changed[position] ^= change }
        _ = try? PropertyList(decoding: Data(changed))
        answered += 1
      }
    }
    #expect(answered == bytes.count * 5)
  }
}
