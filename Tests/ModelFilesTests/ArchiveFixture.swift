import Foundation
import ModelFiles

/// Puts a keyed archive together object by object.
struct ArchiveFixture {
  private(set) var objects: [PropertyList] = [.string("$null")]

  /// Adds an object of a class and returns the reference to it.
  mutating func add(_ className: String, _ fields: [String: PropertyList]) -> PropertyList {
    let description = add(
      .dictionary(["$classname": .string(className), "$classes": .array([.string(className), .string("NSObject")])]))
    return add(.dictionary(fields.merging(["$class": description]) { field, _ in field }))
  }

  mutating func add(_ value: PropertyList) -> PropertyList {
    objects.append(value)
    return .uid(UInt64(objects.count - 1))
  }

  mutating func add(text: String) -> PropertyList { add(.string(text)) }

  mutating func add(array: [PropertyList]) -> PropertyList { add("NSArray", ["NS.objects": .array(array)]) }

  mutating func add(entries: [(String, PropertyList)]) -> PropertyList {
    let keys = entries.map { add(text: $0.0) }
    return add("NSDictionary", ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.1))])
  }

  mutating func set(_ reference: PropertyList, _ key: String, to value: PropertyList) {
    guard let uid = reference.uid, case .dictionary(var fields) = objects[Int(uid)] else { return }
    fields[key] = value
    objects[Int(uid)] = .dictionary(fields)
  }

  func data(root: PropertyList) -> Data {
    PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
      "$top": .dictionary(["root": root]), "$objects": .array(objects),
    ]).binary
  }

  /// An archive in stored DEFLATE blocks, which need no compressor.
  static func deflated(_ data: Data) -> Data {
    var blocks = Data()
    var rest = data[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      blocks.append(contentsOf: [rest.isEmpty ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8)])
      blocks.append(contentsOf: [UInt8(~count & 0xFF), UInt8(~count >> 8)])
      blocks.append(block)
    } while !rest.isEmpty
    return blocks
  }
}
