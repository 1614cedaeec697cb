import CSQLiteConnection
import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// The processes and their open files that the system shows to this user.
///
/// Linux and macOS show users their own processes, and show the superuser all processes. Processes outside a container
/// are not visible inside it.
enum ProcessTable {
  /// A lock that a process has on a part of a file.
  struct Lock: Hashable, Sendable {
    let processID: Int32
    let isExclusive: Bool
    /// False if only the file's number is equal; layered file systems have a different device here than in `stat`.
    let isOfDevice: Bool
    let bytes: ClosedRange<UInt64>
  }

  static var own: Int32 { ProcessInfo.processInfo.processIdentifier }
}

#if canImport(Darwin)
  extension ProcessTable {
    static func processes(withOpen path: String) -> Set<Int32> {
      var identifiers = [pid_t](repeating: 0, count: 4096)
      let size = Int32(identifiers.count * MemoryLayout<pid_t>.size)
      let excludingEventWatchers: UInt32 = 2
      let bytes = proc_listpidspath(UInt32(PROC_ALL_PIDS), 0, path, excludingEventWatchers, &identifiers, size)
      guard bytes > 0 else { return [] }
      return Set(identifiers.prefix(Int(bytes) / MemoryLayout<pid_t>.size)).subtracting([0, own])
    }

    /// The file descriptors of this process for a file.
    static func ownDescriptors(of file: FileIdentity) -> [Int32] {
      (0..<min(getdtablesize(), 10_240)).filter { FileIdentity(descriptor: $0) == file }
    }

    /// False: the system does not show this for a descriptor.
    static func isOnlyOpener(_ descriptor: Int32) -> Bool { false }

    /// The name of a process; nil if it has ended.
    static func name(of process: Int32) -> String? {
      var name = [UInt8](repeating: 0, count: 256)
      let count = proc_name(process, &name, UInt32(name.count))
      return count > 0 ? String(decoding: name.prefix(Int(count)), as: UTF8.self) : nil
    }

    /// Nothing: asking with `F_GETLK` needs the file opened, and closing it would drop this process's own locks.
    static func locks(on path: String) -> [Lock] { [] }
  }
#else
  extension ProcessTable {
    static func processes(withOpen path: String) -> Set<Int32> {
      guard let file = FileIdentity(path: path) else { return [] }
      let own = own
      let others = entries(of: "/proc").compactMap { Int32($0) }.filter { $0 != own }
      return Set(others.filter { !descriptors(of: file, at: "/proc/\($0)/fd").isEmpty })
    }

    /// The file descriptors of this process for a file.
    static func ownDescriptors(of file: FileIdentity) -> [Int32] { descriptors(of: file, at: "/proc/self/fd") }

    /// True if no other process of any user has the descriptor's file open; false if this is uncertain.
    ///
    /// The kernel checks this immediately, but reading the table of all processes takes milliseconds. Source: “Leases”
    /// in fcntl(2).
    static func isOnlyOpener(_ descriptor: Int32) -> Bool { modelctl_is_only_opener(descriptor) != 0 }

    /// The name of a process; nil if it has ended.
    static func name(of process: Int32) -> String? {
      guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/comm") else { return nil }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }

    /// The locks on a file, including those of this process.
    static func locks(on path: String) -> [Lock] {
      guard let file = FileIdentity(path: path),
        let bytes = FileManager.default.contents(atPath: "/proc/locks")
      else { return [] }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { lock($0, on: file) }
    }

    /// A line such as `1: POSIX  ADVISORY  WRITE 8957 fe:00:5933584 1073741824 1073742335`.
    private static func lock(_ line: Substring, on file: FileIdentity) -> Lock? {
      let words = line.split(separator: " ")
      guard words.count >= 8, words[1] != "->", let process = Int32(words[4]), let first = UInt64(words[6])
      else { return nil }
      let place = words[5].split(separator: ":")
      guard place.count == 3, UInt64(place[2]) == file.number else { return nil }
      let device = [UInt64(place[0], radix: 16), UInt64(place[1], radix: 16)]
      let last = UInt64(words[7]) ?? .max
      return Lock(
        processID: process, isExclusive: words[3] == "WRITE",
        isOfDevice: device == [file.majorDevice, file.minorDevice],
        bytes: first...max(first, last))
    }

    private static func descriptors(of file: FileIdentity, at folder: String) -> [Int32] {
      entries(of: folder).filter { FileIdentity(path: "\(folder)/\($0)") == file }.compactMap { Int32($0) }
    }

    private static func entries(of folder: String) -> [String] {
      guard let stream = opendir(folder) else { return [] }
      defer { closedir(stream) }
      var names: [String] = []
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        names.append(name)
      }
      return names
    }
  }

  extension FileIdentity {
    fileprivate var majorDevice: UInt64 { (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF }
    fileprivate var minorDevice: UInt64 { device & 0xFF | (device >> 12) & ~0xFF }
  }
#endif

/// The number of bytes that a process wrote, as the system counts them.
package enum WrittenBytes {
  /// The bytes that all threads of this process have written to disks; nil if the system does not show them, as on
  /// macOS.
  package static var ofThisProcess: Int64? {
    guard let bytes = FileManager.default.contents(atPath: "/proc/self/io") else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix("write_bytes: ") }.flatMap { Int64($0.dropFirst("write_bytes: ".count)) }
  }
}
