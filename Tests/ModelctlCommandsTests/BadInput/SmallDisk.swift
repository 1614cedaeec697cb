import Foundation
import TestSupport

/// A disk of one mebibyte in memory, which fills up soon.
struct SmallDisk {
  private let folder: URL

  init(at folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.path]) else {
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  /// Writes a file that takes all the space but this.
  func fill(leaving bytes: Int) throws {
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
    let free = (attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0
    try Data(count: max(0, free - bytes)).write(to: folder.appendingPathComponent("ballast"))
  }

  func unmount() { _ = Self.run("/bin/umount", [folder.path]) }

  /// True when this user may mount a disk.
  static let isPossible: Bool = {
    guard let probe = try? TemporaryFolder(), let disk = try? SmallDisk(at: probe.url) else { return false }
    disk.unmount()
    return true
  }()

  private static func run(_ path: String, _ arguments: [String]) -> Bool {
    guard FileManager.default.isExecutableFile(atPath: path) else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
