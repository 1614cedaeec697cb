import Foundation
import ModelDescription
import PersistentStores

/// What the versions on the way to the last ask of the rows of each, found out for all of them when it is first asked for.
final class RehearsalDemands: @unchecked Sendable {
  private let versions: [KnownVersion]
  private let lock = NSLock()
  private var known: [RowDemands]?

  /// Prepares the demands on the way to a version.
  ///
  /// - Parameters:
  ///   - versions: the versions, oldest first.
  ///   - destination: the last one of the way.
  init(_ versions: [KnownVersion], to destination: KnownVersion) {
    let end = versions.firstIndex { $0.name == destination.name } ?? -1
    self.versions = Array(versions[...end])
  }

  /// What is asked of the rows of a version; nil for one that is not on the way.
  func demands(of version: KnownVersion) -> RowDemands? {
    guard let position = versions.firstIndex(where: { $0.name == version.name }), position + 1 < versions.count else {
      return nil
    }
    return lock.withLock {
      let demands = known ?? RowDemands.chain(versions.map(\.hierarchy))
      known = demands
      return demands[position]
    }
  }
}
