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

  /// How long models and lock files wait for each other, in seconds.
  package static let defaultPatience = 10.0

  private let descriptor: Int32
  package let holder: Holder

  /// Takes the lock.
  ///
  /// On a file system that has no locks, and for a folder that cannot be opened, nobody waits.
  ///
  /// - Parameters:
  ///   - folder: the folder; a symbolic link is followed.
  ///   - patience: how long it waits while somebody else has the folder, in seconds.
  ///   - isInterrupted: asked while it waits; true ends the wait.
  package init(_ folder: String, patience: Double = defaultPatience, isInterrupted: () -> Bool = { false }) {
    descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else {
      holder = .unknown
      return
    }
    let start = ContinuousClock.now
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        holder = .unknown
        return
      }
      guard ContinuousClock.now - start < .seconds(patience), !isInterrupted() else {
        holder = .another
        return
      }
      usleep(5_000)
    }
    holder = .this
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// True when the name still leads to the folder, as far as that can be found out.
  package func isOf(_ folder: String) -> Bool {
    var (named, held) = (stat(), stat())
    guard lstat(folder, &named) == 0, named.st_mode & S_IFMT == S_IFDIR else { return false }
    guard descriptor >= 0, fstat(descriptor, &held) == 0 else { return true }
    return (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)
  }
}
