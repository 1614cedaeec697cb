import Foundation

/// What the file system says about a path, links not followed.
struct FileStatus: Hashable, Sendable {
  /// What stands at the path.
  enum Kind: Hashable, Sendable {
    case file
    case folder
    case link
    case other
  }

  let kind: Kind
  let size: Int64
  let modified: Date?

  /// Asks the file system; nil when nothing is there.
  init?(_ path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular?: kind = .file
    case .typeDirectory?: kind = .folder
    case .typeSymbolicLink?: kind = .link
    default: kind = .other
    }
    size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
    modified = attributes[.modificationDate] as? Date
  }

  /// True where a folder on the way may not be looked into, so that nobody knows what is there.
  static func isForbidden(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && errno == EACCES
  }
}
