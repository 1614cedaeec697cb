import Foundation
import ModelFiles

/// An object of an archive with those that it refers to, as an archive of its own: how the value of a transformable attribute
/// that a binary store has archived is kept as bytes.
enum ArchivedGraph {
  private static let depthLimit = 256
  private static let objectLimit = 1_000_000

  /// Takes an object out of an archive.
  ///
  /// - Returns: a whole archive; nil for an object that refers too deep, or to too many.
  static func bytes(of number: UInt64, in archive: KeyedArchive) -> Data? {
    var copy = Copy(source: archive, writer: ArchivedValueWriter())
    guard let root = copy.add(number, depth: 0) else { return nil }
    return Data(copy.writer.archive(of: ["root": root]))
  }

  /// Puts the object of a whole archive into another one.
  ///
  /// - Returns: the reference; nil for bytes that are no archive, or that would not be taken out again as they are.
  static func add(_ bytes: Data, to writer: inout ArchivedValueWriter) -> PropertyList? {
    guard bytes.starts(with: Data("bplist00".utf8)), let archive = try? KeyedArchive(bytes, path: ""),
      let number = archive.number(ofRoot: "root"), self.bytes(of: number, in: archive) == bytes,
      // What is read as bytes, or as nothing, must not stand for a graph.
      let root = archive.object(numbered: number), !root.isKind(of: "NSNull"), root.value.data == nil,
      !root.isKind(of: "NSData")
    else { return nil }
    var copy = Copy(source: archive, writer: ArchivedValueWriter())
    // A second owner of what was written so far would make each object copy it.
    swap(&copy.writer, &writer)
    defer { swap(&copy.writer, &writer) }
    return copy.add(number, depth: 0)
  }

  /// One object after another, each before those that it refers to, and its class behind them.
  private struct Copy {
    let source: KeyedArchive
    var writer: ArchivedValueWriter
    private var references: [UInt64: PropertyList] = [:]

    init(source: KeyedArchive, writer: ArchivedValueWriter) { (self.source, self.writer) = (source, writer) }

    mutating func add(_ number: UInt64, depth: Int) -> PropertyList? {
      if let reference = references[number] { return reference }
      guard depth < ArchivedGraph.depthLimit, references.count < ArchivedGraph.objectLimit else { return nil }
      // A number that no object has is the archive's null, which is object 0 everywhere.
      guard let object = source.object(numbered: number)?.value else { return .uid(0) }
      if let fields = object.dictionary, fields["$classname"] != nil {
        let reference = writer.reference(toClass: object)
        references[number] = reference
        return reference
      }
      let reference = writer.append(.string("$null"))
      references[number] = reference
      guard let copy = copy(object, depth: depth) else { return nil }
      writer.replace(reference, with: copy)
      return reference
    }

    private mutating func copy(_ list: PropertyList, depth: Int) -> PropertyList? {
      guard depth < ArchivedGraph.depthLimit else { return nil }
      switch list {
      case .uid(let number): return add(number, depth: depth + 1)
      case .array(let elements):
        var copies: [PropertyList] = []
        for element in elements {
          guard let copy = copy(element, depth: depth + 1) else { return nil }
          copies.append(copy)
        }
        return .array(copies)
      case .dictionary(let entries):
        var copies: [String: PropertyList] = [:]
        let keys = entries.keys.filter { $0 != "$class" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for key in keys + (entries["$class"] == nil ? [] : ["$class"]) {
          guard let value = entries[key], let copy = copy(value, depth: depth + 1) else { return nil }
          copies[key] = copy
        }
        return .dictionary(copies)
      default: return list
      }
    }
  }
}
