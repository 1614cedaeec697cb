package import Foundation

/// Reads whole files of a bounded size.
package enum FileBytes {
  /// The most bytes a model file may have: ten times the largest ever seen.
  package static let limit = 16 << 20

  package static func read(_ path: String) throws(ModelFileError) -> Data {
    let attributes: [FileAttributeKey: Any]
    let resolved = RealPath.of(path)
    do {
      attributes = try FileManager.default.attributesOfItem(atPath: resolved)
    } catch {
      throw .unreadable(path: path, reason: "there is no such file, or it may not be read")
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw .unreadable(path: path, reason: "it is not a file")
    }
    let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    guard size > 0 else { throw .empty(path: path) }
    guard size <= limit else { throw .tooLarge(path: path, what: "its size in bytes", limit: limit) }
    do {
      return try Data(contentsOf: URL(fileURLWithPath: resolved))
    } catch {
      throw .unreadable(path: path, reason: "reading failed; check its permissions")
    }
  }
}
