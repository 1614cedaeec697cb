package import Foundation

/// A folder for files that nobody is to find again, which goes with this value.
///
/// Its lock is held as long as this lives: one that nobody holds was left by a program that was killed, and the first of these
/// that a process makes removes it.
package final class TemporaryStoreFolder: Sendable {
  /// The folder.
  package let url: URL
  private let lock: FolderLock

  private static let prefix = "modelctl-files-"

  /// Makes the folder, into which nobody else may look.
  ///
  /// - Throws: ``StoreError/temporaryFolderFull(path:)``, and why else it cannot be made.
  package init() throws {
    _ = Self.leftoversAreRemoved
    let root = FileManager.default.temporaryDirectory
    while true {
      let url = root.appendingPathComponent("\(Self.prefix)\(UUID().uuidString)")
      do {
        try FileManager.default.createDirectory(
          at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch let error where StoreError.lacksRoom(error, in: root.path) {
        throw StoreError.fullTemporaryFolder
      }
      let lock = FolderLock(url.path)
      // Another process may have taken it for a leftover before it had its lock.
      if lock.isOf(url.path) {
        (self.url, self.lock) = (url, lock)
        return
      }
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in it.
  package func path(of name: String) -> String { url.appendingPathComponent(name).path }

  private static let leftoversAreRemoved: Void = {
    let root = FileManager.default.temporaryDirectory
    for name in (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? [] where name.hasPrefix(prefix) {
      let url = root.appendingPathComponent(name)
      let lock = FolderLock(url.path, waits: false)
      if lock.holder == .this, lock.isOf(url.path) { try? FileManager.default.removeItem(at: url) }
    }
  }()
}
