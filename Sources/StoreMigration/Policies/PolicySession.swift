import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Runs the policies of a plan on a connection.
final class PolicySession {
  private let work: PolicyWork
  private let database: Database
  private let manager: MigrationManager
  private var policies: [String: any EntityMigrationPolicy] = [:]

  init(_ work: PolicyWork, in database: Database) throws {
    (self.work, self.database) = (work, database)
    manager = try MigrationManager(work, in: database)
    PolicyFunction(manager).register(in: database)
  }

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
      error: CaughtError(error))
  }
}

extension AttributeValue {
  /// A value as a column keeps it, binary data without the mark of external storage; nil if it is none of its type.
  init?(stored value: DatabaseValue, as type: AttributeType) {
    switch (type, value.storage) {
    case (.boolean, .int64(let number)): self = .boolean(number != 0)
    case (.integer16, .int64(let number)), (.integer32, .int64(let number)), (.integer64, .int64(let number)):
      self = .integer(number)
    case (.decimal, .int64(let number)): self = .decimal(Decimal(number))
    case (.decimal, .double(let number)): self = .decimal(Decimal(string: "\(number)") ?? Decimal(number))
    case (.decimal, .string(let text)):
      guard let number = Decimal(string: text) else { return nil }
      self = .decimal(number)
    case (.double, .double(let number)), (.float, .double(let number)): self = .double(number)
    case (.double, .int64(let number)), (.float, .int64(let number)): self = .double(Double(number))
    case (.date, .double(let seconds)): self = .date(seconds)
    case (.date, .int64(let seconds)): self = .date(Double(seconds))
    case (.string, .string(let text)): self = .string(text)
    case (.uri, .string(let text)): self = .uri(text)
    case (.binary, .blob(let data)), (.transformable, .blob(let data)): self = .binary(data)
    case (.binary, .string(let text)), (.transformable, .string(let text)): self = .binary(Data(text.utf8))
    case (.uuid, .blob(let data)):
      guard data.count == 16 else { return nil }
      let bytes = Array(data)
      self = .uuid(
        UUID(
          uuid: (
            bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
            bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
          )))
    default: return nil
    }
  }

  /// A value of no stated type, by the form it has in SQLite.
  init?(untyped value: DatabaseValue) {
    switch value.storage {
    case .null: return nil
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .string(let text): self = .string(text)
    case .blob(let data): self = .binary(data)
    }
  }
}
