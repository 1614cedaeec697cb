import Foundation
import ModelFiles

/// The text of a JSON store without its objects and last keys, found by reading the file in pieces.
///
/// The nesting of values and the separators are checked. In the skipped parts, the spelling of numbers and words,
/// duplicate keys and UTF-8 are not checked.
struct JSONStoreHead {
  private static let passedKeys = JSONStoreText.passed.map { Array($0.utf8) }
  private static let pieceSize = 1 << 18

  /// The kinds of bytes that may follow.
  private enum Expected {
    case value
    /// A value, or the end of a list without elements.
    case firstElement
    case key
    /// A key, or the end of an object without members.
    case firstKey
    case colon
    /// A comma, or the end of an open list or object.
    case comma
    case nothing
  }

  /// The token that the bytes are a part of.
  private enum Token {
    case none
    case text(isKey: Bool)
    case word
  }

  private var kept: [UInt8] = []
  /// For each open list and object, true if it is an object.
  private var open: [Bool] = []
  private var expected = Expected.value
  private var token = Token.none
  private var isEscaped = false
  /// The start of the outermost object's last key in the kept text.
  private var keyStart = 0
  private var isPassing = false

  /// Reads a file in pieces.
  ///
  /// - Returns: the text, with empty objects for the skipped keys; nil for an invalid text, which must be read
  ///   completely to find its error.
  static func text(ofFile path: String) throws(POSIXError) -> Data? {
    var head = JSONStoreHead()
    let isSound = try FileBytes.forEachPiece(of: path, size: pieceSize) { head.take($0) }
    head.endWord()
    guard isSound, head.open.isEmpty, case .nothing = head.expected else { return nil }
    return Data(head.kept)
  }

  /// Reads a piece of the text; false if it is invalid.
  private mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var position = kept.isEmpty && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while position < bytes.count {
      let byte = bytes[position]
      if case .text(let isKey) = token {
        position = takeText(bytes, from: position, isKey: isKey)
        continue
      }
      if Self.isOfWord(byte) {
        if case .none = token { guard begins(.word) else { return false } }
        if !isPassing { kept.append(byte) }
      } else {
        endWord()
        guard take(byte) else { return false }
      }
      position += 1
    }
    return true
  }

  /// Reads a text up to its next quotation mark or backslash; returns the position after it.
  private mutating func takeText(_ bytes: UnsafeRawBufferPointer, from start: Int, isKey: Bool) -> Int {
    var end = start
    if !isEscaped {
      while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") { end &+= 1 }
    }
    let next = min(end + 1, bytes.count)
    if !isPassing { kept.append(contentsOf: bytes[start..<next]) }
    guard end < bytes.count else { return next }
    if isEscaped {
      isEscaped = false
    } else if bytes[end] == UInt8(ascii: "\\") {
      isEscaped = true
    } else {
      token = .none
      if isKey { expected = .colon } else { endValue() }
    }
    return next
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "E"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Ends the current number or word, if there is one.
  private mutating func endWord() {
    guard case .word = token else { return }
    token = .none
    endValue()
  }

  private mutating func endValue() {
    expected = open.isEmpty ? .nothing : .comma
    if open.count == 1 { isPassing = false }
  }

  /// Begins a value or a key; false if it is not allowed here.
  private mutating func begins(_ new: Token) -> Bool {
    switch (expected, new) {
    case (.value, _), (.firstElement, _): token = new
    case (.key, .text), (.firstKey, .text):
      token = .text(isKey: true)
      if open.count == 1 { keyStart = kept.count }
    default: return false
    }
    return true
  }

  /// Reads a byte that is not part of a text or a word.
  private mutating func take(_ byte: UInt8) -> Bool {
    // The bracket that ends a skipped value is part of it.
    let isPassed = isPassing
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: break
    case UInt8(ascii: "\""): guard begins(.text(isKey: false)) else { return false }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard begins(.none), open.count < JSONStoreText.depthLimit else { return false }
      open.append(byte == UInt8(ascii: "{"))
      expected = byte == UInt8(ascii: "{") ? .firstKey : .firstElement
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      guard open.popLast() == (byte == UInt8(ascii: "}")) else { return false }
      switch expected {
      case .comma, .firstKey, .firstElement: endValue()
      default: return false
      }
    case UInt8(ascii: ":"):
      guard case .colon = expected else { return false }
      expected = .value
    case UInt8(ascii: ","):
      guard case .comma = expected, let isObject = open.last else { return false }
      expected = isObject ? .key : .value
    default: return false
    }
    guard !isPassed else { return true }
    kept.append(byte)
    guard byte == UInt8(ascii: ":"), open.count == 1 else { return true }
    let key = kept[keyStart...].dropFirst().prefix { $0 != UInt8(ascii: "\"") }
    if Self.passedKeys.contains(where: { $0.elementsEqual(key) }) {
      kept.append(contentsOf: "{}".utf8)
      isPassing = true
    }
    return true
  }
}
