import Foundation
import ModelDescription
import ModelFiles
import PersistentStores

/// The two archives of a binary store.
struct BinaryStoreFile {
  /// The maximum number of objects in an archive; shared objects count each time.
  private static let objectLimit = 50_000_000

  let path: String
  let header: BinaryStoreHeader
  private let bytes: Data
  /// The position of the bytes in the file.
  private let start: Int

  init(_ bytes: Data, path: String) throws {
    header = try BinaryStoreHeader(bytes, count: bytes.count, path: path)
    (self.bytes, self.path, start) = (bytes, path, 0)
  }

  private init(_ header: BinaryStoreHeader, _ bytes: Data, from start: Int, path: String) {
    (self.header, self.bytes, self.start, self.path) = (header, bytes, start, path)
  }

  /// Reads the header and the archive of the metadata.
  static func metadata(ofFile path: String) throws -> StoreMetadata {
    guard let handle = FileBytes.handle(path) else {
      return try BinaryStoreFile(FileBytes.whole(path), path: path).numbered().metadata
    }
    defer { try? handle.close() }
    let beginning = try handle.read(upToCount: BinaryStoreHeader.size) ?? Data()
    let header = try BinaryStoreHeader(beginning, count: Int(try handle.seekToEnd()), path: path)
    try handle.seek(toOffset: UInt64(header.metadata.lowerBound))
    let bytes = try handle.read(upToCount: header.metadata.count) ?? Data()
    return try BinaryStoreFile(header, bytes, from: header.metadata.lowerBound, path: path).numbered().metadata
  }

  private func archive(_ range: Range<Int>, _ what: String) throws -> KeyedArchive {
    let bytes = self.bytes.dropFirst(range.lowerBound - start).prefix(range.count)
    do {
      guard bytes.starts(with: Data("bplist00".utf8)) else {
        throw ModelFileError.brokenPropertyList(path: path, .notBinary)
      }
      return try KeyedArchive(bytes, path: path, objectLimit: Self.objectLimit)
    } catch let error as ModelFileError {
      let reason =
        switch error {
        case .brokenPropertyList(_, let error): error.description
        case .brokenArchive(_, let reason): reason
        default: error.words.cause
        }
      throw StoreDocumentError(
        path: path, .byte(range.lowerBound), .malformed("the archive of the \(what) cannot be read: \(reason)"))
    }
  }

  /// Returns the metadata of the store, and the numbering of its keys.
  func numbered() throws -> (metadata: StoreMetadata, numbering: KeyNumbering) {
    let value: ArchivedValue
    do {
      value = try ArchivedValue(root: "metadata", of: archive(header.metadata, "metadata"))
    } catch let error as ArchivedValueError {
      throw StoreDocumentError(
        path: path, .byte(header.metadata.lowerBound), .metadata("the metadata cannot be read: \(error)"))
    }
    guard case .dictionary(var entries)? = Self.list(value) else {
      throw StoreDocumentError(
        path: path, .byte(header.metadata.lowerBound),
        .metadata("the metadata is not a dictionary of property list values"))
    }
    guard let uuid = entries.removeValue(forKey: "NSStoreUUID")?.string else {
      throw StoreDocumentError(
        path: path, .byte(header.metadata.lowerBound), .metadata("the metadata lacks NSStoreUUID"))
    }
    let numbering = KeyNumbering(taking: &entries)
    do {
      return (try StoreMetadata(uuid: uuid, entries: entries, path: path), numbering)
    } catch {
      throw StoreDocumentError(error, path: path, at: .byte(header.metadata.lowerBound))
    }
  }

  private static func list(_ value: ArchivedValue) -> PropertyList? {
    switch value {
    case .string(let text): return .string(text)
    case .integer(let number): return .integer(number)
    case .double(let number): return .real(number)
    case .boolean(let flag): return .boolean(flag)
    case .date(let seconds): return .date(seconds)
    case .data(let bytes): return .data(bytes)
    case .uuid, .null: return nil
    case .array(let members):
      let lists = members.compactMap(list)
      return lists.count == members.count ? .array(lists) : nil
    case .dictionary(let entries):
      let lists = entries.compactMapValues(list)
      return lists.count == entries.count ? .dictionary(lists) : nil
    }
  }

  func nodes() throws -> (archive: KeyedArchive, nodes: [BinaryStoreNode]) {
    let archive = try objects()
    var nodes: [BinaryStoreNode] = []
    try forEachNode(in: archive) { object, number in
      nodes.append(try BinaryStoreNode(object, key: number, in: archive, path: path))
      return nodes.last?.values.count ?? 0
    }
    return (archive, nodes.sorted { $0.key < $1.key })
  }

  /// The archive of the objects.
  func objects() throws -> KeyedArchive { try archive(header.objects, "objects") }

  /// Calls a closure with each object in the order of the file.
  ///
  /// - Parameter body: called with each object and its key; it returns the number of the object's values.
  func forEachNode(in archive: KeyedArchive, _ body: (ArchivedObject, Int64) throws -> Int) throws {
    guard let root = archive.number(ofRoot: "mapData").flatMap(archive.object(numbered:)),
      let keys = root.numbers(in: "NS.keys"), let values = root.numbers(in: "NS.objects"), keys.count == values.count
    else { throw malformed("the archive of the objects has no dictionary “mapData”") }
    var seen: Set<Int64> = []
    var count = 0
    for (key, value) in zip(keys, values) {
      guard let number = archive.object(numbered: key)?.leaf?.integer, number > 0 else {
        throw malformed("the key of an object is not a number from 1")
      }
      let location = StoreDocumentError.Location.object("object \(number)", property: nil)
      guard seen.insert(number).inserted else {
        throw StoreDocumentError(path: path, location, .duplicateKey(String(number)))
      }
      guard let object = archive.object(numbered: value), object.isKind(of: "NSStoreMapNode") else {
        throw StoreDocumentError(path: path, location, .malformed("the object is not an NSDictionaryMapNode"))
      }
      count += try body(object, number)
      // Objects that share one array could have more values than there is memory.
      guard count <= header.objects.count else {
        throw malformed("the objects have more values than the file has bytes")
      }
    }
  }

  private func malformed(_ cause: String) -> StoreDocumentError {
    StoreDocumentError(path: path, .byte(header.objects.lowerBound), .malformed(cause))
  }
}
