package import Foundation

/// The digest of any bytes.
package enum DataDigest {
  /// SHA-256 of bytes, 32 of them.
  package static func sha256(of data: Data) -> [UInt8] { data.withUnsafeBytes { SHA2.digest256(of: $0) } }
}
