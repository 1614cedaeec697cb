import Foundation

/// Keeps other programs of this kind that write files of a folder waiting, and leaves nothing behind: the folder itself is
/// locked, as long as this lives or the process does.
package final class FolderLock: Sendable {
  /// Who has the folder.
  package enum Holder: Hashable, Sendable {
    case this
    case another
    /// The file system has no locks, or the folder cannot be opened.
    case unknown
  }

  private let descriptor: Int32
  package let holder: Holder

  /// Takes the lock.
  ///
  /// On a file system that has no locks, and for a folder that cannot be opened,
  /// nobody waits.
  ///
  /// - Parameters:
  ///   - folder: the folder; a symbolic link is followed.
  ///   - waits: whether it waits until nobody else has the folder.
  package init(_ folder: String, waits: Bool = true) {
    descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else {
      holder = .unknown
      return
    }
    var result: Int32
    repeat { result = flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) } while result != 0 && errno == EINTR
    holder = result == 0 ? .this : errno == EWOULDBLOCK ? .another : .unknown
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// True when the name still leads to the folder, as far as that can be found out.
  package func isOf(_ folder: String) -> Bool {
    guard let status = FileStatus(folder), status.kind == .folder else { return false }
    var own = stat()
    guard descriptor >= 0, fstat(descriptor, &own) == 0 else { return true }
    let held = FileStatus(own)
    return (status.device, status.number) == (held.device, held.number)
  }
}
