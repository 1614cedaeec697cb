package import Foundation

/// The files of a store in the making, and how they get their names at the end.
package struct NewStoreFiles {
  let path: String
  /// The name the store is written under.
  package let partial: String
  /// The name that its folder of external data is written under.
  private let partialSupport: String
  private let support: String

  /// Chooses names beside a store that is to be made.
  package init(path: String) {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent()
    let token = UUID().uuidString
    self.path = path
    partial = folder.appendingPathComponent(".\(url.lastPathComponent).\(token).partial").path
    support = ExternalData.support(beside: url).path
    partialSupport = folder.appendingPathComponent(".\(url.lastPathComponent).\(token).partial-support").path
  }

  /// Checks that nothing would be overwritten and that the folder is there.
  package func checkAbsence() throws(StoreCreationError) {
    for taken in [path, path + "-wal", path + "-shm", path + "-journal", support] where Self.isTaken(taken) {
      throw .exists(path: taken)
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder) else { throw .folder(path: path) }
    guard FileManager.default.isWritableFile(atPath: folder) else { throw .readOnlyFolder(path: path) }
  }

  /// True for anything of that name, a broken symbolic link included.
  private static func isTaken(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }

  /// Writes a file of external data.
  package func writeExternal(_ content: Data, named name: String) throws {
    let folder = URL(fileURLWithPath: partialSupport).appendingPathComponent("_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try content.write(to: folder.appendingPathComponent(name))
  }

  /// Gives the finished files their names: the external data first, the store last; then they are on the disk.
  package func publish() throws {
    try synchronize(partial)
    try checkAbsence()
    let hasSupport = FileManager.default.fileExists(atPath: partialSupport)
    if hasSupport { try FileManager.default.moveItem(atPath: partialSupport, toPath: support) }
    var isMoved = false
    do {
      try FileManager.default.moveItem(atPath: partial, toPath: path)
      isMoved = true
      try synchronize(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    } catch {
      if isMoved { try? FileManager.default.removeItem(atPath: path) }
      if hasSupport { try? FileManager.default.removeItem(atPath: support) }
      throw error
    }
  }

  private func synchronize(_ file: String) throws(StoreCreationError) {
    let code = DiskFlush.run(file)
    guard code == 0 else { throw .failed(path: path, fault: .flush(code: code)) }
  }

  /// Removes what was written.
  package func discard() {
    for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: partial + suffix) }
    try? FileManager.default.removeItem(atPath: partialSupport)
  }
}
