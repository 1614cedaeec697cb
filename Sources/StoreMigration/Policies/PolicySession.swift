import GRDB
import MappingModels
import MigrationSQL
import PersistentStores

/// Runs the policies of a plan on a connection.
final class PolicySession {
  private let work: PolicyWork
  private let database: Database
  private let manager: MigrationManager
  private var policies: [String: any EntityMigrationPolicy] = [:]

  init(_ work: PolicyWork, in database: Database) throws {
    self.work = work
    self.database = database
    manager = try MigrationManager(work, in: database)
    PolicyFunction(manager).register(in: database)
  }

  /// Runs a part of the plan.
  ///
  /// - Throws: ``PolicyRunError``.
  func run(_ pass: PolicyPass) throws {
    guard let mapping = work.mappings[pass.mapping] else { return }
    let policy = policies[pass.mapping] ?? mapping.factory()
    policies[pass.mapping] = policy
    manager.current = (policy, mapping)
    defer { manager.current = nil }
    switch pass.stage {
    case .create: try create(mapping, policy)
    case .relate: try relate(mapping, policy)
    case .linked:
      manager.takesObjects = false
      try call(.endRelationshipCreation, mapping) {
        try policy.endRelationshipCreation(forMapping: mapping.entity.mapping, manager: manager)
      }
    case .validate:
      try call(.performCustomValidation, mapping) {
        try policy.performCustomValidation(forMapping: mapping.entity.mapping, manager: manager)
      }
      try call(.end, mapping) { try policy.end(mapping.entity.mapping, manager: manager) }
    }
  }

  private func create(_ mapping: PolicyWork.Mapping, _ policy: any EntityMigrationPolicy) throws {
    let description = mapping.entity.mapping
    try call(.begin, mapping) { try policy.begin(description, with: manager) }
    try forEachKey(mapping.rows, mapping) { key in
      let source = SourceObject(entity: mapping.entity.source, key: key)
      try call(.createDestinationInstances, mapping, entity: source.entity, key: key) {
        try policy.createDestinationInstances(forSource: source, in: description, manager: manager)
      }
    }
    try call(.endInstanceCreation, mapping) {
      try policy.endInstanceCreation(forMapping: description, manager: manager)
    }
  }

  private func relate(_ mapping: PolicyWork.Mapping, _ policy: any EntityMigrationPolicy) throws {
    let description = mapping.entity.mapping
    try forEachKey("SELECT dst FROM \(mapping.entity.pairs) GROUP BY dst ORDER BY MIN(src), dst", mapping) { key in
      let object = DestinationObject(entity: mapping.entity.destination, key: key)
      try call(.createRelationships, mapping, entity: object.entity, key: key) {
        try policy.createRelationships(forDestination: object, in: description, manager: manager)
      }
    }
  }

  /// Reads keys one by one, so that memory does not grow with them.
  private func forEachKey(
    _ query: SQLStatement, _ mapping: PolicyWork.Mapping, _ body: (Int64) throws -> Void
  ) throws {
    do {
      let cursor = try Int64.fetchCursor(database, sql: query.text, arguments: query.databaseArguments)
      while let key = try cursor.next() { try body(key) }
    } catch let error as DatabaseError {
      if let thrown = manager.functionError { throw failure(.createDestinationInstances, mapping, nil, nil, thrown) }
      throw error
    }
  }

  private func call(
    _ hook: PolicyRunError.Hook, _ mapping: PolicyWork.Mapping, entity: String? = nil, key: Int64? = nil,
    _ body: () throws -> Void
  ) throws {
    manager.functionError = nil
    do {
      try body()
    } catch {
      if let error = error as? DatabaseError, error.resultCode == .SQLITE_INTERRUPT { throw error }
      throw failure(hook, mapping, entity, key, manager.functionError ?? error)
    }
  }

  private func failure(
    _ hook: PolicyRunError.Hook, _ mapping: PolicyWork.Mapping, _ entity: String?, _ key: Int64?, _ error: any Error
  ) -> PolicyRunError {
    PolicyRunError(
      className: mapping.className, mapping: mapping.entity.mapping.name, hook: hook, entity: entity, key: key,
      cause: CaughtError(error))
  }
}
