import Foundation
import GRDB
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// A store of the corpus with the later versions of its repository's bundle.
struct CorpusStore: CustomTestStringConvertible, Sendable {
  let url: URL
  /// The version that wrote it; the store's own cached model where no bundle holds it.
  let source: LoadedVersion
  let versions: [LoadedVersion]
  /// Where the source stands among the versions, nil for one that is older than all of them.
  let position: Int?

  var testDescription: String { url.pathComponents.suffix(2).joined(separator: "/") }

  /// The repository that the store is from.
  var repository: String { url.deletingLastPathComponent().lastPathComponent }

  /// The versions after the store's that are not the same version under another name.
  var later: [LoadedVersion] {
    var last = source
    return versions[(position.map { $0 + 1 } ?? 0)...].filter { version in
      guard version.versionHashes != last.versionHashes else { return false }
      last = version
      return true
    }
  }

  /// The stores that have a later version, sorted by path.
  ///
  /// - Parameters:
  ///   - folder: the folder of the corpus.
  ///   - limit: how many stores are looked at in a run that is not whole.
  /// - Returns: the stores.
  static func all(in folder: String, atMost limit: Int = .max) -> [CorpusStore] {
    CorpusSample.of(files(in: folder), atMost: limit).compactMap { read($0, in: folder) }
  }

  /// Stores of some repositories that have a later version and of which something is true.
  ///
  /// - Parameters:
  ///   - limit: how many stores a run looks for that is not whole.
  ///   - folder: the folder of the corpus.
  ///   - accepts: whether the stores of a repository are looked at.
  ///   - pick: what is wanted of a store, nil for another one.
  /// - Returns: what was wanted of each.
  static func first<Picked>(
    _ limit: Int, in folder: String, of accepts: (String) -> Bool, pick: (CorpusStore) -> Picked?
  ) -> [Picked] {
    var picked: [Picked] = []
    for url in CorpusSample.mixed(files(in: folder)) where picked.count < limit || CorpusSample.isWhole {
      guard repository(of: url, in: folder).map(accepts) == true else { continue }
      if let store = read(url, in: folder), let wanted = pick(store) { picked.append(wanted) }
    }
    return picked
  }

  private static func files(in folder: String) -> [URL] {
    Corpus.files(in: folder) { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") && !$0.hasPrefix(".") }
  }

  private static func repository(of url: URL, in folder: String) -> String? {
    guard let root = Corpus.folder else { return nil }
    let parts = url.path.dropFirst(root.appendingPathComponent(folder).path.count + 1).split(separator: "/")
    return parts.first.map(String.init)
  }

  private static func read(_ url: URL, in folder: String) -> CorpusStore? {
    guard let repository = repository(of: url, in: folder) else { return nil }
    let known = CorpusVersions.bundles(of: repository)
    let path = copy(url)
    defer { try? FileManager.default.removeItem(atPath: path) }
    guard let reader = try? StoreReader(path: path) else { return nil }
    defer { reader.close() }
    guard let identification = try? reader.identify(among: known.flatMap { $0 }),
      let bundle = (identification.version ?? identification.nearest?.version)?.bundle,
      let versions = known.first(where: { $0.first?.bundle == bundle }),
      let store = CorpusStore(url, identification, versions)
    else { return nil }
    return store.later.isEmpty ? nil : store
  }

  private init?(_ url: URL, _ identification: StoreIdentification, _ versions: [LoadedVersion]) {
    self.url = url
    self.versions = versions
    if let version = identification.version {
      guard identification.configuration == nil else { return nil }
      source = version
      position = versions.lastIndex { $0.versionHashes == version.versionHashes }
      return
    }
    guard let model = identification.model,
      let cached = try? LoadedVersion(bundle: "", name: "cached model", isCurrent: false, model: model)
    else { return nil }
    source = cached
    position = nil
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
