import Foundation

/// What the system counts of a process's writing.
package enum WrittenBytes {
  /// The bytes that this process has had written to disks so far, by all its threads; nil where the system does not
  /// tell, as on macOS.
  package static var ofThisProcess: Int64? {
    guard let bytes = FileManager.default.contents(atPath: "/proc/self/io") else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix("write_bytes: ") }.flatMap { Int64($0.dropFirst("write_bytes: ".count)) }
  }
}
