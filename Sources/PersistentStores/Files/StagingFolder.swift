import Foundation

/// A folder beside a place, such as `.notes.sqlite.modelctl.partial`, in which is made what gets its name when it is whole.
///
/// Its lock is held as long as this lives: a folder that nobody holds was left by a program that was killed, and is emptied.
package final class StagingFolder: Sendable {
  /// The folder.
  package let path: String
  private let lock: FolderLock

  /// How a name ends of which nobody is to think that it is finished.
  package static let suffix = ".modelctl.partial"

  /// Makes the folder, or takes the one that a killed program left.
  ///
  /// - Parameters:
  ///   - destination: what is to be made.
  ///   - patience: how long it waits for another program that makes the same, in seconds.
  /// - Throws: ``StoreCreationError/beingMade(path:folder:)``, and why the folder cannot be made.
  package init(beside destination: String, patience: Double = 5) throws(StoreCreationError) {
    let url = URL(fileURLWithPath: destination)
    path = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent)\(Self.suffix)").path
    let start = ContinuousClock.now
    while true {
      let isNew = mkdir(path, 0o700) == 0
      guard isNew || errno == EEXIST else { throw StoreCreationError(FileError.last, making: destination) }
      let lock = FolderLock(path, waits: false)
      // Where there are no locks the folder is whose who has made it.
      if lock.holder == .this || lock.holder == .unknown && isNew, lock.isOf(path) {
        self.lock = lock
        break
      }
      guard ContinuousClock.now - start < .seconds(patience) else {
        throw .beingMade(path: destination, folder: path)
      }
      usleep(10_000)
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
  }

  deinit { remove() }

  /// Removes the folder with what is in it.
  package func remove() {
    if lock.isOf(path) { try? FileManager.default.removeItem(atPath: path) }
  }
}
