import Foundation

/// A store in the making: it has a folder of its own beside its place, and gets its name when it is whole.
package struct StagedStore {
  /// Where the store is to be.
  package let destination: String
  /// Where it is made.
  package let path: String
  private let folder: String

  /// Makes the folder.
  ///
  /// - Parameter destination: where the store is to be; nothing may be there.
  /// - Throws: ``StoreCreationError``.
  package init(for destination: String) throws(StoreCreationError) {
    try NewStoreFiles(path: destination).checkAbsence()
    let url = URL(fileURLWithPath: destination)
    let name = url.lastPathComponent
    folder = url.deletingLastPathComponent().appendingPathComponent(".\(name).\(UUID().uuidString).partial").path
    path = "\(folder)/\(name)"
    self.destination = destination
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    } catch {
      throw .failed(path: destination, fault: .other(CaughtError(error)))
    }
  }

  /// Gives the store its name, the data beside it first, once everything is on the disk; every connection to it is closed.
  ///
  /// - Throws: ``StoreCreationError``; nothing is there then.
  package func publish() throws(StoreCreationError) {
    do {
      try flush(path)
      try NewStoreFiles(path: destination).checkAbsence()
      let support = ExternalData.support(beside: URL(fileURLWithPath: path)).path
      let finalSupport = ExternalData.support(beside: URL(fileURLWithPath: destination)).path
      let hasSupport = FileManager.default.fileExists(atPath: support)
      if hasSupport { try FileManager.default.moveItem(atPath: support, toPath: finalSupport) }
      do {
        try FileManager.default.moveItem(atPath: path, toPath: destination)
      } catch {
        if hasSupport { try? FileManager.default.removeItem(atPath: finalSupport) }
        throw error
      }
      try flush(URL(fileURLWithPath: destination).deletingLastPathComponent().path)
    } catch let error as StoreCreationError {
      throw error
    } catch {
      throw .failed(path: destination, fault: .other(CaughtError(error)))
    }
    discard()
  }

  /// Removes what was made and has no name yet.
  package func discard() { try? FileManager.default.removeItem(atPath: folder) }

  private func flush(_ file: String) throws(StoreCreationError) {
    let code = DiskFlush.run(file)
    guard code == 0 else { throw .failed(path: destination, fault: .flush(code: code)) }
  }
}
