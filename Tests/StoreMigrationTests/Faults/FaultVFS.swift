import CFaultInjection
import Foundation
import GRDBSQLite
import TestSupport

/// The door between SQLite and the faulty disks of this process.
enum FaultVFS {
  private static let disks = Guarded<[Int64: FaultyDisk]>([:])

  private static let isInstalled: Bool = {
    let code = fault_vfs_install(
      { watch, operation in
        guard let operation, let disk = FaultVFS.disks.withLock({ $0[watch] }) else {
          return fault_verdict(code: SQLITE_OK, torn: 0)
        }
        return disk.judge(operation.pointee)
      },
      { watch, operation in
        guard let operation, let disk = FaultVFS.disks.withLock({ $0[watch] }) else { return }
        disk.record(operation.pointee)
      })
    return code == SQLITE_OK
  }()

  struct Unavailable: Error {}

  /// Has a disk asked and told about what SQLite does in its folder.
  static func watch(_ disk: FaultyDisk) throws -> Int64 {
    guard isInstalled, let folder = realpath(disk.folder, nil) else { throw Unavailable() }
    defer { free(folder) }
    let watch = fault_vfs_watch(folder)
    guard watch != 0 else { throw Unavailable() }
    disks.withLock { $0[watch] = disk }
    return watch
  }

  static func forget(_ watch: Int64) {
    fault_vfs_forget(watch)
    disks.withLock { $0[watch] = nil }
  }
}
