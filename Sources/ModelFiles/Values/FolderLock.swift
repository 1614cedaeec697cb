import Foundation

/// A lock on a folder, so that other modelctl processes wait before they write files in it.
///
/// It locks the folder itself, without a lock file, until the lock or the process ends.
package final class FolderLock: Sendable {
  /// The holder of the folder's lock.
  package enum Holder: Hashable, Sendable {
    case this
    case another
    /// The file system has no locks, or the folder cannot be opened.
    case unknown
  }

  /// How long models and lock files wait for each other, in seconds.
  package static let defaultPatience = 10.0

  private let descriptor: Int32
  private let folder: Folder?
  package let holder: Holder

  /// Takes the lock.
  ///
  /// On a file system without locks, and for a folder that cannot be opened, it does not wait.
  ///
  /// - Parameters:
  ///   - folder: the folder; a symbolic link is followed.
  ///   - patience: the seconds to wait while another program has the folder.
  ///   - isReentrant: true to have the folder too if this thread has it.
  ///   - isInterrupted: called during the wait; true ends it.
  package init(
    _ folder: String, patience: Double = defaultPatience, isReentrant: Bool = false,
    isInterrupted: () -> Bool = { false }
  ) {
    descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      (self.folder, holder) = (nil, .unknown)
      return
    }
    let key = Folder(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    guard !isReentrant || !Self.owners.enter(key) else {
      (self.folder, holder) = (key, .this)
      return
    }
    let start = ContinuousClock.now
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        (self.folder, holder) = (nil, .unknown)
        return
      }
      guard ContinuousClock.now - start < .seconds(patience), !isInterrupted() else {
        (self.folder, holder) = (nil, .another)
        return
      }
      usleep(5_000)
    }
    Self.owners.add(key)
    (self.folder, holder) = (key, .this)
  }

  deinit {
    if let folder { Self.owners.leave(folder) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns whether the path still is that of the folder, as far as the system can tell.
  package func isOf(_ folder: String) -> Bool {
    var (named, held) = (stat(), stat())
    guard lstat(folder, &named) == 0, named.st_mode & S_IFMT == S_IFDIR else { return false }
    guard descriptor >= 0, fstat(descriptor, &held) == 0 else { return true }
    return (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)
  }

  private struct Folder: Hashable {
    let device: UInt64
    let number: UInt64
  }

  /// Which thread of this process has which folders: one that writes a file while it has the folder does not wait for itself.
  private final class Owners: @unchecked Sendable {
    private let lock = NSLock()
    private var threads: [Folder: (thread: ObjectIdentifier, count: Int)] = [:]

    /// Counts the folder once more for the thread that has it; false for every other one.
    func enter(_ folder: Folder) -> Bool {
      lock.withLock {
        guard let owner = threads[folder], owner.thread == ObjectIdentifier(Thread.current) else { return false }
        threads[folder]?.count += 1
        return true
      }
    }

    func add(_ folder: Folder) { lock.withLock { threads[folder] = (ObjectIdentifier(Thread.current), 1) } }

    func leave(_ folder: Folder) {
      lock.withLock {
        threads[folder]?.count -= 1
        if threads[folder]?.count == 0 { threads[folder] = nil }
      }
    }
  }

  private static let owners = Owners()
}
