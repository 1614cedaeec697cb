package import Foundation

/// Base64 as property lists and XML stores contain it: broken into lines, often megabytes.
package enum Base64 {
  /// The text of bytes as Core Data breaks it: after 76 characters, and never again but at the end.
  package static func broken(_ bytes: Data) -> String {
    let text = bytes.base64EncodedString()
    guard text.utf8.count > 76 else { return text.isEmpty ? "" : text + "\n" }
    return "\(text.prefix(76))\n\(text.dropFirst(76))\n"
  }

  private static let pad: UInt8 = 64
  private static let space: UInt8 = 65
  private static let unknown: UInt8 = 66

  /// The meaning of each byte: six bits, or one of the marks above.
  private static let meanings: [UInt8] = {
    var meanings = [UInt8](repeating: unknown, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, byte) in alphabet.utf8.enumerated() { meanings[Int(byte)] = UInt8(value) }
    for byte in 0...0x20 { meanings[byte] = space }
    meanings[Int(UInt8(ascii: "="))] = pad
    return meanings
  }()

  /// The decoded bytes of a text without its white space; nil if it is not base64 or is cut off.
  package static func decoded(_ text: String) -> Data? {
    var text = text
    return text.withUTF8 { source in
      meanings.withUnsafeBufferPointer { meanings in decoded(source, meanings) }
    }
  }

  private static func decoded(_ source: UnsafeBufferPointer<UInt8>, _ meanings: UnsafeBufferPointer<UInt8>) -> Data? {
    var data = Data(count: source.count / 4 * 3 + 3)
    let size = data.withUnsafeMutableBytes { target -> Int? in
      var (bits, count, pads, size, position) = (UInt32(0), 0, 0, 0, 0)
      while position < source.count {
        if count == 0, pads == 0 {
          size += fill(target, at: size, from: source, &position, meanings)
          guard position < source.count else { break }
        }
        let meaning = meanings[Int(source[position])]
        position += 1
        if meaning == space { continue }
        if meaning == pad {
          pads += 1
          continue
        }
        guard meaning < pad, pads == 0 else { return nil }
        bits = bits << 6 | UInt32(meaning)
        count += 1
        guard count == 4 else { continue }
        store(bits, count: 3, in: target, at: size)
        (bits, count, size) = (0, 0, size + 3)
      }
      guard count == 0 ? pads == 0 : count > 1 && count + pads == 4 else { return nil }
      guard count > 0 else { return size }
      store(bits << UInt32(6 * pads), count: count - 1, in: target, at: size)
      return size + count - 1
    }
    return size.map { data.prefix($0) }
  }

  /// Decodes groups of four characters of the alphabet; returns the number of decoded bytes.
  private static func fill(
    _ target: UnsafeMutableRawBufferPointer, at start: Int, from source: UnsafeBufferPointer<UInt8>,
    _ position: inout Int, _ meanings: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var size = start
    while position + 4 <= source.count {
      let first = meanings[Int(source[position])]
      let second = meanings[Int(source[position + 1])]
      let third = meanings[Int(source[position + 2])]
      let fourth = meanings[Int(source[position + 3])]
      guard (first | second | third | fourth) < pad else { break }
      let bits = UInt32(first) << 18 | UInt32(second) << 12 | UInt32(third) << 6 | UInt32(fourth)
      store(bits, count: 3, in: target, at: size)
      size += 3
      position += 4
    }
    return size - start
  }

  private static func store(_ bits: UInt32, count: Int, in target: UnsafeMutableRawBufferPointer, at start: Int) {
    for place in 0..<count { target[start + place] = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * place)) }
  }
}
