package import Foundation

/// The 32 bytes that identify an entity's definition.
public struct VersionHash: Hashable, Sendable {
  /// The bytes, always 32.
  public let bytes: [UInt8]

  /// Makes a hash of exactly 32 bytes.
  ///
  /// - Returns: nil when there are more or fewer.
  public init?(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// The hash in base64, as `VersionInfo.plist` tools and our JSON print it.
  public var base64: String { Data(bytes).base64EncodedString() }
}

/// A short name for a text or for bytes, the same on every machine and in every run.
package enum TextDigest {
  /// SHA-256 of the text in UTF-8, as 64 hexadecimal digits.
  package static func hexadecimal(_ text: String) -> String { hexadecimal(Data(text.utf8)) }

  /// SHA-256 of bytes, as 64 hexadecimal digits.
  package static func hexadecimal(_ bytes: Data) -> String {
    digest(of: bytes).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  /// SHA-256 of bytes in base64.
  package static func base64(of bytes: Data) -> String { Data(digest(of: bytes)).base64EncodedString() }

  private static func digest(of bytes: Data) -> [UInt8] { bytes.withUnsafeBytes { SHA2.digest256(of: $0) } }
}
