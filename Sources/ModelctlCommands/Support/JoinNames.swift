import Foundation
import ModelKit

/// The known names of join tables, read once for all stores of a command.
struct JoinNames: Sendable {
  let store: ReferenceStore?
  /// The names in lock files.
  let locked: [JoinNameReference]

  /// The names for stores of a version, the most certain names first.
  ///
  /// - Throws: `JoinNameReferenceError` if the given store cannot prove the names for this version.
  func references(for version: LoadedVersion) throws -> [JoinNameReference] {
    try (store.map { [try $0.reference(for: version)] } ?? []) + locked
  }

  /// The names in the lock files of bundles, for versions that did not change.
  ///
  /// If a file cannot be read, it prints a warning on standard error.
  static func locked(_ versions: [LoadedVersion]) -> [JoinNameReference] {
    let versions = versions.flatMap { $0.parts.isEmpty ? [$0] : $0.parts }
    return Set(versions.map(\.bundle)).sorted().flatMap { bundle -> [JoinNameReference] in
      let path = LockFile.path(besideBundleAt: bundle)
      guard FileManager.default.fileExists(atPath: path) else { return [] }
      do {
        return try LockFile(contentsOf: path).joinNameReferences(among: versions.filter { $0.bundle == bundle })
      } catch {
        Console.warn("left out: \(error.sentence)")
        return []
      }
    }
  }

  /// Suggests a store of the project that would replace a guess, on standard error.
  func suggest(for joins: [SelfJoin], of version: LoadedVersion) {
    guard joins.contains(where: { $0.evidence == .guess }), let path = Self.store(of: version) else { return }
    let word = ShellWord(path: path).text
    let hasBundle = (try? Project.here.search()).map { !$0.files(under: $0.project.path).bundles.isEmpty } ?? false
    Console.warn(
      "Core Data made \(path) with \(version.name); to use its names, add: --join-names-from \(word)"
        + (hasBundle ? "; or record its names: modelctl lock --store \(word)" : ""))
  }

  /// The first store in or below this folder that Core Data made with all entities of a version, as `lock` needs it.
  private static func store(of version: LoadedVersion) -> String? {
    let extensions: Set = ["sqlite", "sqlite3", "store", "db", "storedata"]
    guard let names = FileManager.default.enumerator(atPath: ".") else { return nil }
    for case let name as String in names.prefix(50_000) {
      guard extensions.contains((name as NSString).pathExtension.lowercased()) else { continue }
      guard let store = try? ReferenceStore.read(path: name), store.versionHashes == version.versionHashes else {
        continue
      }
      if (try? store.reference(for: version)) != nil { return name }
    }
    return nil
  }
}
