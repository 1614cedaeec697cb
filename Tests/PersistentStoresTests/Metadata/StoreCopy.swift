import Foundation
import TestSupport

/// A store of the corpus copied with its log, because the corpus is never opened in place.
struct StoreCopy {
  let folder: TemporaryFolder
  let path: String

  init(of store: URL) throws {
    folder = try TemporaryFolder()
    path = folder.path(store.lastPathComponent)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
      try FileManager.default.copyItem(atPath: store.path + suffix, toPath: path + suffix)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path + suffix)
    }
  }
}
