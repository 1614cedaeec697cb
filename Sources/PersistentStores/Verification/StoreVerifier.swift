import CSQLiteConnection
import Foundation
public import GRDB
public import ModelDescription
import VersionHashing

/// A query of the rows of a store that returns findings.
package typealias RowQuestion = @Sendable (Database) throws -> [StoreFinding]

/// Verifies that a store matches its model: schema, numbers, rows, references, metadata.
///
/// The work is done by SQL over complete tables, so memory use does not grow with the number of rows.
public struct StoreVerifier: Sendable {
  private let hierarchy: EntityHierarchy
  private let references: [JoinNameReference]
  /// False for the SQLite copy of an atomic store, which may contain equal objects without a unique index.
  fileprivate var enforcesUniqueness = true
  /// Returns true if a text matches a regular expression of the model; nil to skip this check.
  private let matching: (@Sendable (String, String) -> Bool)?

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - hierarchy: the model the store was written with; for a configuration's store, only its entities.
  ///   - references: stores that Core Data created, as evidence for the names of join tables.
  ///   - matching: returns true if a text matches a regular expression of the model; nil to skip this check.
  public init(
    hierarchy: EntityHierarchy, references: [JoinNameReference] = [],
    matching: (@Sendable (String, String) -> Bool)? = nil
  ) {
    (self.hierarchy, self.references, self.matching) = (hierarchy, references, matching)
  }

  /// Verifies an open store, also in the middle of a transaction.
  ///
  /// - Parameters:
  ///   - externalDataFolder: the folder of external binary data (``ExternalData/folder(ofStore:)``); nil to skip the
  ///     files.
  ///   - checkingIntegrity: true to run SQLite's check of its file too, which reads all of it.
  /// - Returns: the findings about the file, the metadata and the schema, then those about rows.
  /// - Throws: ``StoreError`` if the metadata cannot be read, `DatabaseError` if SQLite fails.
  public func problems(
    in database: Database, path: String, externalDataFolder: String?, checkingIntegrity: Bool = true
  ) throws -> [StoreFinding] {
    if checkingIntegrity {
      let damage = try IntegrityCheck.problems(in: database)
      guard damage.isEmpty else { return damage }
    }
    let metadata = try StoreMetadata(reading: database, path: path)
    let snapshot = try StoreSnapshot(reading: database, counting: false)
    let bound = BoundLayout(of: hierarchy, to: snapshot)
    let layout = bound.layout
    var problems = try MetadataCheck.problems(of: metadata, hierarchy: hierarchy)
    problems += MetadataCheck.problems(of: try CachedModel(reading: database), metadata: metadata)
    problems += schemaProblems(bound, snapshot: snapshot)
    var names = SelfJoinNames(frameworkVersion: metadata.frameworkVersion)
    for reference in references { names.add(reference) }
    problems +=
      SelfJoinCheck(
        expected: SQLStoreLayout(of: hierarchy, names: names).selfJoins, actual: layout.selfJoins,
        isOfCoreData: try metadata.hasNamesOfCoreData(reading: database)
      ).problems
    problems += snapshot.views.compactMap { view in
      // A virtual table may be the app's own, and read by it alone.
      guard let error = view.error, !error.hasPrefix("no such module") else { return nil }
      return StoreFinding(
        .schema, severity: .warning,
        sentence: "view \(view.name), which is not part of the model, cannot be read: \(error)")
    }
    TextEncodingFunction.register(in: database)
    ValueLimits.register(in: database, matching: matching)
    let questions = rowQuestions(layout, snapshot, within: nil, checkingValues: true)
    for question in questions { problems += try question(database) }
    if let externalDataFolder {
      let check = ExternalDataCheck(hierarchy: hierarchy, layout: layout, folder: externalDataFolder)
      problems += try check.problems(in: database)
    }
    return problems
  }

  /// The queries of the rows of a store, which can run in any order and on any connection to it.
  ///
  /// They do not include storage classes, which a migration does not change, and the completeness of composite values,
  /// which a new element may break.
  ///
  /// - Parameters:
  ///   - snapshot: the schema of the store, with or without row counts.
  ///   - scope: the changed parts of the store; nil for all.
  package func rowQuestions(for snapshot: StoreSnapshot, within scope: VerificationScope?) -> [RowQuestion] {
    let layout = BoundLayout(of: hierarchy, to: snapshot).layout
    return rowQuestions(layout, snapshot, within: scope, checkingValues: false)
  }

  private func rowQuestions(
    _ layout: SQLStoreLayout, _ snapshot: StoreSnapshot, within scope: VerificationScope?, checkingValues: Bool
  ) -> [RowQuestion] {
    let tables = RowCheckPlan.tables(of: hierarchy, layout, checkingValues: checkingValues)
    let uniqueness = UniquenessCheck(hierarchy: hierarchy, layout: layout, snapshot: snapshot)
    return [{ try PrimaryKeyCheck.problems(layout: layout, snapshot: snapshot, in: $0) }]
      + tables.flatMap { table in
        RowChecker(scope.map(table.within) ?? table, indexes: snapshot.indexes).questions
      }
      + [
        { try uniqueness.problems(in: $0, within: scope) },
        { try HistoryCheck.problems(snapshot: snapshot, in: $0) },
      ]
  }

  /// Compares numbers with those of a new store, and names with the names that the store may have.
  ///
  /// ``SelfJoinCheck`` reports another name of a join table.
  private func schemaProblems(_ bound: BoundLayout, snapshot: StoreSnapshot) -> [StoreFinding] {
    var differences = SQLStoreLayout(of: hierarchy).differences(from: snapshot).filter(\.isAboutNumbers)
    var known = Set(differences)
    for difference in bound.deviations + bound.layout.differences(from: snapshot)
    where known.insert(difference).inserted { differences.append(difference) }
    return differences.compactMap { difference in
      switch (difference, difference.severity) {
      case (.joinTableName, _), (.columnName, _), (_, .note): nil
      case (.missingIndex(let index), _) where index.isUnique && !enforcesUniqueness: nil
      case (_, .warning): StoreFinding(.schema, severity: .warning, sentence: difference.description)
      case (_, .error): StoreFinding(.schema, sentence: difference.description)
      }
    }
  }
}

extension LayoutDifference {
  /// True for a difference in Z_PRIMARYKEY.
  fileprivate var isAboutNumbers: Bool {
    switch self {
    case .missingEntity, .unknownEntity, .entityNumber, .superentityNumber: true
    default: false
    }
  }
}

extension StoreReader {
  /// Verifies that the store matches a model.
  ///
  /// - Parameters:
  ///   - checkingIntegrity: true to run SQLite's check of its file too, which reads all of it.
  ///   - matching: returns true if a text matches a regular expression of the model; nil to skip this check.
  /// - Returns: the findings; empty for a sound store.
  public func verify(
    against hierarchy: EntityHierarchy, references: [JoinNameReference] = [], checkingIntegrity: Bool = true,
    matching: (@Sendable (String, String) -> Bool)? = nil
  ) throws(StoreError) -> [StoreFinding] {
    try StoreError.typed(path: path) {
      var verifier = StoreVerifier(hierarchy: hierarchy, references: references, matching: matching)
      verifier.enforcesUniqueness = file == path
      return try read { [verifier] database in
        try verifier.problems(
          in: database, path: path, externalDataFolder: ExternalData.folder(ofStore: file),
          checkingIntegrity: checkingIntegrity)
      }
    }
  }
}

/// Checks uniqueness constraints that no unique index of the store enforces.
struct UniquenessCheck {
  let hierarchy: EntityHierarchy
  let layout: SQLStoreLayout
  let snapshot: StoreSnapshot

  func problems(in database: Database, within scope: VerificationScope? = nil) throws -> [StoreFinding] {
    var problems: [StoreFinding] = []
    for entity in hierarchy.numberedEntities {
      guard let table = layout.table(ofEntity: entity.name) else { continue }
      for constraint in entity.uniquenessConstraints {
        let columns = constraint.compactMap { column(of: $0, in: entity.name) }
        guard !columns.isEmpty, columns.count == constraint.count, !isEnforced(columns, in: table.name),
          scope?.holds(table.name, Set(columns + ["Z_ENT"])) ?? true
        else { continue }
        let (count, keys) = try duplicates(of: columns, entity: entity.name, in: table.name, database)
        guard count > 0 else { continue }
        problems.append(
          StoreFinding(
            .duplicate, entity: entity.name, property: constraint.joined(separator: ", "), count: count,
            primaryKeys: keys, sentence: "rows share values that the uniqueness constraint requires to be unique"))
      }
    }
    return problems
  }

  private func column(of property: String, in entity: String) -> String? {
    let address = PropertyAddress(entity: entity, property: property)
    if let column = layout.column(ofAttribute: address) { return column.name }
    guard case .toOne(_, let column, _, _)? = layout.storage(ofRelationship: address, in: hierarchy) else { return nil }
    return column
  }

  private func isEnforced(_ columns: [String], in table: String) -> Bool {
    snapshot.indexes.contains { index in
      index.isUnique && index.table == table && index.columns.map { $0.uppercased() } == columns.map { $0.uppercased() }
    }
  }

  /// The rows that have the same values as another row; NULL is never equal.
  private func duplicates(
    of columns: [String], entity: String, in table: String, _ database: Database
  ) throws -> (count: Int, keys: [Int64]) {
    let names = columns.map { SQLIdentifier($0).quoted }
    let numbers = layout.numbers(ofFamily: entity)
    let rows =
      "SELECT Z_PK, COUNT(*) OVER (PARTITION BY \(names.joined(separator: ", "))) AS n FROM \(SQLIdentifier(table)) "
      + "WHERE Z_ENT IN (\(numbers.map { _ in "?" }.joined(separator: ", ")))"
      + names.map { " AND \($0) IS NOT NULL" }.joined()
    let arguments = StatementArguments(numbers)
    let count = try Row.fetchOne(database, sql: "SELECT COUNT(*) FROM (\(rows)) WHERE n > 1", arguments: arguments)
    guard let count = count?.integer(0), count > 0 else { return (0, []) }
    let keys = try Row.fetchAll(
      database, sql: "SELECT Z_PK FROM (\(rows)) WHERE n > 1 ORDER BY Z_PK LIMIT ?",
      arguments: arguments + [RowChecker.keyLimit])
    return (Int(count), keys.compactMap { $0.integer(0) })
  }
}

/// The SQL function that checks if a text is valid UTF-8, which SQLite never does.
///
/// It reads the bytes in SQLite's memory, because it is called for every text of a store.
enum TextEncodingFunction {
  static let name = "modelctl_is_utf8"

  /// Adds the function to a connection.
  ///
  /// - Parameter database: the connection, which may have it already.
  static func register(in database: Database) {
    // If statements are running, SQLite refuses to replace a function, and the existing function is kept.
    _ = modelctl_add_is_utf8(database.sqliteConnection)
  }
}

/// The limits of a model in SQL, as a save applies them.
enum ValueLimits {
  private static let length = "modelctl_utf16_length"
  private static let match = "modelctl_is_match"

  /// Adds the functions to a connection.
  ///
  /// - Parameter matching: returns true if a text matches an expression; nil to skip expressions.
  static func register(in database: Database, matching: (@Sendable (String, String) -> Bool)?) {
    database.add(
      function: DatabaseFunction(length, argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0])?.utf16.count
      })
    database.add(
      function: DatabaseFunction(match, argumentCount: 2, pure: true) { values in
        guard let matching, let text = String.fromDatabaseValue(values[0]),
          let pattern = String.fromDatabaseValue(values[1])
        else { return true }
        return matching(text, pattern)
      })
  }

  /// The conditions for values that break rules.
  ///
  /// - Parameter isText: true if the limits are those of a text's length.
  /// - Returns: conditions in SQL, each with its finding.
  static func breaches(
    of rules: AttributeValidation, by value: String, isText: Bool
  ) -> [(condition: String, sentence: String)] {
    let (measured, noun) = isText ? ("\(length)(\(value))", "length") : (value, "value")
    let isMeasured = isText ? "typeof(\(value)) = 'text'" : "typeof(\(value)) IN ('integer', 'real')"
    var breaches: [(condition: String, sentence: String)] = []
    if let limit = rules.maximum, let text = number(limit) {
      breaches.append(("\(isMeasured) AND \(measured) > \(text)", "the \(noun) is above the maximum"))
    }
    if let limit = rules.minimum, let text = number(limit) {
      breaches.append(("\(isMeasured) AND \(measured) < \(text)", "the \(noun) is below the minimum"))
    }
    if isText, let pattern = rules.regularExpression {
      let quoted = pattern.replacingOccurrences(of: "'", with: "''")
      breaches.append(
        ("\(isMeasured) AND NOT \(match)(\(value), '\(quoted)')", "the text does not match the regular expression"))
    }
    return breaches
  }

  private static func number(_ limit: AttributeValue) -> String? {
    switch limit {
    case .integer(let number): "\(number)"
    case .decimal(let number): number.isNaN ? nil : "\(number)"
    case .double(let number), .date(let number): number.isFinite ? "\(number)" : nil
    default: nil
    }
  }
}
