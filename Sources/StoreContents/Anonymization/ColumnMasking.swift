import Foundation
import MigrationSQL
import ModelFiles
import PersistentStores

/// Masks the values of one column, in memory that is reused for each value.
final class ColumnMasking {
  private let column: TablePlan.Column
  private let values: ValueMask
  private let shift: NumberShift?
  private let memory = ReusedBytes()

  init(_ column: TablePlan.Column, _ values: ValueMask) {
    (self.column, self.values) = (column, values)
    if case .number(let group, _, _) = column.mask { shift = values.shifts[group] } else { shift = nil }
  }

  /// The masked value.
  ///
  /// - Parameter variant: 0, or another number for another result if values must be unique.
  /// - Returns: the value as its column stores it, valid until the next value is masked.
  func masked(_ value: BorrowedValue, variant: Int) throws -> BorrowedValue {
    let variant = column.isUnique ? variant : 0
    switch (value, column.mask) {
    case (.text(let text), .copy): return text.isASCII ? value : .text(written(String(decoding: text, as: UTF8.self)))
    case (.blob(let bytes), .copyWithFiles):
      if let name = ExternalData.fileName(in: bytes) { try values.keptFile(name) }
      return value
    case (_, .copy), (_, .copyWithFiles): return value
    case (_, .empty), (.null, _): return .null
    case (_, .constant(let constant)): return written(constant)
    case (.text(let text), .text(let attribute, let patterns)) where !patterns.isEmpty:
      let text = String(decoding: text, as: UTF8.self)
      return .text(written(try values.text(text, attribute: attribute, patterns: patterns, variant: variant)))
    case (.text(let text), .address):
      return .text(values.texts.mask(text, variant: variant, style: .address, in: memory))
    case (.text(let text), .number) where text.elementsEqual("NaN".utf8): return value
    case (.text(let text), _):
      return .text(values.texts.mask(text, variant: variant, style: .ofTry(variant), in: memory))
    case (.integer(let number), .number): return .integer(shift?.moved(number) ?? number)
    case (.real(let number), .number(_, _, let isSingle)):
      let moved = shift?.moved(number) ?? number
      return .real(isSingle ? Double(Float(moved)) : moved)
    case (.integer, .unknown), (.real, .unknown): return value
    case (.integer(let number), _): return .integer(Int64(values.texts.mask("\(number)", variant: variant)) ?? 0)
    case (.real(let number), _): return .real(Double(values.texts.mask("\(number)", variant: variant)) ?? 0)
    case (.blob(let bytes), _): return .blob(try blob(bytes, UInt64(truncatingIfNeeded: variant)))
    }
  }

  private func blob(_ bytes: UnsafeRawBufferPointer, _ variant: UInt64) throws -> UnsafeRawBufferPointer {
    switch column.mask {
    case .uuid where bytes.count == 16:
      let room = UnsafeMutableRawBufferPointer(start: memory.room(for: 16), count: 16)
      var stream = MaskStream(values.key.hash(bytes, variant))
      stream.fillUUID(room)
      return UnsafeRawBufferPointer(room)
    case .bytes(isMarked: true), .archive(isMarked: true):
      guard let mark = bytes.first else { return bytes }
      if let name = ExternalData.fileName(in: bytes) {
        return UnsafeRawBufferPointer(written([mark] + Array(try values.externalFile(name).utf8) + [0]))
      }
      return content(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()), variant, after: mark)
    default: return content(bytes, variant, after: nil)
    }
  }

  private func content(
    _ bytes: UnsafeRawBufferPointer, _ variant: UInt64, after mark: UInt8?
  ) -> UnsafeRawBufferPointer {
    let hash = values.key.hash(bytes, variant)
    let before = mark.map { [$0] } ?? []
    if case .archive = column.mask, bytes.starts(with: "bplist".utf8) {
      let archive = ArchivedValue.string(values.texts.mask("masked \(hash)")).archive
      return UnsafeRawBufferPointer(written(before + archive))
    }
    var stream = MaskStream(hash)
    let count = before.count + bytes.count
    let room = UnsafeMutableRawBufferPointer(start: memory.room(for: count), count: count)
    room.copyBytes(from: before)
    stream.fill(UnsafeMutableRawBufferPointer(rebasing: room[before.count...]))
    return UnsafeRawBufferPointer(room)
  }

  private func written(_ value: SQLValue) -> BorrowedValue {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(written(text))
    case .blob(let bytes): .blob(UnsafeRawBufferPointer(written(bytes)))
    }
  }

  private func written(_ text: String) -> UnsafeBufferPointer<UInt8> { written(Array(text.utf8)) }

  private func written(_ bytes: [UInt8]) -> UnsafeBufferPointer<UInt8> {
    let room = UnsafeMutableBufferPointer(start: memory.room(for: bytes.count), count: bytes.count)
    _ = room.update(fromContentsOf: bytes)
    return UnsafeBufferPointer(room)
  }
}

/// Memory for the bytes of a single value, which is reused for the next value.
final class ReusedBytes {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity = 256

  init() { start = .allocate(capacity: capacity) }

  deinit { start.deallocate() }

  /// Memory of at least `count` bytes; its content is lost.
  func room(for count: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity < count {
      start.deallocate()
      capacity = max(count, 2 * capacity)
      start = .allocate(capacity: capacity)
    }
    return start
  }
}

/// The mask of one column.
enum ColumnMask {
  /// Keep the values.
  case copy
  /// Keep the values, and the files of external data that they name.
  case copyWithFiles
  /// None is left.
  case empty
  /// Replace all values by this value.
  case constant(SQLValue)
  /// Texts that must match the same patterns as the originals.
  case text(attribute: String, patterns: [String])
  case address
  case uuid
  /// Bytes, with a mark of external storage before them if they may have one.
  case bytes(isMarked: Bool)
  /// The archive of a value, or bytes that only the app can read.
  case archive(isMarked: Bool)
  /// Numbers that are shifted together with the other members of their group.
  case number(group: String, member: Int, isSingle: Bool)
  /// Any value of a table that the model does not have.
  case unknown

  /// Whether the column has texts that must not be found in the copy, or numbers whose range matters.
  var isMasked: Bool {
    switch self {
    case .copy, .copyWithFiles: false
    default: true
    }
  }

  /// Whether two values may be masked by the same value.
  var mayCollide: Bool {
    switch self {
    case .text, .address, .bytes, .archive, .uuid, .unknown: true
    case .copy, .copyWithFiles, .empty, .constant, .number: false
    }
  }
}
