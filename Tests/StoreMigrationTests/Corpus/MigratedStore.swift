import Foundation
import GRDB
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport

/// A store after a migration, read with the tests' own reader.
struct MigratedStore {
  let graph: ObjectGraph
  let metadata: StoreMetadata
  /// Tables with their columns and types, indexes with their columns and uniqueness; order and names of indexes aside.
  let schema: Set<String>

  init(path: String, model: EntityHierarchy) throws {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    (graph, schema) = try reader.read { database in
      (try ObjectGraphReader(database, model).read(), try Self.schema(of: database))
    }
    metadata = try reader.metadata()
  }

  private static func schema(of database: Database) throws -> Set<String> {
    var schema: Set<String> = []
    for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
      for row in try Row.fetchAll(database, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [table]) {
        schema.insert("\(table).\(row[0] as String) \(row[1] as String)")
      }
      for index in try Row.fetchAll(
        database, sql: "SELECT name, \"unique\" FROM pragma_index_list(?)", arguments: [table])
      {
        let columns = try String?.fetchAll(
          database, sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno", arguments: [index[0] as String])
        let names = columns.map { $0 ?? "?" }.joined(separator: ", ")
        schema.insert("\(table) (\(names))\(index[1] as Bool ? " unique" : "")")
      }
    }
    return schema
  }
}

/// Migrates copies of stores, consenting to every loss that the plan names.
enum ConsentingMigration {
  /// The outcome of one attempt.
  enum Result {
    case migrated(plan: MigrationPlan)
    /// Core Data would not infer it.
    case notInferable(InferenceRefusal)
    /// Rows stand in the way and need a value that only a person can give.
    case blocked(MigrationBlocked)
  }

  static func run(
    _ path: String, to destination: LoadedVersion, among versions: [LoadedVersion], pathFinder: MigrationPathFinder,
    strategy: MigrationStrategy? = nil
  ) throws -> Result {
    var request = MigrationRequest(path: path, versions: versions, destination: destination, pathFinder: pathFinder)
    request.options.strategy = strategy
    request.keepsBackup = false
    do {
      let (prepared, _) = try StoreMigrator(request).plan()
      guard let plan = prepared.stages.first?.plan else { throw AlreadyThere() }
      request.options.allowedLosses = Set(plan.losses.map(\.loss.element))
      _ = try StoreMigrator(request).migrate()
      return .migrated(plan: plan)
    } catch let blocked as MigrationBlocked {
      return blocked.failures.first.map { .notInferable($0) } ?? .blocked(blocked)
    } catch let failure as InferenceRefusal {
      return .notInferable(failure)
    }
  }

  struct AlreadyThere: Error {}
}
