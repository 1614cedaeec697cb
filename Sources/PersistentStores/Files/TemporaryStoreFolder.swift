package import Foundation
import GRDB
import ModelFiles

/// A private folder for temporary files that is removed with this value.
///
/// The folder is locked while this value exists. A folder without a lock was left by a process that was killed; the
/// first temporary folder of a process removes it.
package final class TemporaryStoreFolder: Sendable {
  package let url: URL
  private let lock: FolderLock

  private static let prefix = "modelctl-files-"

  /// Creates the folder, which no other user can enter.
  package init() throws {
    _ = Self.leftoversAreRemoved
    while true {
      let url = try Self.makeFolder()
      let lock = FolderLock(url.path)
      // Another process may have taken it for a leftover before it had its lock.
      if lock.holder != .another, lock.isOf(url.path) {
        (self.url, self.lock) = (url, lock)
        return
      }
    }
  }

  private static func makeFolder() throws -> URL {
    do {
      return try TemporaryLocation.makeFolder(prefix)
    } catch {
      throw StoreError.lacksRoom(error, in: error.folder) ? StoreError.fullTemporaryFolder : error
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(of name: String) -> String { url.appendingPathComponent(name).path }

  private static let leftoversAreRemoved: Void = {
    let root = TemporaryLocation.folder
    for name in (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? [] where name.hasPrefix(prefix) {
      let url = root.appendingPathComponent(name)
      // In a folder of another user, a link can replace a file while it is being removed.
      guard FolderOwnership(url.path)?.isOwn == true else { continue }
      let lock = FolderLock(url.path, patience: 0)
      if lock.holder == .this, lock.isOf(url.path) { try? FileManager.default.removeItem(at: url) }
    }
  }()
}

extension StoreError {
  /// The error if the folder for temporary files is full.
  package static var fullTemporaryFolder: StoreError {
    .temporaryFolderFull(path: TemporaryLocation.folder.path)
  }

  /// Returns whether an error means that there was no space for a file.
  ///
  /// - Parameters:
  ///   - error: the error of work that writes files in a folder and only reads elsewhere.
  ///   - folder: the folder; an error about a store in a different folder does not count.
  /// - Returns: true if the error is about the space for a file in the folder.
  package static func lacksRoom(_ error: any Error, in folder: String) -> Bool {
    switch error {
    case StoreError.temporaryFolderFull: true
    case StoreError.diskFull(let path): isPath(path, in: folder)
    case StoreCreationError.failed(let path, .flush(let code)):
      [ENOSPC, EDQUOT].contains(code) && isPath(path, in: folder)
    case StoreCreationError.failed(let path, .other(let caught)):
      isPath(path, in: folder) && lacksRoom(caught.error, in: folder)
    // The second is SQLite's answer when the memory that connections share has no room beside the store.
    case let error as DatabaseError:
      error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
    case let error as CocoaError: error.code == .fileWriteOutOfSpace
    case let error as TemporaryLocation.Refusal: [ENOSPC, EDQUOT].contains(error.code)
    case let error as POSIXError: [.ENOSPC, .EDQUOT].contains(error.code)
    default: false
    }
  }

  /// True for the path of a file in a folder, at any depth, including a path through a link to the folder.
  package static func isPath(_ path: String, in folder: String) -> Bool {
    path.hasPrefix("\(folder)/") || path.hasPrefix("\(RealPath.of(folder))/")
  }
}

/// A folder next to a path, such as `.notes.sqlite.modelctl.partial`, for a file that is renamed when it is complete.
///
/// The folder is locked while this value exists. A folder without a lock was left by a process that was killed, and is
/// emptied. A folder that belongs to a different user, or that other users can enter, is refused, because they could
/// redirect the result with links.
package final class StagingFolder: Sendable {
  package let path: String
  private let lock: FolderLock

  /// The suffix that marks unfinished files.
  package static let suffix = ".modelctl.partial"

  /// Creates the folder, or uses the one that a killed process left.
  ///
  /// - Parameter patience: the seconds to wait for another process that creates the same file.
  package init(beside destination: String, patience: Double = 5) throws(StoreCreationError) {
    let url = URL(fileURLWithPath: destination)
    if let owner = FolderOwnership.obstacle(inFolder: url.deletingLastPathComponent().path) {
      throw .folderOfAnotherUser(path: destination, owner: owner)
    }
    path = Self.path(beside: destination)
    let start = ContinuousClock.now
    while true {
      let isNew = mkdir(path, 0o700) == 0
      guard isNew || errno == EEXIST else { throw StoreCreationError(FileError.last, making: destination) }
      // A link or a pipe with this name was not created by this program.
      guard FileStatus(path)?.kind ?? .folder == .folder, FolderOwnership(path)?.isPrivate != false else {
        throw .foreignFolder(path: destination, folder: path)
      }
      let lock = FolderLock(path, patience: 0)
      // Without locks, the folder belongs to the process that created it.
      if lock.holder == .this || lock.holder == .unknown && isNew, lock.isOf(path) {
        // It may be another one than before the lock.
        guard FolderOwnership(path)?.isPrivate == true else {
          throw .foreignFolder(path: destination, folder: path)
        }
        self.lock = lock
        break
      }
      guard ContinuousClock.now - start < .seconds(patience) else { throw .beingMade(path: destination, folder: path) }
      usleep(10_000)
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
  }

  deinit { remove() }

  /// The folder's path.
  package static func path(beside destination: String) -> String {
    let url = URL(fileURLWithPath: destination)
    return url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent)\(suffix)").path
  }

  package func remove() { if lock.isOf(path) { try? FileManager.default.removeItem(atPath: path) } }
}
