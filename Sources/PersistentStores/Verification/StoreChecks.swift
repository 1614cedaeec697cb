package import GRDB
import ModelDescription
import VersionHashing

/// Checks that the metadata matches the model and is consistent.
enum MetadataCheck {
  static func problems(of metadata: StoreMetadata, hierarchy: EntityHierarchy) throws -> [StoreFinding] {
    var problems: [StoreFinding] = []
    let expected = try VersionHashes(of: hierarchy).entities
    let actual = metadata.versionHashes.entities
    for name in Set(expected.keys).union(actual.keys).sorted() where expected[name] != actual[name] {
      let sentence =
        switch (expected[name], actual[name]) {
        case (_, nil): "the metadata has no version hash for this entity"
        case (nil, _): "the metadata has a version hash for this entity, but the model has no such entity"
        default: "the version hash in the metadata differs from the model's"
        }
      problems.append(StoreFinding(.versionHashes, entity: name, sentence: sentence))
    }
    if let digest = metadata.digest, digest != metadata.versionHashes.digest {
      problems.append(
        StoreFinding(
          .digest, severity: .warning, sentence: "the digest in the metadata does not match its version hashes"))
    }
    if let checksum = metadata.checksum, checksum != metadata.versionHashes.checksum {
      problems.append(
        StoreFinding(
          .digest, severity: .warning, sentence: "the checksum in the metadata does not match its version hashes"))
    }
    return problems
  }

  static func problems(of cachedModel: CachedModel, metadata: StoreMetadata) -> [StoreFinding] {
    switch StoreIdentification(of: metadata, cachedModel: cachedModel, among: []).cache {
    case .absent, .fresh: []
    case .stale:
      [StoreFinding(.cachedModel, severity: .warning, sentence: "the cached model is of another version than the rows")]
    case .unreadable(let error):
      [StoreFinding(.cachedModel, severity: .warning, sentence: "the cached model cannot be read: \(error)")]
    }
  }
}

/// Checks that persistent history refers to existing entities, because renumbering must update it too.
enum HistoryCheck {
  static func problems(snapshot: StoreSnapshot, in database: Database) throws -> [StoreFinding] {
    guard let table = snapshot.tables.first(where: { $0.name == "ACHANGE" }),
      Set(table.columns.map(\.name)).isSuperset(of: ["Z_PK", "ZENTITY"])
    else { return [] }
    let condition = "FROM ACHANGE WHERE ZENTITY IS NOT NULL AND ZENTITY NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY)"
    let count = Int(try Row.fetchOne(database, sql: "SELECT COUNT(*) \(condition)")?.integer(0) ?? 0)
    guard count > 0 else { return [] }
    let keys = try Row.fetchAll(
      database, sql: "SELECT Z_PK \(condition) ORDER BY Z_PK LIMIT ?", arguments: [RowChecker.keyLimit])
    return [
      StoreFinding(
        .historyEntity, severity: .warning, count: count, primaryKeys: keys.compactMap { $0.integer(0) },
        sentence: "persistent history refers to entity numbers that are not in Z_PRIMARYKEY")
    ]
  }
}

/// SQLite's own check of the file.
package enum IntegrityCheck {
  /// The maximum number of lines that are kept from SQLite's report.
  private static let limit = 20

  /// Runs SQLite's check of a single table and its indexes; returns no findings if the table does not exist.
  package static func problems(ofTable name: String, in database: Database) throws -> [StoreFinding] {
    let table = try Row.fetchOne(
      database, sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE", arguments: [name])
    guard table != nil else { return [] }
    return try problems(asking: "PRAGMA quick_check(\(SQLIdentifier(name)))", tables: [name], database)
  }

  /// Runs SQLite's check of the complete file.
  package static func problems(in database: Database) throws -> [StoreFinding] {
    try problems(asking: "PRAGMA quick_check", tables: nil, database)
  }

  /// Runs SQLite's check of the pages of the complete file, after its indexes were checked.
  package static func pageProblems(in database: Database) throws -> [StoreFinding] {
    try damage(asking: "PRAGMA quick_check", database)
  }

  private static func damage(asking question: String, _ database: Database) throws -> [StoreFinding] {
    try Row.fetchAll(database, sql: question).compactMap { $0.text(0) }.filter { $0 != "ok" }.prefix(limit)
      .map { StoreFinding(.damage, sentence: "SQLite reports: \($0)") }
  }

  private static func problems(
    asking question: String, tables: [String]?, _ database: Database
  ) throws -> [StoreFinding] {
    let damage = try damage(asking: question, database)
    guard damage.isEmpty else { return damage }
    return try IndexCheck.stale(in: database, tables: tables).prefix(limit).map { index in
      StoreFinding(
        .staleIndex, sentence: "the index \(index.name) does not match the rows of \(index.table)")
    }
  }
}

/// Checks that `Z_MAX` is at least every used `Z_PK`.
enum PrimaryKeyCheck {
  static func problems(
    layout: SQLStoreLayout, snapshot: StoreSnapshot, in database: Database
  ) throws -> [StoreFinding] {
    var problems: [StoreFinding] = []
    for table in layout.tables {
      guard case .hierarchy(let root) = table.content,
        let row = snapshot.entityRows.first(where: { $0.name == root })
      else { continue }
      let sql = "SELECT MAX(Z_PK) FROM \(SQLIdentifier(table.name))"
      guard let highest = try Row.fetchOne(database, sql: sql)?.integer(0), highest > row.maximumPrimaryKey else {
        continue
      }
      problems.append(
        StoreFinding(
          .primaryKeyMaximum, entity: root, primaryKeys: [highest],
          sentence: "Z_MAX is \(row.maximumPrimaryKey), but rows up to Z_PK \(highest) exist"))
    }
    return problems
  }
}

/// Compares the names of join tables with both ends on a single entity with the known names.
struct SelfJoinCheck {
  /// The pairs according to the model and the references.
  let expected: [SelfJoin]
  /// The pairs as the store has them.
  let actual: [SelfJoin]
  /// True if Core Data named the store's tables, so that the names are right.
  let isOfCoreData: Bool

  /// One finding for each table that Core Data cannot find, or may not find.
  var problems: [StoreFinding] {
    expected.compactMap { join in
      guard let found = actual.first(where: { Set([$0.naming, $0.other]) == Set([join.naming, join.other]) }) else {
        return nil
      }
      let isTurned = found.naming != join.naming
      switch join.evidence {
      case .reference(let path):
        guard isTurned else { return nil }
        return problem(
          join, .error,
          "its join table is named \(found.table); Core Data expects \(found.otherTable), as \(path) shows, and cannot find it"
        )
      case .agreement, .store:
        guard isTurned, !isOfCoreData else { return nil }
        return problem(
          join, .warning,
          "its join table is named \(found.table); Core Data very likely expects \(found.otherTable) and cannot find it",
          Self.advice)
      case .guess:
        guard !isOfCoreData else { return nil }
        return problem(
          join, .warning,
          "the name \(found.table) of its join table is a guess; if Core Data expects \(found.otherTable), it cannot find "
            + "the table", Self.advice)
      }
    }
  }

  private static let advice: Advice =
    "give a store that Core Data created, to be certain: \(option: "--join-names-from", "STORE")"

  private func problem(
    _ join: SelfJoin, _ severity: StoreFinding.Severity, _ sentence: String, _ advice: Advice? = nil
  ) -> StoreFinding {
    StoreFinding(
      .schema, severity: severity, entity: join.naming.entity, property: join.naming.property, sentence: sentence,
      advice: advice)
  }
}
