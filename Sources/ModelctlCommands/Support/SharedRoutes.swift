import Foundation
import ModelKit

/// The finders of ways to each version, made once for all stores.
final class SharedRoutes: @unchecked Sendable {
  private let lock = NSLock()
  private var known: [[String]: Result<MigrationRoutes, any Error>] = [:]
  private let make: (MigrationTarget) throws -> MigrationRoutes

  /// Makes none yet.
  ///
  /// - Parameter make: makes the finder for a target; called once for each, on any thread, never twice at once.
  init(_ make: @escaping (MigrationTarget) throws -> MigrationRoutes) { self.make = make }

  /// The finder for a target.
  ///
  /// - Throws: what making it threw.
  func routes(to target: MigrationTarget) throws -> MigrationRoutes {
    let start = target.destination.parts.isEmpty ? nil : target.versions.first?.name
    let key = [target.destination.bundle, target.destination.name] + [start].compactMap { $0 }
    return try lock.withLock {
      let result = known[key] ?? Result { try make(target) }
      known[key] = result
      return result
    }.get()
  }
}
