package import Foundation
import ModelFiles

package struct SystemFiles: FileOperations {
  package init() {}

  package func create(_ path: String, like model: String?) throws(FileError) -> FileIdentity {
    let file = try new(path, like: model)
    defer { close(file) }
    guard let identity = FileIdentity(descriptor: file) else { throw .last }
    return identity
  }

  package func createFolder(_ path: String, like model: String?) throws(FileError) {
    guard mkdir(path, model == nil ? 0o777 : 0o700) == 0 else {
      guard errno == EEXIST else { throw .last }
      return
    }
    guard let model else { return }
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw .last }
    defer { close(folder) }
    // Another process may have moved another folder to this path.
    guard FolderOwnership(folder).isPrivate else { throw FileError(code: EEXIST) }
    try giveAway(folder, like: model, modes: 0o2777)
  }

  package func write(_ data: Data, to path: String, like model: String?) throws(FileError) {
    let file = try new(path, like: model)
    defer { close(file) }
    try write(data, into: file)
  }

  package func append(_ data: Data, to path: String) throws(FileError) {
    let file = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    try write(data, into: file)
  }

  /// Opens a new file; later operations use the descriptor instead of the name.
  private func new(_ path: String, like model: String?) throws(FileError) -> Int32 {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, model == nil ? 0o666 : 0o600)
    guard file >= 0 else { throw .last }
    guard let model else { return file }
    do throws(FileError) {
      try giveAway(file, like: model, modes: 0o777)
      return file
    } catch {
      close(file)
      unlink(path)
      throw error
    }
  }

  /// Gives an open file or folder the owner and the mode of another.
  ///
  /// - Parameter modes: the bits that it may get; bits that run a file as its owner are excluded.
  private func giveAway(_ descriptor: Int32, like model: String, modes: mode_t) throws(FileError) {
    var status = stat()
    guard stat(model, &status) == 0 else { throw .last }
    // A user who cannot change owners has only their own stores, or those of their group.
    if fchown(descriptor, status.st_uid, status.st_gid) != 0 { _ = fchown(descriptor, uid_t.max, status.st_gid) }
    guard fchmod(descriptor, status.st_mode & modes) == 0 else { throw .last }
  }

  private func write(_ data: Data, into file: Int32) throws(FileError) {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      rest = rest.dropFirst(count)
    }
  }

  package func link(_ path: String, to name: String) throws(FileError) {
    guard Foundation.link(path, name) == 0 else { throw .last }
  }

  package func rename(_ path: String, to name: String) throws(FileError) {
    guard Foundation.rename(path, name) == 0 else { throw .last }
  }

  package func remove(_ path: String) throws(FileError) {
    guard unlink(path) != 0 else { return }
    let answer = FileError.last
    // macOS answers the second for a folder.
    guard answer.code == EISDIR || answer.code == EPERM else { throw answer }
    if rmdir(path) != 0 { throw answer.code == EISDIR ? .last : answer }
  }

  package func synchronize(_ path: String) throws(FileError) {
    let code = DiskFlush.run(path)
    guard code == 0 else { throw FileError(code: code) }
  }
}
