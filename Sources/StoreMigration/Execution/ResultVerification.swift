import GRDB
import ModelDescription
import PersistentStores

/// Holds the result of a plan against what it promised, before anything is kept.
struct ResultVerification {
  let prepared: PreparedMigration
  let plan: MigrationPlan
  let options: MigrationOptions
  let path: String

  /// Looks at the schema, the metadata and, where the plan touched rows, at the rows.
  ///
  /// - Throws: ``MigrationError/verificationFailed(path:findings:)``.
  func verify(_ database: Database) throws {
    let snapshot = try StoreSnapshot(reading: database, counting: plan.touchesRows)
    var findings = prepared.layout.differences(from: snapshot).filter(\.isFatal).map(\.description)
    let metadata = try StoreMetadata(reading: database, path: path)
    if metadata.versionHashes != prepared.destination.versionHashes {
      findings.append("the metadata does not have the hashes of \(prepared.destination.name)")
    }
    findings += countFindings(snapshot)
    guard findings.isEmpty else { throw MigrationError.verificationFailed(path: path, findings: findings) }
  }

  private func countFindings(_ snapshot: StoreSnapshot) -> [String] {
    guard plan.touchesRows else { return [] }
    let counts = prepared.rowCounts(in: snapshot)
    return plan.expectedRows.sorted { $0.key < $1.key }.compactMap { entity, expected in
      let actual = counts[entity] ?? 0
      let mayShrink = prepared.destination.hierarchy.lineage(of: entity).contains {
        options.duplicatePolicies[$0.name] != nil
      }
      guard actual != expected, !(mayShrink && actual < expected) else { return nil }
      return "\(entity) has \(actual) rows where \(expected) are expected"
    }
  }
}

extension PreparedMigration {
  /// The rows of every destination entity that has any.
  func rowCounts(in snapshot: StoreSnapshot) -> [String: Int] {
    var counts: [String: Int] = [:]
    for entity in layout.entityNumbers {
      guard let table = layout.table(ofEntity: entity.name), let count = snapshot.rowCounts[table.name]?[entity.number],
        count > 0
      else { continue }
      counts[entity.name] = count
    }
    return counts
  }
}

extension LayoutDifference {
  /// True when Core Data would not find what it needs, or find it slower, in the store that was made.
  fileprivate var isFatal: Bool {
    switch self {
    case .extraTable, .extraIndex, .extraTrigger, .extraColumn, .serviceTable, .unknownEntity, .indexName: false
    default: true
    }
  }
}
