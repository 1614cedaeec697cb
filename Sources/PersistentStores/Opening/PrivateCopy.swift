import Foundation

/// A copy of a store in a folder that nobody else may enter, removed with the value.
final class PrivateCopy: Sendable {
  /// The copy's database file.
  let database: String
  private let folder: URL

  /// Copies a store with its write-ahead log and its rollback journal.
  ///
  /// - Throws: ``StoreError`` when the copy fails, or the store changed meanwhile.
  init(of files: StoreFiles) throws(StoreError) {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-\(UUID().uuidString)")
    let target = folder.appendingPathComponent(URL(fileURLWithPath: files.database).lastPathComponent)
    database = target.path
    let stamp = files.stamp
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      for suffix in ["", "-wal", "-journal"] where FileStatus(files.database + suffix) != nil {
        try FileManager.default.copyItem(atPath: files.database + suffix, toPath: database + suffix)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: database + suffix)
      }
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw StoreError(error, copying: files.path)
    }
    guard stamp == files.stamp else { throw .changedWhileReading(path: files.path) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
