public import Foundation
import VersionHashing

/// What files were before they were edited, kept in a folder of the user's, so that an edit can be taken back.
///
/// The bytes before an edit lie under the digest of the file's path and that of the bytes after it; so they are found only
/// while nothing else has touched the file.
public struct EditRecord: Hashable, Sendable {
  /// How many edits of a file are kept.
  public static let limit = 20

  /// The folder; it is made when something is kept.
  public let folder: String

  /// Makes a record.
  public init(folder: String) { self.folder = folder }

  /// Keeps what a file was before an edit.
  ///
  /// - Parameters:
  ///   - former: the bytes before.
  ///   - data: the bytes after.
  ///   - path: the file.
  /// - Throws: Foundation's error.
  public func keep(_ former: Data, before data: Data, of path: String) throws {
    let place = place(of: path)
    try FileManager.default.createDirectory(
      atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try former.write(to: URL(fileURLWithPath: file(of: path, data)), options: .atomic)
    try forgetOldest(in: place)
  }

  /// What a file was before the edit that gave it these bytes, nil when no edit that is kept did.
  public func former(of path: String, _ data: Data) -> Data? {
    try? FileBytes.read(file(of: path, data))
  }

  /// True when some edit of a file is kept.
  public func knows(_ path: String) -> Bool { !names(in: place(of: path)).isEmpty }

  /// Drops the edit that gave a file these bytes.
  public func forget(_ path: String, _ data: Data) {
    try? FileManager.default.removeItem(atPath: file(of: path, data))
  }

  private func place(of path: String) -> String {
    BundlePath.joined(folder, TextDigest.hexadecimal(RealPath.of(path)))
  }

  private func file(of path: String, _ data: Data) -> String {
    BundlePath.joined(place(of: path), TextDigest.hexadecimal(data))
  }

  private func names(in place: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
  }

  private func forgetOldest(in place: String) throws {
    let files = names(in: place).map { name in
      let path = BundlePath.joined(place, name)
      let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
      return (path: path, date: date ?? .distantPast)
    }
    for old in files.sorted(by: { ($0.date, $0.path) > ($1.date, $1.path) }).dropFirst(Self.limit) {
      try FileManager.default.removeItem(atPath: old.path)
    }
  }
}
