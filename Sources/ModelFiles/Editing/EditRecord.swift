public import Foundation
import VersionHashing

/// The bytes of files before their edits, in a folder of the user, so that an edit can be undone.
///
/// The bytes before an edit are in a folder named by the digest of the file's path. Their name is a number that grows with
/// each edit, and the digest of the bytes after it. An edit is found only while the file is unchanged since. Of several
/// edits that resulted in the same bytes, the last edit is found.
public struct EditRecord: Hashable, Sendable {
  /// The number of edits of a file that are kept.
  public static let limit = 20

  /// The folder; it is made when something is kept.
  public let folder: String

  /// An edit that is kept.
  public struct Edit: Hashable, Sendable {
    /// The bytes before it.
    public let contents: Data
    fileprivate let path: String
  }

  private struct Name {
    let number: Int
    let digest: String

    var text: String { "\(number)-\(digest)" }

    init(number: Int, digest: String) { (self.number, self.digest) = (number, digest) }

    /// Nil for a file that is not an edit, such as a partial file.
    init?(_ text: String) {
      let parts = text.split(separator: "-")
      guard parts.count == 2, let number = Int(parts[0]), (0..<Int.max / 2).contains(number) else { return nil }
      (self.number, digest) = (number, String(parts[1]))
    }
  }

  /// Makes a record.
  public init(folder: String) { self.folder = folder }

  /// Keeps what a file was before an edit.
  ///
  /// - Parameters:
  ///   - contents: the bytes before.
  ///   - data: the bytes after.
  /// - Throws: Foundation's error.
  public func keep(_ contents: Data, before data: Data, of path: String) throws {
    let place = place(of: path)
    try FileManager.default.createDirectory(
      atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let draft = BundlePath.joined(place, ".\(UUID().uuidString)")
    try contents.write(to: URL(fileURLWithPath: draft))
    defer { try? FileManager.default.removeItem(atPath: draft) }
    var name = Name(number: (names(in: place).last?.number ?? 0) + 1, digest: TextDigest.hexadecimal(data))
    // A second link is made only where nothing has the name, whatever other processes do meanwhile.
    while link(draft, BundlePath.joined(place, name.text)) != 0 {
      guard errno == EEXIST else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: place]) }
      name = Name(number: name.number + 1, digest: name.digest)
    }
    for old in names(in: place).dropLast(Self.limit) {
      try? FileManager.default.removeItem(atPath: BundlePath.joined(place, old.text))
    }
  }

  /// The last edit that gave a file these bytes; nil if none is kept.
  public func edit(of path: String, to data: Data) -> Edit? {
    let (place, digest) = (place(of: path), TextDigest.hexadecimal(data))
    guard let name = names(in: place).last(where: { $0.digest == digest }) else { return nil }
    let file = BundlePath.joined(place, name.text)
    return (try? FileBytes.read(file)).map { Edit(contents: $0, path: file) }
  }

  /// Returns whether an edit of a file is recorded.
  public func knows(_ path: String) -> Bool { !names(in: place(of: path)).isEmpty }

  /// Drops an edit.
  public func forget(_ edit: Edit) { try? FileManager.default.removeItem(atPath: edit.path) }

  private func place(of path: String) -> String { BundlePath.joined(folder, TextDigest.hexadecimal(RealPath.of(path))) }

  private func names(in place: String) -> [Name] {
    ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).compactMap(Name.init)
      .sorted { ($0.number, $0.digest) < ($1.number, $1.digest) }
  }
}
