import Foundation

/// Keeps other programs of this kind that write files of a folder waiting, and leaves nothing behind: the folder itself is
/// locked, as long as this lives or the process does.
package final class FolderLock {
  private let descriptor: Int32
  /// False on a file system that has no locks, and for a folder that cannot be opened.
  package let isHeld: Bool

  /// Waits until nobody else has the folder.
  ///
  /// On a file system that has no locks, and for a folder that cannot be opened,
  /// nobody waits.
  package init(_ folder: String) {
    descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      isHeld = false
      return
    }
    var result: Int32
    repeat { result = flock(descriptor, LOCK_EX) } while result != 0 && errno == EINTR
    isHeld = result == 0
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
