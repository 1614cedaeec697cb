package import Foundation

/// The folder for temporary files: other users cannot replace files in it.
package enum TemporaryLocation {
  /// The reason why no file can be made in the folder.
  package struct Refusal: Error, Hashable {
    package let folder: String
    /// The system's error; nil if other users may replace files of the folder.
    package let code: Int32?
  }

  /// The folder that `TMPDIR` names, or the system's.
  package static var folder: URL { FileManager.default.temporaryDirectory }

  /// Makes a folder that only its owner may enter, with a random name.
  ///
  /// - Parameter prefix: how its name begins.
  package static func makeFolder(_ prefix: String) throws(Refusal) -> URL {
    let name = "\(prefix)\(UUID().uuidString)"
    _ = try inFolder { mkdirat($0, name, 0o700) }
    return folder.appendingPathComponent(name)
  }

  /// Opens a new file whose name is already removed.
  static func openFile() throws(Refusal) -> Int32 {
    let name = "modelctl-\(UUID().uuidString)"
    return try inFolder { folder in
      let descriptor = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor >= 0 { unlinkat(folder, name, 0) }
      return descriptor
    }
  }

  /// Makes a file in the folder after a check of the open folder's owner and mode.
  private static func inFolder(_ body: (Int32) -> Int32) throws(Refusal) -> Int32 {
    let path = folder.path
    var descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT {
      try? FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard descriptor >= 0 else { throw Refusal(folder: path, code: errno) }
    defer { close(descriptor) }
    guard FolderOwnership(descriptor).keepsFiles else { throw Refusal(folder: path, code: nil) }
    let result = body(descriptor)
    guard result >= 0 else { throw Refusal(folder: path, code: errno) }
    return result
  }
}

extension TemporaryLocation.Refusal: LocalizedError, CustomStringConvertible {
  package var errorDescription: String? {
    code.map { String(cString: strerror($0)) } ?? "other users can replace files of this folder"
  }

  /// The place, the cause and what to do.
  package var description: String {
    "\(folder): cannot make temporary files here: \(errorDescription ?? ""); set TMPDIR to a folder of your own"
  }
}

/// The owner and the permissions of a folder, read from the open folder and not by its name.
package struct FolderOwnership {
  private var status = stat()

  /// Opens a folder; nil if the path is not a folder, or is a link.
  package init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor >= 0 {
      defer { close(descriptor) }
      guard fstat(descriptor, &status) == 0 else { return nil }
    } else {
      // A folder that may not be read is there all the same.
      guard errno == EACCES, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    }
  }

  /// Takes an open folder.
  package init(_ descriptor: Int32) { if fstat(descriptor, &status) != 0 { status.st_uid = uid_t.max } }

  /// True for a folder of this user that other users cannot read.
  package var isPrivate: Bool { status.st_uid == geteuid() && status.st_mode & 0o777 == 0o700 }

  /// True for a folder of this user that other users cannot write.
  package var isOwn: Bool { status.st_uid == geteuid() && status.st_mode & othersWriting == 0 }

  /// The owner of a folder in which the superuser must not change files; nil for other folders and users.
  ///
  /// Its owner could put links to files of the superuser in the way.
  ///
  /// - Parameter path: the folder; links are followed.
  /// - Returns: the user's name, or `#` and the number of one without a name.
  package static func obstacle(inFolder path: String) -> String? {
    var status = stat()
    guard geteuid() == 0, stat(path, &status) == 0, status.st_uid != 0 else { return nil }
    return name(of: status.st_uid)
  }

  private static func name(of user: uid_t) -> String {
    getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "#\(user)"
  }

  /// The first link of another user on the way to a file, which the superuser must not follow; nil for other users.
  ///
  /// Its owner could point it at a file of the superuser.
  ///
  /// - Parameter path: the file, which need not exist.
  /// - Returns: the link and its owner.
  package static func foreignLink(on path: String) -> (link: String, owner: String)? {
    guard geteuid() == 0 else { return nil }
    func parts(_ path: String) -> [Substring] { path.split(separator: "/") }
    var place = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath
    var (rest, links) = (parts(path)[...], 0)
    while let part = rest.popFirst() {
      if part == ".." { place = parts(place).dropLast().reduce("") { "\($0)/\($1)" } }
      if part == "." || part == ".." { continue }
      let next = "\(place == "/" ? "" : place)/\(part)"
      var status = stat()
      guard lstat(next, &status) == 0 else { return nil }
      guard status.st_mode & S_IFMT == S_IFLNK else {
        place = next
        continue
      }
      if status.st_uid != 0 { return (next, name(of: status.st_uid)) }
      links += 1
      guard links <= 40, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) else {
        return nil
      }
      if target.hasPrefix("/") { place = "" }
      rest = (parts(target) + rest)[...]
    }
    return nil
  }

  /// True if other users cannot remove or replace this user's files.
  fileprivate var keepsFiles: Bool {
    let isTrusted = status.st_uid == geteuid() || status.st_uid == 0
    return isTrusted && (status.st_mode & othersWriting == 0 || status.st_mode & S_ISVTX != 0)
  }

  /// The write permissions of other users; the user's own group is trusted.
  private var othersWriting: mode_t { status.st_gid == getegid() ? 0o002 : 0o022 }
}
