import Crypto

/// The bytes of one hash, in the order in which Core Data feeds them; numbers are little-endian.
struct HashInput {
  private var digest = SHA256()

  mutating func append(_ text: String) { digest.update(data: Array(text.utf8)) }
  mutating func append(_ hash: [UInt8]) { digest.update(data: hash) }
  mutating func append(_ byte: UInt8) { digest.update(data: [byte]) }

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    digest.update(data: withUnsafeBytes(of: number.littleEndian) { Array($0) })
  }

  func finish() -> [UInt8] { Array(digest.finalize()) }
}
