import Foundation
import PersistentStores

extension FileError {
  /// The error of a migration.
  ///
  /// - Parameters:
  ///   - path: what could not be written.
  ///   - purpose: what could not be done, such as `the backup cannot be made`.
  /// - Returns: a ``MigrationError``, or that the disk is full.
  func error(path: String, _ purpose: String) -> any Error {
    code == ENOSPC || code == EDQUOT
      ? StoreError.diskFull(path: path) : MigrationError.file(path: path, detail: "\(purpose): \(words)")
  }
}
