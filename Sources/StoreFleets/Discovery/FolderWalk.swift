import Foundation
import PersistentStores

/// Walks through a folder and those in it, one entry at a time, so that memory does not grow with the number of files.
///
/// Symbolic links are not followed. One folder is open for each level of depth.
final class FolderWalk {
  enum Entry {
    /// A file, by its path from the folder the walk began in.
    case file(String, FileStatus)
    /// A file whose name is no text: the name as far as it is, and the path's bytes.
    case misnamed(String, path: [CChar])
    /// A symbolic link, by its path from the folder the walk began in.
    case link(String)
    /// A folder that cannot be looked into, and why.
    case closed(String, reason: String)
  }

  private let root: String
  private let enters: (String) -> Bool
  private var levels: [(stream: FolderPointer, path: String)] = []
  private var failure: Entry?

  /// Begins a walk.
  ///
  /// - Parameter enters: asked with the path of each folder from there; false passes it over with all that is in it.
  init(_ root: String, enters: @escaping (String) -> Bool) {
    (self.root, self.enters) = (root, enters)
    open("")
  }

  deinit { for level in levels { closedir(level.stream) } }

  /// The next entry, in no order; nil if there is no more.
  func next() -> Entry? {
    if let failure {
      self.failure = nil
      return failure
    }
    while let level = levels.last {
      errno = 0
      guard let entry = readdir(level.stream) else {
        let reason = errno == 0 ? nil : String(cString: strerror(errno))
        closedir(level.stream)
        levels.removeLast()
        if let reason { return .closed(level.path, reason: reason) }
        continue
      }
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
      let bytes = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      if let found = look(at: bytes, in: level.path) { return found }
    }
    return nil
  }

  private func look(at bytes: UnsafePointer<CChar>, in folder: String) -> Entry? {
    guard let name = String(validatingCString: bytes) else { return misnamed(bytes, in: folder) }
    guard name != ".", name != ".." else { return nil }
    let path = folder.isEmpty ? name : "\(folder)/\(name)"
    guard let stamp = FileStatus("\(root)/\(path)") else { return nil }
    switch stamp.kind {
    case .file: return .file(path, stamp)
    case .link: return .link(path)
    case .other: return nil
    case .folder:
      if enters(path) { open(path) }
      defer { failure = nil }
      return failure
    }
  }

  private func misnamed(_ bytes: UnsafePointer<CChar>, in folder: String) -> Entry? {
    let prefix = Array("\(root)/\(folder.isEmpty ? "" : folder + "/")".utf8CString.dropLast())
    let path = prefix + Array(UnsafeBufferPointer(start: bytes, count: strlen(bytes) + 1))
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    let name = (folder.isEmpty ? "" : folder + "/") + String(cString: bytes)
    switch FileStatus(status).kind {
    case .file: return .misnamed(name, path: path)
    case .folder: return .closed(name, reason: "its name is not valid UTF-8; rename it")
    case .link: return .link(name)
    case .other: return nil
    }
  }

  private func open(_ path: String) {
    guard let stream = opendir(path.isEmpty ? root : "\(root)/\(path)") else {
      failure = .closed(path, reason: String(cString: strerror(errno)))
      return
    }
    levels.append((stream, path))
  }
}
