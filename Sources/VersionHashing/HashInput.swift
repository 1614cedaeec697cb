import Crypto

/// The bytes of one hash, in the order in which Core Data feeds them; numbers are little-endian.
struct HashInput {
  private var bytes: [UInt8] = []

  init(capacity: Int = 128) { bytes.reserveCapacity(capacity) }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func append(_ hash: [UInt8]) { bytes.append(contentsOf: hash) }
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  func finish() -> [UInt8] { SHA256.hash(data: bytes).withUnsafeBytes { Array($0) } }
}
