import Foundation

/// The merged versions that stores are to get, each found once for all stores that start from the same version.
final class UnionTargets: @unchecked Sendable {
  private let lock = NSLock()
  private var known: [[String]: MigrationTarget] = [:]

  /// The target for a key.
  ///
  /// - Parameters:
  ///   - key: what the target depends on.
  ///   - find: finds it, when nobody has asked before.
  /// - Returns: the target.
  /// - Throws: what finding it threw.
  func target(for key: [String], _ find: () throws -> MigrationTarget) throws -> MigrationTarget {
    try lock.withLock {
      if let target = known[key] { return target }
      let target = try find()
      known[key] = target
      return target
    }
  }
}
