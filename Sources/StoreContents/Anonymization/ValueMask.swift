import Foundation
import MigrationSQL
import ModelFiles
import PersistentStores

/// Makes the values of an anonymous copy of those of a store.
struct ValueMask {
  let key: KeyedHash
  let texts: TextMask
  let shifts: [String: NumberShift]
  let expressions = RegularExpressions()
  /// Gives a file of external data another name and content, and returns the name.
  let externalFile: (_ name: String) throws -> String

  /// How many results are tried until one matches a regular expression.
  private static let tries = 12

  /// The value that stands in the copy.
  ///
  /// - Parameters:
  ///   - value: the store's value.
  ///   - mask: what becomes of it.
  ///   - variant: 0, or another number for another result.
  /// - Returns: the value as its column keeps it.
  /// - Throws: ``AnonymizationError/noMatch(attribute:pattern:)``, and what writing a file throws.
  func masked(_ value: SourceValue, _ mask: ColumnMask, variant: Int) throws -> SQLValue {
    switch (value, mask) {
    case (_, .copy): return Self.unchanged(value)
    case (_, .empty), (.null, _): return .null
    case (_, .constant(let value)): return value
    case (.text(let text), .text(let attribute, let patterns)):
      return .text(try self.text(text, attribute: attribute, patterns: patterns, variant: variant))
    case (.text(let text), .address): return .text(texts.mask(text, variant: variant, style: .address))
    case (.text("NaN"), .number): return .text("NaN")
    case (.text(let text), _): return .text(texts.mask(text, variant: variant))
    case (.integer(let number), .number(let group, _)): return .integer(shifts[group]?.moved(number) ?? number)
    case (.real(let number), .number(let group, let isSingle)):
      let moved = shifts[group]?.moved(number) ?? number
      return .real(isSingle ? Double(Float(moved)) : moved)
    case (.integer(let number), .unknown): return .integer(number)
    case (.real(let number), .unknown): return .real(number)
    case (.integer(let number), _): return .integer(Int64(texts.mask("\(number)", variant: variant)) ?? 0)
    case (.real(let number), _): return .real(Double(texts.mask("\(number)", variant: variant)) ?? 0)
    case (.blob(let bytes), _): return .blob([UInt8](try self.bytes(bytes, mask, variant)))
    }
  }

  private static func unchanged(_ value: SourceValue) -> SQLValue {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    case .blob(let bytes): .blob([UInt8](bytes))
    }
  }

  private func text(
    _ text: String, attribute: String, patterns: [String], variant: Int
  ) throws(AnonymizationError) -> String {
    let needed = patterns.filter { expressions.matchesWhole(text, $0) }
    guard let pattern = needed.first else { return texts.mask(text, variant: variant) }
    for style in [TextMask.Style.plain, .hexadecimal, .keepingLetters, .keepingDigits] {
      for number in 0..<Self.tries {
        let result = texts.mask(text, variant: variant &* Self.tries &+ number, style: style)
        if result != text, needed.allSatisfy({ expressions.matchesWhole(result, $0) }) { return result }
      }
    }
    if text.isEmpty { return text }
    throw .noMatch(attribute: attribute, pattern: pattern)
  }

  private func bytes(_ bytes: Data, _ mask: ColumnMask, _ variant: Int) throws -> Data {
    let number = UInt64(truncatingIfNeeded: variant)
    switch mask {
    case .uuid where bytes.count == 16:
      var stream = MaskStream(key.hash(bytes, number))
      return Data(stream.uuid())
    case .bytes(isMarked: true), .archive(isMarked: true):
      guard let mark = bytes.first else { return bytes }
      if let name = ExternalData.fileName(in: bytes) {
        return Data([mark]) + Data(try externalFile(name).utf8) + Data([0])
      }
      return Data([mark]) + content(bytes.dropFirst(), mask, number)
    default: return content(bytes, mask, number)
    }
  }

  private func content(_ bytes: Data, _ mask: ColumnMask, _ variant: UInt64) -> Data {
    let hash = key.hash(bytes, variant)
    if case .archive = mask, bytes.starts(with: Array("bplist".utf8)) {
      return ArchivedValue.string(texts.mask("masked \(hash)")).archive
    }
    var stream = MaskStream(hash)
    return Data(stream.bytes(bytes.count))
  }
}
