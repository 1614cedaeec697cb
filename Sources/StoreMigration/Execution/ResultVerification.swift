import GRDB
import ModelDescription
import ModelFiles
public import PersistentStores

/// Holds the result of a stage against what its plan promised, before anything is kept.
struct ResultVerification {
  let stage: MigrationStage
  let touchesRows: Bool
  let options: MigrationOptions
  let path: String
  /// Asks questions to a copy on two connections, nil for the store itself.
  let side: SideConnection?
  /// True if SQLite is asked about the written tables and their indexes on the connection itself.
  let asksTables: Bool
  /// The problems of the rows before the migration, by kind; computed only if there are problems after it.
  let sourceProblems: () throws -> [StoreFinding.Kind: Int]

  /// Counts what is wrong with the rows of a store that a plan will touch, so that only new problems stop it.
  static func problems(
    _ hierarchy: EntityHierarchy, _ snapshot: StoreSnapshot, in database: Database
  ) throws -> [StoreFinding.Kind: Int] {
    let questions = StoreVerifier(hierarchy: hierarchy).rowQuestions(for: snapshot, within: nil)
    let ofRows = try questions.flatMap { try $0(database) }.filter { kinds.contains($0.kind) }
    return Dictionary(ofRows.map { ($0.kind, $0.count) }, uniquingKeysWith: +)
  }

  private static let kinds: Set<StoreFinding.Kind> = [
    .unknownEntity, .abstractEntity, .danglingReference, .wrongDestination, .wrongDestinationNumber, .oneSided,
    .missingValue, .duplicate, .primaryKeyMaximum, .historyEntity,
  ]

  /// Looks at the schema, the metadata and, where rows are touched, at the rows.
  ///
  /// - Returns: the rows of every entity that has any, empty if none are touched.
  func verify(_ database: Database) throws -> [String: Int] {
    let snapshot = try StoreSnapshot(reading: database, counting: counting)
    var findings = stage.layout.differences(from: snapshot).filter(\.isFatal).map(ResultFinding.layout)
    let metadata = try StoreMetadata(reading: database, path: path)
    if metadata.versionHashes != stage.destination.versionHashes {
      findings.append(.versionHashes(of: stage.destination.name))
    }
    let counts = counts(in: snapshot)
    findings += countFindings(counts)
    if touchesRows || side != nil { findings += try rowFindings(database, snapshot) }
    guard findings.isEmpty else { throw MigrationError.verificationFailed(path: path, findings: findings) }
    return counts
  }

  /// The count of a table: all rows if it has one entity, because the queries of the rows then cover their numbers.
  private func counting(_ table: String) -> StoreSnapshot.Counting {
    guard isCounted(table) else { return .nothing }
    let layout = stage.layout
    let entities = layout.entityNumbers.filter { layout.table(ofEntity: $0.name)?.name == table }
    return entities.count == 1 ? .allRows(of: entities[0].number) : .rowsByEntity
  }

  /// True for a table whose rows come or go, or change their entity; the others have as many as before.
  private func isCounted(_ table: String) -> Bool {
    guard touchesRows, let scope = stage.plan.scope, !stage.plan.expectedRows.isEmpty else { return touchesRows }
    return scope.countsChange(in: table)
  }

  private func counts(in snapshot: StoreSnapshot) -> [String: Int] {
    guard touchesRows else { return [:] }
    var counts = stage.layout.rowCounts(in: snapshot)
    for (entity, expected) in stage.plan.expectedRows where expected > 0 {
      if let table = stage.layout.table(ofEntity: entity), !isCounted(table.name) { counts[entity] = expected }
    }
    return counts
  }

  /// Queries cover the parts that the plan touches first, then everything if a query finds a fault.
  private func rowFindings(_ database: Database, _ snapshot: StoreSnapshot) throws -> [ResultFinding] {
    let verifier = StoreVerifier(hierarchy: stage.destination.hierarchy)
    let questions = verifier.rowQuestions(for: snapshot, within: stage.plan.scope)
    let found =
      try side.map { try $0.ask($0.pageQuestions(stage.plan.scope) + questions, beside: database).flatMap(\.self) }
      ?? (tableQuestions + questions).flatMap { try $0(database) }
    if let damage = found.first(where: { $0.kind == .damage || $0.kind == .staleIndex }) { return [.rows(damage)] }
    guard found.contains(where: { Self.kinds.contains($0.kind) }) else { return [] }
    let problems = try Self.problems(stage.destination.hierarchy, snapshot, in: database)
    let old = try sourceProblems()
    return problems.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { kind, count -> ResultFinding? in
      let group = Self.groups.first { $0.contains(kind) } ?? [kind]
      func sum(_ counts: [StoreFinding.Kind: Int]) -> Int { group.reduce(0) { $0 + (counts[$1] ?? 0) } }
      let new = min(count - (old[kind] ?? 0), sum(problems) - sum(old))
      return new > 0 ? .newProblems(kind, count: new) : nil
    }
  }

  /// Kinds of which one becomes the other where tables are split or joined: a reference to a row of a wrong entity leads
  /// to nothing if this entity has a table of its own.
  private static let groups: [Set<StoreFinding.Kind>] = [
    [.danglingReference, .wrongDestination, .wrongDestinationNumber, .oneSided], [.unknownEntity, .abstractEntity],
  ]

  private var tableQuestions: [RowQuestion] {
    guard asksTables else { return [] }
    guard let scope = stage.plan.scope else { return [{ try IntegrityCheck.problems(in: $0) }] }
    return scope.tables.map { table in { try IntegrityCheck.problems(ofTable: table, in: $0) } }
  }

  private func countFindings(_ counts: [String: Int]) -> [ResultFinding] {
    guard stage.plan.touchesRows else { return [] }
    return stage.plan.expectedRows.sorted { $0.key < $1.key }.compactMap { entity, expected -> ResultFinding? in
      let actual = counts[entity] ?? 0
      let mayShrink = stage.destination.hierarchy.lineage(of: entity).contains {
        options.duplicatePolicies[$0.name] != nil
      }
      guard actual != expected, !(mayShrink && actual < expected) else { return nil }
      return .rowCount(entity: entity, actual, expected: expected)
    }
  }
}

extension SQLStoreLayout {
  /// The rows of every entity that has any, in a store of this layout or of one whose names and numbers differ.
  func rowCounts(in snapshot: StoreSnapshot) -> [String: Int] {
    let numbers = Dictionary(snapshot.entityRows.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    var counts: [String: Int] = [:]
    for entity in entityNumbers {
      guard let table = table(ofEntity: entity.name),
        let count = snapshot.rowCounts[table.name]?[numbers[entity.name] ?? entity.number], count > 0
      else { continue }
      counts[entity.name] = count
    }
    return counts
  }
}

extension PreparedMigration {
  /// The rows of every destination entity that has any.
  func rowCounts(in snapshot: StoreSnapshot) -> [String: Int] {
    SQLStoreLayout(of: destination.hierarchy).rowCounts(in: snapshot)
  }

  /// The rows that every entity of the source has, if any, before anything is done.
  var sourceRowCounts: [String: Int] { SQLStoreLayout(of: source.hierarchy).rowCounts(in: snapshot) }
}

extension LayoutDifference {
  /// True if Core Data would miss something that it needs in the new store, or would be slower.
  fileprivate var isFatal: Bool {
    switch self {
    case .extraTable, .extraIndex, .extraTrigger, .extraColumn, .serviceTable, .unknownEntity, .indexName: false
    default: true
    }
  }
}

/// A difference between the result of a migration and its plan.
public enum ResultFinding: Hashable, Sendable {
  case layout(LayoutDifference)
  /// The metadata does not have the hashes of this version.
  case versionHashes(of: String)
  /// An entity has more or fewer rows than planned.
  case rowCount(entity: String, Int, expected: Int)
  /// Rows have problems of a kind that they did not have before.
  case newProblems(StoreFinding.Kind, count: Int)
  case rows(StoreFinding)
  /// The answer of SQLite's check of the pages.
  case pages(String)
}

extension ResultFinding: CustomStringConvertible {
  /// The difference in words.
  public var description: String {
    switch self {
    case .layout(let difference): difference.description
    case .versionHashes(let version): "the metadata does not have the hashes of \(version)"
    case .rowCount(let entity, let count, let expected): "\(entity) has \(count) rows; expected \(expected)"
    case .newProblems(let kind, let count): "\(count) new problems of the kind \(kind.rawValue)"
    case .rows(let finding): finding.description
    case .pages(let answer): answer
    }
  }
}
