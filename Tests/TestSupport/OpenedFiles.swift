#if os(Linux)
  import Foundation
  import Glibc

  /// Counts how often any process opens each of some files; the system's own notices are what is counted.
  public final class OpenedFiles {
    /// How many folders were made in the folders among them, as far as somebody has asked for counts.
    public private(set) var createdFolders = 0
    private let descriptor: Int32
    private var paths: [Int32: String] = [:]

    /// Begins to count.
    ///
    /// - Parameter paths: the files.
    /// - Throws: when the system refuses to watch one of them.
    public init(_ paths: [String]) throws {
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
      for path in paths {
        // With the notice of closing between them, two notices of opening are not taken for one.
        let watch = inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_CLOSE_NOWRITE | IN_CLOSE_WRITE | IN_CREATE))
        guard watch >= 0 else { throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: path]) }
        self.paths[watch] = path
      }
    }

    deinit { close(descriptor) }

    /// How often each file was opened since this was asked last; files that nobody opened are left out.
    public func counts() -> [String: Int] {
      var counts: [String: Int] = [:]
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let size = read(descriptor, &buffer, buffer.count)
        guard size > 0 else { return counts }
        var position = 0
        while position < size {
          let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: inotify_event.self) }
          if event.mask & UInt32(IN_OPEN) != 0, let path = paths[event.wd] { counts[path, default: 0] += 1 }
          if event.mask & UInt32(IN_CREATE) != 0, event.mask & UInt32(IN_ISDIR) != 0 { createdFolders += 1 }
          position += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }
  }
#endif
