import Foundation
import ModelFiles
import Testing

@Suite("Plain values in keyed archives")
struct ArchivedValueTests {
  static let values: [ArchivedValue] = [
    .string(""), .string("a\0ü🎈"), .integer(.min), .integer(.max), .double(0.5), .boolean(true), .date(-1.25),
    .data(Data([1, 0, 255])), .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))), .array([]),
    .dictionary([:]), .array([.null, .string("$null"), .array([.string("x"), .string("x")])]),
    .dictionary(["b": .integer(1), "a": .dictionary(["": .array([.boolean(false), .date(0)])])]),
  ]

  @Test("A value survives writing and reading", arguments: values)
  func roundTrip(_ value: ArchivedValue) throws {
    #expect(try ArchivedValue(archive: value.archive) == value)
  }

  @Test("Foundation reads written values")
  func foundation() throws {
    let value = ArchivedValue.dictionary([
      "names": .array([.string("Anna"), .integer(3), .double(0.5)]), "date": .date(7), "bytes": .data(Data([1, 2])),
    ])
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self],
      from: value.archive)
    let entries = try #require(read as? [String: Any])
    #expect(entries["names"] as? [AnyHashable] == ["Anna", 3, 0.5])
    #expect(entries["date"] as? Date == Date(timeIntervalSinceReferenceDate: 7))
    #expect(entries["bytes"] as? Data == Data([1, 2]))
  }

  @Test("Values that Foundation writes are read, also of classes that change")
  func written() throws {
    let list: NSArray = [
      NSMutableString(string: "Anna"), NSNumber(value: 3), NSMutableArray(array: [true, 0.5]),
      NSMutableDictionary(dictionary: ["a": Date(timeIntervalSinceReferenceDate: 7)]), NSMutableData(data: Data([9])),
      NSUUID(uuidString: "00000000-0000-0000-0000-00000000000F") ?? NSUUID(),
    ]
    let archive = try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)
    let uuid = try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000F"))
    #expect(
      try ArchivedValue(archive: archive)
        == .array([
          .string("Anna"), .integer(3), .array([.boolean(true), .double(0.5)]), .dictionary(["a": .date(7)]),
          .data(Data([9])), .uuid(uuid),
        ]))
  }

  private func archive(_ objects: [PropertyList]) -> Data {
    PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$top": .dictionary(["root": .uid(1)]),
      "$objects": .array([.string("$null")] + objects),
    ]).binary
  }

  private func list(_ members: [UInt64], class name: UInt64) -> PropertyList {
    .dictionary(["NS.objects": .array(members.map { .uid($0) }), "$class": .uid(name)])
  }

  private static let arrayClass = PropertyList.dictionary([
    "$classname": .string("NSArray"), "$classes": .array([.string("NSArray"), .string("NSObject")]),
  ])

  @Test("Circles, repeated halves, other classes and data that is not an archive are refused with a message")
  func hostile() throws {
    #expect(throws: ArchivedValueError.tooDeep(limit: 64)) {
      try ArchivedValue(archive: archive([list([1], class: 2), Self.arrayClass]))
    }
    // Each list has the next one twice: 2^40 values in 42 objects.
    let halves =
      (0..<40).map { list([UInt64($0) + 2, UInt64($0) + 2], class: 42) } + [.string("end"), Self.arrayClass]
    #expect(throws: ArchivedValueError.tooLarge(limit: 1_000_000)) { try ArchivedValue(archive: archive(halves)) }
    let color = PropertyList.dictionary([
      "$classname": .string("UIColor"), "$classes": .array([.string("UIColor"), .string("NSObject")]),
    ])
    let other = archive([.dictionary(["$class": .uid(2)]), color])
    #expect(throws: ArchivedValueError.otherClass("UIColor")) { try ArchivedValue(archive: other) }
    for bytes in [Data(), Data("bplist00".utf8), Data("text".utf8), PropertyList.array([]).binary] {
      let error = #expect(throws: ArchivedValueError.self) { try ArchivedValue(archive: bytes) }
      guard case .noArchive = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
    for length in stride(from: 0, to: other.count, by: 3) {
      #expect(throws: ArchivedValueError.self) { try ArchivedValue(archive: other.prefix(length)) }
    }
  }
}
