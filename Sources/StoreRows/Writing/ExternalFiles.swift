import Foundation
import PersistentStores

/// The files of external binary data that a save adds and takes away.
///
/// A new file is on the disk before the transaction ends, an old one goes after it, so that no row ever names a file that is
/// not there. A crash can leave files that no row names; `verify` finds them.
public final class ExternalFiles {
  /// Data above this many bytes gets a file; any choice is one that Core Data reads.
  ///
  /// Source: spec/writing-rows.md §3.
  public static let threshold = 128 * 1024

  private let folder: String
  private var added: [String] = []
  private var obsolete: [String] = []

  /// Watches the files of a store.
  ///
  /// - Parameter path: the store's path.
  public init(ofStore path: String) { folder = ExternalData.folder(ofStore: path) }

  /// Writes data to a file of a new name.
  ///
  /// - Returns: what the row keeps of it.
  /// - Throws: ``RecordWritingError``.
  func add(_ data: Data) throws(RecordWritingError) -> Data {
    let name = UUID().uuidString
    let path = "\(folder)/\(name)"
    do {
      if !FileManager.default.fileExists(atPath: folder) {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try flush((folder as NSString).deletingLastPathComponent)
      }
      added.append(path)
      try data.write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    } catch let error as RecordWritingError {
      throw error
    } catch {
      throw .externalFile(path: path, cause: CaughtError(error))
    }
    try flush(path)
    return Data([2]) + Data(name.utf8) + Data([0])
  }

  /// Copies the file that a value names, because no two rows share one.
  func copy(_ reference: Data) throws(RecordWritingError) -> Data {
    guard let name = ExternalData.fileName(in: reference) else { return reference }
    let path = "\(folder)/\(name)"
    guard let data = FileManager.default.contents(atPath: path) else { throw .externalFileMissing(path: path) }
    return try add(data)
  }

  /// Says that no row names a file any more, once the save is done.
  func retire(_ reference: Data) {
    guard let name = ExternalData.fileName(in: reference) else { return }
    obsolete.append("\(folder)/\(name)")
  }

  /// Waits until the names of new files are on the disk, before the transaction ends.
  func settle() throws(RecordWritingError) {
    if !added.isEmpty { try flush(folder) }
  }

  private func flush(_ path: String) throws(RecordWritingError) {
    let code = DiskFlush.run(path)
    guard code == 0 else {
      throw .externalFile(path: path, cause: CaughtError(POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)))
    }
  }

  /// Takes the files away that no row names any more; call it when the transaction has ended well.
  public func finish() {
    for path in obsolete { try? FileManager.default.removeItem(atPath: path) }
    (added, obsolete) = ([], [])
  }

  /// Takes the new files away; call it when nothing was saved.
  public func discard() {
    for path in added { try? FileManager.default.removeItem(atPath: path) }
    (added, obsolete) = ([], [])
  }
}
