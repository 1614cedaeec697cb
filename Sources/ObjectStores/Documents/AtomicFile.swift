import Foundation
import ModelFiles
import PersistentStores
import StoreRows

/// A file that is replaced atomically: it is written under another name, flushed to the disk and renamed.
///
/// While this value exists, no other process that uses this type writes files of the folder.
struct AtomicFile {
  let path: String
  private let givenPath: String
  private let files: any FileOperations
  private let lock: FolderLock

  private var folder: String { BundlePath.parent(path) }

  /// Locks the folder.
  ///
  /// - Parameters:
  ///   - path: the file, which may not exist.
  ///   - files: the file operations.
  ///   - busyTimeout: the seconds to wait while another process writes files of the folder.
  ///   - interruption: called during the wait; return true to stop.
  /// - Throws: `StoreError.heldByAnotherProcess(path:users:)`, `StoreError.interrupted(path:)`,
  ///   `StoreError.foreignFolder(path:owner:)`.
  init(
    path: String, _ files: any FileOperations, busyTimeout: Double = StoreWriter.defaultBusyTimeout,
    interruption: (@Sendable () -> Bool)? = nil
  ) throws(StoreError) {
    (self.path, givenPath, self.files) = (StoreFiles.realPath(of: path), path, files)
    let folder = BundlePath.parent(self.path)
    try StoreFiles.checkUser(ofFolder: folder, path: path)
    lock = FolderLock(folder, patience: busyTimeout) { interruption?() ?? false }
    guard lock.holder == .another else { return }
    throw interruption?() == true
      ? .interrupted(path: path) : .heldByAnotherProcess(path: path, users: StoreUser.holders(ofFolder: folder))
  }

  /// Creates the file if it does not exist.
  ///
  /// - Throws: `StoreCreationError` if the path exists or the folder does not, `StoreError`; no file is left then.
  func create(with bytes: Data) throws {
    var isNamed = false
    do throws(FileError) {
      try write(bytes) { (partial) throws(FileError) in
        try files.link(partial, to: path)
        isNamed = true
        try files.remove(partial)
      }
    } catch {
      if isNamed { try? files.remove(path) }
      switch error.code {
      case EEXIST: throw StoreCreationError.exists(path: givenPath)
      case ENOENT: throw StoreCreationError.folder(path: givenPath)
      default: throw StoreError(error, writing: givenPath)
      }
    }
  }

  /// Replaces the content of the file.
  ///
  /// - Parameters:
  ///   - backup: another name that the old file keeps; nil for none.
  ///   - spared: a file from ``replaceKeepingOld(with:)``, which is kept until the content is on the disk.
  func replace(with bytes: Data, backup: String? = nil, sparing spared: String? = nil) throws(StoreError) {
    do throws(FileError) {
      try write(bytes, sparing: spared) { (partial) throws(FileError) in
        if let backup { try files.link(path, to: backup) }
        do throws(FileError) {
          try files.rename(partial, to: path)
        } catch {
          if let backup { try? files.remove(backup) }
          throw error
        }
      }
    } catch {
      throw StoreError(error, writing: givenPath)
    }
  }

  /// Replaces the content of the file, and gives the old file another name, so that it can be restored.
  ///
  /// - Returns: the name, which ``forget(_:)`` removes; nil if a file cannot have a second name. The failure is the
  ///   reason why the new content may not be on the disk.
  func replaceKeepingOld(with bytes: Data) throws(StoreError) -> (old: String?, failure: StoreError?) {
    let old = PartialFile.newName(of: path)
    var (isKept, isReplaced) = (false, false)
    do throws(FileError) {
      try write(bytes) { (partial) throws(FileError) in
        isKept = (try? files.link(path, to: old)) != nil
        try files.rename(partial, to: path)
        isReplaced = true
      }
      return (isKept ? old : nil, nil)
    } catch {
      let failure = StoreError(error, writing: givenPath)
      if isReplaced { return (isKept ? old : nil, failure) }
      if isKept { forget(old) }
      throw failure
    }
  }

  /// Gives the old file its name again, for which no room is needed.
  func putBack(_ old: String) throws(FileError) {
    try files.rename(old, to: path)
    // The file is the old one now; only a power cut could make it the new one again.
    try? files.synchronize(folder)
  }

  func forget(_ old: String) { try? files.remove(old) }

  /// Writes bytes under another name in the folder, and flushes them and the renamed file to the disk.
  private func write(
    _ bytes: Data, sparing spared: String? = nil, _ publish: (String) throws(FileError) -> Void
  ) throws(FileError) {
    if lock.holder == .this {
      for leftover in PartialFile.leftovers(of: path, sparing: spared) { try? files.remove(leftover) }
    }
    let partial = PartialFile.newName(of: path)
    do throws(FileError) {
      try files.write(bytes, to: partial, like: FileStatus(path) == nil ? nil : path)
      try files.synchronize(partial)
      try publish(partial)
      try files.synchronize(folder)
    } catch {
      try? files.remove(partial)
      throw error
    }
  }
}

extension StoreError {
  /// Runs work that writes a store in a temporary folder, whose file names are private.
  ///
  /// - Parameters:
  ///   - store: the store in the folder, which contains nothing else.
  ///   - runsAppCode: true if the work runs code of an app, whose errors about unnamed files are not about the folder.
  ///   - work: the work. It writes to the folder, and elsewhere only to files that its errors name.
  /// - Returns: the result of the work.
  /// - Throws: `StoreError.temporaryFolderFull(path:)` if the folder has no space, and the errors of the work.
  static func writingTemporaryStore<Value>(
    _ store: String, runsAppCode: Bool = false, _ work: () throws -> Value
  ) throws -> Value {
    let folder = URL(fileURLWithPath: store).deletingLastPathComponent().path
    do {
      return try work()
    } catch RecordWritingError.externalFile(let path, let cause)
      where isPath(path, in: folder) && lacksRoom(cause.error, in: folder)
    {
      throw fullTemporaryFolder
    } catch let error where lacksRoom(error, in: folder) && !(runsAppCode && isNameless(error)) {
      throw fullTemporaryFolder
    }
  }

  private static func isNameless(_ error: any Error) -> Bool { error is CocoaError || error is POSIXError }
}
