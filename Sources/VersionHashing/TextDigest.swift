import Crypto
package import Foundation

/// A short name for a text or for bytes, the same on every machine and in every run.
package enum TextDigest {
  /// SHA-256 of the text in UTF-8, as 64 hexadecimal digits.
  package static func hexadecimal(_ text: String) -> String { hexadecimal(Data(text.utf8)) }

  /// SHA-256 of bytes, as 64 hexadecimal digits.
  package static func hexadecimal(_ bytes: Data) -> String {
    SHA256.hash(data: bytes).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// SHA-256 of bytes in base64.
  package static func base64(of bytes: Data) -> String { Data(SHA256.hash(data: bytes)).base64EncodedString() }
}
