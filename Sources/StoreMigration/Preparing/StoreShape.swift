import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores

/// All that the plan of a store depends on: two stores of one shape have one plan.
struct StoreShape: Sendable {
  /// The known names of join tables.
  private struct Reference: Hashable {
    let hierarchy: ObjectIdentifier
    let naming: Set<PropertyAddress>
    let path: String
  }

  /// A part of the path.
  private struct Part: Hashable {
    let names: [String]
    let hierarchies: [ObjectIdentifier]
    let mappingPath: String?
  }

  /// The properties in which two stores must be equal.
  private struct Key: Hashable {
    let metadata: StoreMetadata
    let snapshot: StoreSnapshot
    let isOfCoreData: Bool
    let references: [Reference]
    let parts: [Part]
    let options: MigrationOptions
  }

  private let key: Key
  /// Kept in memory, so that other models cannot get the identity of these models.
  private let kept: (path: MigrationPath, references: [JoinNameReference])
  /// False if code of the app's own takes part, or what cannot be compared.
  let isComparable: Bool
  /// The value of `now()`; a plan that uses it is valid for a single store only.
  let now: Double

  init(of store: IdentifiedStore, _ snapshot: StoreSnapshot, along path: MigrationPath, _ request: MigrationRequest) {
    var (metadata, snapshot) = (store.metadata, snapshot)
    // The plan reads neither.
    (metadata.uuid, snapshot.byteCount) = ("", 0)
    key = Key(
      metadata: metadata, snapshot: snapshot, isOfCoreData: store.isOfCoreData,
      references: request.references.map {
        Reference(hierarchy: $0.hierarchy.identity, naming: $0.naming, path: $0.path)
      },
      parts: path.parts.map { part in
        Part(
          names: part.versions.map(\.name), hierarchies: part.versions.map(\.hierarchy.identity),
          mappingPath: part.mappingPath)
      }, options: request.options)
    kept = (path, request.references)
    // The snapshot has the names of virtual tables and not how they were made.
    isComparable = request.policies.isEmpty && snapshot.virtualTables.isEmpty
    now = request.now
  }

  func isEqual(to other: StoreShape) -> Bool { isComparable && key == other.key }
}

/// The most recent plans, so that only one of many stores of the same shape is planned.
///
/// A plan contains its queries of rows (checks, losses, validations), and they run on each store.
final class PlanCache: Sendable {
  private let touching = RecentValues<StoreShape, Bool>(capacity: 16) { $0.isEqual(to: $1) }
  private let planned = RecentValues<StoreShape, [PlannedStage]>(capacity: 16) { $0.isEqual(to: $1) }

  /// True if the first stage of a shape touches rows; computed once.
  func touchesRows(_ shape: StoreShape, _ find: () throws -> Bool) rethrows -> Bool {
    try shape.isComparable ? touching.value(for: shape, make: find) : find()
  }

  func stages(_ shape: StoreShape, _ plan: () throws -> [PlannedStage]) rethrows -> [PlannedStage] {
    guard shape.isComparable else { return try plan() }
    return try planned.value(
      for: shape, isKept: { stages in !stages.contains { $0.stage.plan.holds(.real(shape.now)) } }, make: plan)
  }
}

extension MigrationPlan {
  /// True if a statement or a question has a value among its arguments.
  func holds(_ value: SQLValue) -> Bool {
    let questions = (checks + answeredChecks + validations).flatMap { check in
      [check.query] + (check.scan.map { [$0.rows, $0.condition] } ?? [])
    }
    let statements =
      steps.flatMap { [$0.statement] + ($0.runIf.map { [$0.question] } ?? []) } + questions + losses.map(\.countQuery)
    return statements.contains { $0.arguments.contains(value) }
  }
}
