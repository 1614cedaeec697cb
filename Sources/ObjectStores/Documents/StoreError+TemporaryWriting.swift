import Foundation
import PersistentStores
import StoreRows

extension StoreError {
  /// Does something that writes a store in a temporary folder, of whose files nobody knows a name.
  ///
  /// - Parameters:
  ///   - store: the store in the folder, which has nothing else.
  ///   - runsAppCode: true where the work runs code of an app, whose errors about files that have no name are not of the folder.
  ///   - work: what is done; it writes into the folder, and elsewhere only what its errors name.
  /// - Returns: what the work gives.
  /// - Throws: `StoreError.temporaryFolderFull(path:)` where there is no room in the folder, else what the work throws.
  static func writingTemporaryStore<Value>(
    _ store: String, runsAppCode: Bool = false, _ work: () throws -> Value
  ) throws -> Value {
    let folder = URL(fileURLWithPath: store).deletingLastPathComponent().path
    do {
      return try work()
    } catch RecordWritingError.externalFile(let path, let cause)
      where isPath(path, in: folder) && lacksRoom(cause.error, in: folder)
    {
      throw fullTemporaryFolder
    } catch let error where lacksRoom(error, in: folder) && !(runsAppCode && isNameless(error)) {
      throw fullTemporaryFolder
    }
  }

  private static func isNameless(_ error: any Error) -> Bool { error is CocoaError || error is POSIXError }
}
