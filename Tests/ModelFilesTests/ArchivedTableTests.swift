import Foundation
import TestSupport
import Testing

@testable import ModelFiles

@Suite("A keyed archive is written as the property list that it is")
struct ArchivedTableTests {
  /// An object as archives have them, and stranger ones: other spellings of a name, references to nothing, equal leaves.
  private static func object(_ number: Int, of count: Int, _ generator: inout SeededGenerator) -> PropertyList {
    let reference = PropertyList.uid(UInt64.random(in: 0...UInt64(count * 4 + 2), using: &generator))
    let integer = PropertyList.integer(Int64(number))
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: return .dictionary(["\u{E9}": integer, "b": reference])
    case 1: return .dictionary(["e\u{301}": integer, "b": reference])
    case 2: return .array([reference, .uid(.max), .string("x"), .uid(UInt64(count) << 20)])
    case 3: return .string("text \(number % 100)")
    case 4: return .dictionary(["NS.keys": .array([reference]), "NS.objects": .array([integer]), "$class": reference])
    case 5: return .real(Double(number) / 3)
    case 6: return .data(Data("\(number % 7)".utf8))
    case 7: return .dictionary([:])
    default: return .dictionary(["nested": .dictionary(["b": reference, "a": integer]), "a": .boolean(true)])
    }
  }

  @Test("Byte by byte, in each width of references", arguments: [0, 1, 20, 90, 2_000, 30_000])
  func bytes(_ count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count) + 1)
    var writer = ArchivedValueWriter()
    var objects: [PropertyList] = [.string("$null")]
    for number in 0..<count {
      let object = Self.object(number, of: count, &generator)
      let place = writer.append(number.isMultiple(of: 3) ? .dictionary(["replaced": .integer(1)]) : object)
      if number.isMultiple(of: 3) { writer.replace(place, with: object) }
      objects.append(object)
    }
    let roots: [String: PropertyList] = ["root": .uid(1), "metadata": .uid(UInt64(count))]
    let list = PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$top": .dictionary(roots),
      "$objects": .array(objects),
    ])
    let bytes = Data(writer.archive(of: roots))
    #expect(bytes == list.binary)
    if count < 1_000 { #expect(try PropertyList(decoding: bytes) == list) }
  }

  @Test("A small list with large references needs no memory, and survives writing and reading")
  func largeReferences() throws {
    let list = PropertyList.array([.uid(60_000_000), .uid(.max), .uid(60_000_000), .uid(3)])
    #expect(try PropertyList(decoding: list.binary) == list)
    #expect(list.binary.count < 100)
  }
}
