public import Foundation
public import ModelFiles
import PersistentStores

/// The SQLite stores of the corpus that have rows.
public enum CorpusStores {
  /// The files of all of them.
  public static let all = Corpus.files(in: "stores") { $0.hasSuffix("sqlite") }

  /// Goes through a sample of them, or through all.
  ///
  /// - Parameters:
  ///   - limit: how many a run goes through that is not whole.
  ///   - body: takes a copy in a folder of its own, its version, and the store in the corpus.
  /// - Returns: how many stores have a known version, and how many of all a run goes through, for a message.
  /// - Throws: `StoreError`, and what the body throws.
  public static func forEach(
    atMost limit: Int, _ body: (String, LoadedVersion, URL) throws -> Void
  ) throws -> (count: Int, scope: String) {
    var count = 0
    for file in CorpusSample.of(all, atMost: limit) where try with(file, body) { count += 1 }
    return (count, CorpusSample.scope(count, of: all.count))
  }

  /// Copies one of them.
  ///
  /// - Parameters:
  ///   - file: the store in the corpus.
  ///   - body: takes the copy in a folder of its own, its version, and the store in the corpus.
  /// - Returns: false, without the body, if no version of the corpus is the store's.
  /// - Throws: `StoreError`, and what the body throws.
  public static func with(_ file: URL, _ body: (String, LoadedVersion, URL) throws -> Void) throws -> Bool {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
      try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path + suffix)
    }
    let support = file.deletingLastPathComponent()
      .appendingPathComponent(".\(file.deletingPathExtension().lastPathComponent)_SUPPORT")
    if FileManager.default.fileExists(atPath: support.path) {
      try FileManager.default.copyItem(atPath: support.path, toPath: folder.path(".store_SUPPORT"))
    }
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let found = try reader.identify(among: CorpusVersions.holding(file, readBy: reader)).model
    reader.close()
    guard let model = found else { return false }
    try body(path, LoadedVersion(bundle: "corpus", name: "v", isCurrent: true, model: model), file)
    return true
  }
}
