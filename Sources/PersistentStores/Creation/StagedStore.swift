package import Foundation
import GRDB
import ModelFiles

/// A store that is being created in a private folder next to its path, and gets its name when it is complete.
package struct StagedStore {
  package let destination: String
  /// The path at which the store is prepared.
  package let path: String
  private let folder: StagingFolder

  /// Creates the folder.
  ///
  /// - Parameter isSQLite: false for an atomic store, which is created from the staged store and lacks files next to
  ///   it.
  package init(for destination: String, isSQLite: Bool = true) throws(StoreCreationError) {
    try Self.checkAbsence(of: destination, isSQLite: isSQLite)
    let hasLeftover = isSQLite && Self.isLeftover(beside: destination)
    folder = try StagingFolder(beside: destination)
    if hasLeftover, FileStatus(destination) == nil {
      try? FileManager.default.removeItem(at: ExternalData.support(beside: URL(fileURLWithPath: destination)))
    }
    // Another program may have made it while this one waited.
    try Self.checkAbsence(of: destination, isSQLite: isSQLite)
    path = "\(folder.path)/\(URL(fileURLWithPath: destination).lastPathComponent)"
    self.destination = destination
  }

  /// Checks that no existing file would be overwritten and that the folder exists.
  ///
  /// - Parameters:
  ///   - destination: the path of the new store.
  ///   - isSQLite: false for an atomic store, which lacks files next to it.
  package static func checkAbsence(of destination: String, isSQLite: Bool = true) throws(StoreCreationError) {
    guard !destination.isEmpty else { throw .unnamed }
    let url = URL(fileURLWithPath: destination)
    var places = [destination]
    if isSQLite {
      places += ["-wal", "-shm", "-journal"].map { destination + $0 }
      if !isLeftover(beside: destination) { places.append(ExternalData.support(beside: url).path) }
    }
    for taken in places {
      // A broken symbolic link counts, too.
      if FileStatus(taken) != nil { throw .exists(path: taken) }
    }
    let folder = url.deletingLastPathComponent().path
    guard access(folder, F_OK) == 0 else { throw StoreCreationError(FileError.last, making: destination) }
    guard FileManager.default.isWritableFile(atPath: folder) else { throw .readOnlyFolder(path: destination) }
  }

  /// The name of a file that is in the folder while the external data is at its final path but the store is not.
  private static let mark = "placing"

  /// True if the external data at a path is from a process that was killed before it renamed the store.
  private static func isLeftover(beside destination: String) -> Bool {
    let folder = StagingFolder.path(beside: destination)
    guard FileStatus(destination) == nil, FileStatus("\(folder)/\(mark)")?.kind == .file,
      FolderOwnership(folder)?.isPrivate == true
    else { return false }
    return FolderLock(folder, patience: 0).holder == .this
  }

  /// Writes a file of external data.
  ///
  /// - Parameter content: its bytes.
  package func writeExternal(_ content: Data, named name: String) throws(StoreCreationError) {
    let folder = ExternalData.folder(ofStore: path)
    let files = SystemFiles()
    do throws(FileError) {
      try files.createFolder(ExternalData.support(beside: URL(fileURLWithPath: path)).path)
      try files.createFolder(folder)
      try files.write(content, to: "\(folder)/\(name)")
    } catch {
      // Two rows may name one file.
      guard error.code != EEXIST else { return }
      try? files.remove("\(folder)/\(name)")
      throw StoreCreationError(error, making: destination)
    }
  }

  /// Renames the external data and then the store, after everything is on the disk.
  ///
  /// Every connection to the store must be closed.
  package func publish() throws(StoreCreationError) {
    do {
      try finishLog()
      try flush(path)
      try Self.checkAbsence(of: destination)
      let support = ExternalData.support(beside: URL(fileURLWithPath: path)).path
      let finalSupport = ExternalData.support(beside: URL(fileURLWithPath: destination)).path
      let hasSupport = FileManager.default.fileExists(atPath: support)
      let parent = URL(fileURLWithPath: destination).deletingLastPathComponent().path
      if hasSupport {
        for name in FileManager.default.enumerator(atPath: support)?.compactMap({ $0 as? String }) ?? [] {
          try flush("\(support)/\(name)")
        }
        try flush(support)
        try SystemFiles().write(Data(), to: "\(folder.path)/\(Self.mark)")
        try flush(folder.path)
        try FileManager.default.moveItem(atPath: support, toPath: finalSupport)
        try flush(parent)
      }
      var isMoved = false
      do {
        try FileManager.default.moveItem(atPath: path, toPath: destination)
        isMoved = true
        try flush(parent)
      } catch {
        if isMoved { try? FileManager.default.removeItem(atPath: destination) }
        if hasSupport { try? FileManager.default.removeItem(atPath: finalSupport) }
        throw error
      }
    } catch let error as StoreCreationError {
      throw error
    } catch {
      throw .failed(path: destination, error: .other(CaughtError(error)))
    }
    discard()
  }

  /// Removes the files of a store that was not published.
  package func discard() { folder.remove() }

  /// Writes the rest of the log into the store, because the log does not get a name next to the store.
  ///
  /// SQLite does not report a full disk if it closes a store and cannot write the pages of the log.
  private func finishLog() throws {
    guard let log = FileStatus(path + "-wal"), log.size > 0 else { return }
    let queue = try DatabaseQueue(path: path)
    // The first column is not 0 if SQLite could not reach the end of the log.
    let answer = try queue.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try queue.close()
    guard answer == 0 else {
      throw DatabaseError(resultCode: .SQLITE_BUSY, message: "the log cannot be written into the store")
    }
  }

  private func flush(_ file: String) throws(StoreCreationError) {
    let code = DiskFlush.run(file)
    guard code == 0 else { throw .failed(path: destination, error: .flush(code: code)) }
  }
}
