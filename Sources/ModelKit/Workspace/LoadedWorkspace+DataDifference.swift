import ModelDescription
import ModelFiles
import PersistentStores
package import Reports
import StoreContents
import VersionHashing

extension LoadedWorkspace {
  /// Compares the objects of two stores of a single version.
  ///
  /// - Parameters:
  ///   - matching: the matching of objects, as `ObjectMatching` takes it.
  ///   - busyTimeout: the seconds to wait for another process.
  ///   - interruption: called often; true cancels the comparison.
  package func dataDifference(
    from source: String, to destination: String, matching: [String], busyTimeout: Double,
    interruption: @escaping @Sendable () -> Bool
  ) throws -> DataDifferenceReport {
    let stores = try [source, destination].map { path in
      try reader(of: path, busyTimeout: busyTimeout, interruption: interruption)
    }
    defer { for store in stores { store.close() } }
    let (before, after) = (stores[0], stores[1])
    let (old, new) = (try identify(by: before), try identify(by: after))
    guard try before.metadata().versionHashes == after.metadata().versionHashes else {
      throw differentVersions((source, old), (destination, new))
    }
    guard let model = old.model ?? new.model else { throw WorkspaceError.noModelInStore(path: source) }
    let hierarchy = try EntityHierarchy(model)
    let difference = try DataDifference(
      from: before, to: after, of: hierarchy, matching: ObjectMatching(matching, in: hierarchy))
    return DataDifferenceReport(
      difference, from: .init(path: source, uuid: try before.metadata().uuid),
      to: .init(path: destination, uuid: try after.metadata().uuid))
  }

  /// A store and its identification.
  private typealias IdentifiedStore = (path: String, identification: StoreIdentification)

  /// The reason why the objects of two stores cannot be compared: different configurations or different versions.
  private func differentVersions(_ source: IdentifiedStore, _ destination: IdentifiedStore) -> DataDifferenceError {
    let (old, new) = (source.identification, destination.identification)
    if let version = old.version, let other = new.version,
      (version.bundle, version.name) == (other.bundle, other.name)
    {
      return .configurations(
        first: source.path, holding: old.configuration, second: destination.path, against: new.configuration)
    }
    if let version = old.version, let other = new.version, version.bundleName != other.bundleName {
      return .models(first: source.path, model: version.bundleName, second: destination.path, other: other.bundleName)
    }
    func age(_ version: LoadedVersion?) -> Int {
      version.flatMap { version in versions.firstIndex { $0.name == version.name } } ?? -1
    }
    let isReversed = age(old.version) > age(new.version)
    let areKnown = old.version != nil && new.version != nil
    return .versions(
      older: isReversed ? destination.path : source.path, newer: isReversed ? source.path : destination.path,
      version: areKnown ? (isReversed ? old : new).version.map { "\($0.bundleName)@\($0.name)" } : nil)
  }
}
