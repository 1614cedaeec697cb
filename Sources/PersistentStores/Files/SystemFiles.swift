package import Foundation

package struct SystemFiles: FileOperations {
  package init() {}

  package func create(_ path: String) throws(FileError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .last }
    close(file)
  }

  package func createFolder(_ path: String) throws(FileError) {
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .last }
  }

  package func write(_ data: Data, to path: String) throws(FileError) {
    try write(data, into: open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666))
  }

  package func append(_ data: Data, to path: String) throws(FileError) {
    try write(data, into: open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC))
  }

  private func write(_ data: Data, into file: Int32) throws(FileError) {
    guard file >= 0 else { throw .last }
    defer { close(file) }
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      rest = rest.dropFirst(count)
    }
  }

  package func copyPermissions(of model: String, to path: String) throws(FileError) {
    var status = stat()
    guard stat(model, &status) == 0 else { throw .last }
    // A user who may not give files away has only stores of their own, or of their group.
    if chown(path, status.st_uid, status.st_gid) != 0 { _ = chown(path, uid_t.max, status.st_gid) }
    guard chmod(path, status.st_mode & 0o7777) == 0 else { throw .last }
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
