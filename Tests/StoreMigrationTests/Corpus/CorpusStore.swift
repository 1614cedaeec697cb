import Foundation
import GRDB
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// A store of the corpus that a bundle of the same repository holds the version of, with the later versions.
struct CorpusStore: CustomTestStringConvertible, Sendable {
  let url: URL
  let versions: [KnownVersion]
  let position: Int

  var testDescription: String { url.pathComponents.suffix(2).joined(separator: "/") }

  var source: KnownVersion { versions[position] }

  /// The versions after the store's that are not the same version under another name.
  var later: [KnownVersion] {
    var last = source
    return versions[(position + 1)...].filter { version in
      guard version.versionHashes != last.versionHashes else { return false }
      last = version
      return true
    }
  }

  /// Every store with a later version, sorted by path.
  static func all(in folder: String) -> [CorpusStore] {
    var bundles: [String: [[KnownVersion]]] = [:]
    let urls = Corpus.files(in: folder) { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") && !$0.hasPrefix(".") }
    return urls.compactMap { url in
      guard let root = Corpus.folder else { return nil }
      let parts = url.path.dropFirst(root.appendingPathComponent(folder).path.count + 1).split(separator: "/")
      guard let repository = parts.first.map(String.init) else { return nil }
      let known =
        bundles[repository]
        ?? ModelBundle.discover(under: root.appendingPathComponent("models/\(repository)").path).map {
          KnownVersion.load(from: [$0]).versions
        }
      bundles[repository] = known
      guard let reader = try? StoreReader(path: copy(url)), let metadata = try? reader.metadata() else { return nil }
      for versions in known {
        if let position = versions.lastIndex(where: { $0.versionHashes == metadata.versionHashes }) {
          let store = CorpusStore(url: url, versions: versions, position: position)
          return store.later.isEmpty ? nil : store
        }
      }
      return nil
    }
  }

  private static let folder = try? TemporaryFolder()

  /// A copy of a store with its log, because the corpus is never written to.
  static func copy(_ url: URL, as name: String = UUID().uuidString) -> String {
    let path = folder?.path(name + ".sqlite") ?? ""
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try? FileManager.default.copyItem(atPath: url.path + suffix, toPath: path + suffix)
      try? FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path + suffix)
    }
    return path
  }
}
