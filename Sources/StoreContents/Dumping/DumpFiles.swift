import Foundation
import PersistentStores

/// The file of a dump, or the folder of its files: written under a temporary name, synchronized, then renamed.
final class DumpFiles {
  /// The output path as it was given, for messages.
  private let given: String
  private let path: String
  private let isFolder: Bool
  private let files: any FileOperations
  private let folder: StagingFolder
  /// The name that it is made under.
  private let partial: String
  private let parent: String
  private var made: [String] = []
  private let progress: ((_ bytes: Int64) -> Void)?
  private var written: Int64 = 0

  /// Chooses a temporary name beside the output.
  ///
  /// - Parameter progress: called with the number of bytes written so far.
  /// - Throws: ``DumpError/exists(path:)``, and `StoreCreationError` if the folder is not writable.
  init(
    path: String, isFolder: Bool, _ files: any FileOperations, progress: ((_ bytes: Int64) -> Void)? = nil
  ) throws {
    (given, self.isFolder, self.files, self.progress) = (path, isFolder, files, progress)
    let url = URL(fileURLWithPath: path)
    self.path = url.path
    parent = url.deletingLastPathComponent().path
    try Self.checkAbsence(of: path)
    folder = try StagingFolder(beside: path)
    partial = "\(folder.path)/\(url.lastPathComponent)"
  }

  private static func checkAbsence(of path: String) throws(DumpError) {
    // A broken symbolic link counts, too.
    if FileStatus(path) != nil { throw .exists(path: path) }
  }

  /// Begins a file.
  ///
  /// - Parameter name: its name in the folder; that of a single file is known.
  /// - Returns: what takes its content.
  func begin(_ name: String) throws -> DumpStream {
    let file = isFolder ? "\(partial)/\(name)" : partial
    try translating {
      () throws(FileError) in
      if isFolder, made.isEmpty { try files.createFolder(partial) }
      made.append(file)
      try files.write(Data(), to: file)
    }
    return DumpStream { bytes in
      try self.translating { () throws(FileError) in try self.files.append(Data(bytes), to: file) }
      self.written += Int64(bytes.count)
      self.progress?(self.written)
    }
  }

  /// Gives the output its final name.
  func publish() throws {
    try translating { () throws(FileError) in
      if isFolder, made.isEmpty { try files.createFolder(partial) }
      for file in made { try files.synchronize(file) }
      if isFolder { try files.synchronize(partial) }
    }
    try Self.checkAbsence(of: given)
    do throws(FileError) {
      if isFolder {
        try files.rename(partial, to: path)
      } else {
        try files.link(partial, to: path)
        try files.remove(partial)
      }
      try files.synchronize(parent)
    } catch {
      if [EEXIST, ENOTEMPTY, ENOTDIR].contains(error.code) { throw DumpError.exists(path: given) }
      throw StoreError(error, writing: given)
    }
    discard()
  }

  /// Removes the output, if it does not have its final name.
  func discard() { folder.remove() }

  private func translating(_ body: () throws(FileError) -> Void) throws {
    do throws(FileError) {
      try body()
    } catch {
      throw StoreError(error, writing: given)
    }
  }
}
