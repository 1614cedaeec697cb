import Foundation
import Synchronization
import VersionHashing

/// What the identity of a store that is made of a text follows from, so that the same text gives the same bytes.
public struct LoadSeed: Hashable, Sendable {
  private let text: String

  /// Takes a word or a number.
  public init(_ text: String) { self.text = text }

  /// The store's UUID.
  var uuid: UUID { Self.uuid(of: "modelctl load\n\(text)") }

  /// A UUID of version 8, whose bits are those of a hash.
  fileprivate static func uuid(of text: String) -> UUID {
    var bytes = Array(DataDigest.sha256(of: Data(text.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

/// The names of files of external data of a new store, which are the same for the same text.
final class LoadedFileNames: Sendable {
  private let count = Mutex(0)

  @Sendable func next() -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return LoadSeed.uuid(of: "modelctl load file\n\(number)").uuidString
  }
}
