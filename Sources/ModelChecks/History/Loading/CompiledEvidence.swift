import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

/// The compiled models of a shipped app.
struct CompiledEvidence {
  let bundle: ModelBundle
  let released: [Release]

  /// Reads a `.momd` or a `.mom`.
  ///
  /// - Parameter path: its path.
  /// - Throws: ``HistoryError/notCompiled(path:)``, and `ModelFileError` when it cannot be read.
  /// - Returns: what it says of each version.
  static func read(at path: String) throws -> CompiledEvidence {
    let bundle = try ModelBundle(at: path)
    guard bundle.form == .compiled || bundle.form == .compiledSingle else { throw HistoryError.notCompiled(path: path) }
    let stated = bundle.versionInfo?.hashes ?? [:]
    var released: [Release] = []
    for version in bundle.versions {
      let known = hashes(stated[version.name])
      // What the compiler wrote down suffices; the model only explains it.
      let model = known == nil ? try version.load().model : (try? version.load())?.model
      let computed = model.flatMap { try? VersionHashes(of: $0) }
      guard let hashes = known ?? computed else { continue }
      released.append(
        Release(
          evidence: .compiled(path: path), name: version.name, hashes: hashes, model: computed == hashes ? model : nil))
    }
    return CompiledEvidence(bundle: bundle, released: released)
  }

  private static func hashes(_ stated: [String: Data]?) -> VersionHashes? {
    guard let stated, !stated.isEmpty else { return nil }
    let entities = stated.compactMapValues { VersionHash($0) }
    return entities.count == stated.count ? VersionHashes(entities: entities) : nil
  }

  /// Whether it was made from a bundle: they have a name in common, or a version.
  func isMade(from reading: BundleReading) -> Bool {
    if bundle.name == reading.bundle.name { return true }
    let hashes = Set(released.map(\.hashes))
    return reading.usable.contains { hashes.contains($0.versionHashes) }
  }
}
