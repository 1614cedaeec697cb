import Foundation
import GRDB
import PersistentStores

extension StoreClone {
  /// Removes the copies of a store that a crash left behind.
  ///
  /// The caller holds the store, so that nobody else is migrating it. A copy that a living connection has open stays all
  /// the same: it may be of a store that was moved away.
  ///
  /// - Parameters:
  ///   - store: the real path of the store's file.
  ///   - files: what removes them.
  static func removeLeftovers(of store: String, _ files: any FileOperations) {
    let file = URL(fileURLWithPath: store)
    let folder = file.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let copies = Set(names.compactMap { CloneName(file: $0, ofStore: file.lastPathComponent) })
    for copy in copies {
      let path = folder.appendingPathComponent(copy.text).path
      if isFile(path), isInUse(path) { continue }
      for suffix in CloneName.companions + [""] where isFile(path + suffix) { try? files.remove(path + suffix) }
    }
  }

  private static func isFile(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }

  /// Who works on a copy has it locked.
  private static func isInUse(_ path: String) -> Bool {
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    configuration.allowsUnsafeTransactions = true
    configuration.label = "modelctl.leftover"
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE; ROLLBACK") }
      return false
    } catch let error as DatabaseError {
      return error.resultCode == .SQLITE_BUSY
    } catch {
      return false
    }
  }
}
