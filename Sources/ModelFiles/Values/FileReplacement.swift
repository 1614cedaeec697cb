package import Foundation

/// Replaces the bytes of a file atomically.
package enum FileReplacement {
  /// The reason why a file is unchanged.
  package enum Refusal: Error, Hashable {
    /// Its bytes differ from the bytes that were edited.
    case changed
    /// Another program has locked its folder.
    case held(folder: String)
    /// The superuser would follow a link of another user.
    case foreignLink(String, owner: String)
  }

  /// Writes a file that was read before, as ``write(_:to:)`` does, unless another program has changed it since.
  ///
  /// - Parameters:
  ///   - data: the new bytes.
  ///   - path: the file.
  ///   - oldData: the bytes that were read.
  /// - Throws: ``Refusal``, and what reading and writing throw.
  package static func write(_ data: Data, to path: String, inPlaceOf oldData: Data) throws {
    try locked(path) { place in
      guard try FileBytes.whole(place) == oldData else { throw Refusal.changed }
      try replace(place, with: data)
    }
  }

  /// Writes a file: a link is followed, and an existing file keeps its mode and owner.
  ///
  /// A path that is not a file, such as a device or a pipe, is written to directly.
  ///
  /// - Parameters:
  ///   - data: the new bytes.
  ///   - path: the file.
  /// - Throws: ``Refusal``, and what writing throws.
  package static func write(_ data: Data, to path: String) throws {
    try checkLinks(on: path)
    var status = stat()
    if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try handle.write(contentsOf: data)
      return try handle.close()
    }
    try locked(path) { try replace($0, with: data) }
  }

  private static func checkLinks(on path: String) throws(Refusal) {
    if let (link, owner) = FolderOwnership.foreignLink(on: path) { throw .foreignLink(link, owner: owner) }
  }

  /// Calls a closure with the path of a file while no other modelctl writes files of its folder.
  private static func locked(_ path: String, _ body: (_ place: String) throws -> Void) throws {
    try checkLinks(on: path)
    let place = RealPath.of(path)
    let folder = BundlePath.parent(place)
    // A link that leads to nothing is nobody's file.
    if BundleLink.isLink(place) { throw POSIXError(.ENOENT) }
    let lock = FolderLock(folder, isReentrant: true)
    guard lock.holder != .another else { throw Refusal.held(folder: folder) }
    if lock.holder == .this { PartialFile.leftovers(of: place).forEach { unlink($0) } }
    try withExtendedLifetime(lock) { try body(place) }
  }

  /// Writes under another name, brings the bytes to the disk, and renames.
  ///
  /// - Parameters:
  ///   - place: the file, of whose folder the caller has the lock; a link is replaced.
  ///   - data: the new bytes.
  /// - Throws: `POSIXError`, and the errors of writing; then no file is left behind.
  static func replace(_ place: String, with data: Data) throws {
    var former = stat()
    let isThere = lstat(place, &former) == 0 && former.st_mode & S_IFMT == S_IFREG
    let partial = PartialFile.newName(of: place)
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      if isThere {
        // Only the superuser can give files away, and nobody else has another's to write.
        _ = fchown(descriptor, former.st_uid, former.st_gid)
        guard fchmod(descriptor, former.st_mode & 0o7777) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      }
      try handle.write(contentsOf: data)
      try handle.synchronize()
      guard rename(partial, place) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    } catch {
      unlink(partial)
      throw error
    }
    // The name is the new file's by now, whether the folder can be brought to the disk or not.
    let folder = open(BundlePath.parent(place), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}

/// The names under which files and folders are written before they get their own, such as `.contents.6F0C….partial`.
package enum PartialFile {
  private static let suffix = ".partial"

  /// A free name next to a path.
  package static func newName(of place: String) -> String {
    BundlePath.joined(BundlePath.parent(place), ".\(BundlePath.lastComponent(place)).\(UUID().uuidString)\(suffix)")
  }

  /// The partial files of killed programs next to a path; the holder of the folder's lock removes them.
  ///
  /// - Parameters:
  ///   - place: the file or folder that was to be written.
  ///   - spared: a path to exclude.
  /// - Returns: their paths.
  package static func leftovers(of place: String, sparing spared: String? = nil) -> [String] {
    let folder = BundlePath.parent(place)
    let prefix = ".\(BundlePath.lastComponent(place))."
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { name in
      name.hasPrefix(prefix) && name.hasSuffix(suffix)
        && UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(suffix.count))) != nil
    }.map { BundlePath.joined(folder, $0) }.filter { $0 != spared }
  }
}

extension FileReplacement.Refusal: LocalizedError {
  /// The cause.
  package var errorDescription: String? {
    switch self {
    case .changed: "another program changed it"
    case .held(let folder): "another program has locked the folder \(folder)"
    case .foreignLink(let link, let owner): "root does not follow the link \(link), which belongs to the user \(owner)"
    }
  }
}
