import Foundation

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
