import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores

/// Computes the derived attributes of the objects that a save affects, after the store's own triggers have run.
///
/// It writes only values that differ, so it has no effect if the file has the triggers. A trigger that counts adds to
/// the current value. A value that is written before such a trigger runs would count twice.
struct DerivedRefresh {
  let reading: RecordReading
  /// The objects whose derived values depend on the deleted rows.
  private var losing: TouchedKeys

  init(_ reading: RecordReading) {
    self.reading = reading
    losing = TouchedKeys(reading.store)
  }

  /// Records the objects whose derived values depend on deleted rows, while these rows still exist.
  ///
  /// If the relationship lacks an inverse, or an inverse with No Action, a save changes no other object.
  init(_ reading: RecordReading, before writes: RecordWrites) throws {
    self.init(reading)
    guard !writes.deletions.isEmpty else { return }
    var going = TouchedKeys(reading.store)
    for record in writes.deletions { going.insert(record.id.key, of: record.id.entity) }
    for entity in reading.store.hierarchy.model.entities {
      for derivation in entity.attributes.compactMap(\.derivation) {
        for query in links(along: derivation, of: entity.name, going) {
          let sql: SQLStatement = "SELECT near FROM (\(query))"
          let keys = try Int64.fetchAll(reading.database, sql: sql.text, arguments: sql.databaseArguments)
          for key in keys { losing.insert(key, of: entity.name) }
        }
      }
    }
  }

  /// Computes the derived attributes of affected objects.
  ///
  /// - Parameter keepsMoments: true to keep the dates of rows that have one.
  func run(after writes: RecordWrites, keepsMoments: Bool) throws {
    var touched: TouchedKeys?
    try forEachDerived(keepsMoments: keepsMoments) { entity, derivation in
      let keys = touched ?? TouchedKeys(writes, reading.store)
      touched = keys
      var rows: [SQLStatement] = []
      if let own = keys.keys(of: entity) { rows.append("Z_PK IN (\(own))") }
      guard !derivation.isMoment else { return rows }
      if let own = losing.keys(of: entity) { rows.append("Z_PK IN (\(own))") }
      for query in links(along: derivation, of: entity, keys) {
        rows.append("Z_PK IN (SELECT near FROM (\(query)))")
      }
      return rows
    }
  }

  /// Computes the derived attributes of all objects.
  ///
  /// - Parameter keepsMoments: true to keep the dates of rows that have one.
  func runForAll(keepsMoments: Bool) throws { try forEachDerived(keepsMoments: keepsMoments) { _, _ in ["1"] } }

  /// Sets all attributes derived as `now()` to one date.
  func setMoment(_ moment: SQLValue) throws {
    for entity in reading.store.hierarchy.model.entities {
      for attribute in entity.attributes where attribute.derivation?.isMoment == true {
        let address = PropertyAddress(entity: entity.name, property: attribute.name)
        guard let place = reading.store.place(.attribute(address)) else { continue }
        let sql: SQLStatement = """
          UPDATE \(name: place.table.name) SET \(name: place.column.name) = \(moment) \
          WHERE Z_ENT IN (\(.list(reading.store.familyNumbers(of: entity.name))))
          """
        try sql.execute(in: reading.database)
      }
    }
  }

  /// Writes each derived attribute in the rows that meet one of the conditions.
  private func forEachDerived(
    keepsMoments: Bool, _ rows: (_ entity: String, _ derivation: Derivation) -> [SQLStatement]
  ) throws {
    let store = reading.store
    for entity in store.hierarchy.model.entities {
      for attribute in entity.attributes {
        let address = PropertyAddress(entity: entity.name, property: attribute.name)
        guard let derivation = attribute.derivation, let table = store.table(ofEntity: entity.name),
          let column = store.place(.attribute(address))?.column,
          let value = store.derivedValue(of: attribute, declaredBy: entity.name)
        else { continue }
        let rows = rows(entity.name, derivation)
        guard !rows.isEmpty else { continue }
        let isStale: SQLStatement
        if derivation.isMoment {
          isStale = keepsMoments ? "\(name: column.name) IS NULL" : "1"
        } else {
          isStale = "\(name: column.name) IS NOT \(value.expression)"
        }
        let sql: SQLStatement = """
          UPDATE \(name: table.name) SET \(name: column.name) = \(value.expression) \
          WHERE (\(rows.joined(" OR "))) AND Z_ENT IN (\(.list(store.familyNumbers(of: entity.name)))) AND \(isStale)
          """
        try sql.execute(in: reading.database)
      }
    }
  }

  /// The links to objects that have some keys, along the relationships of a derivation.
  private func links(along derivation: Derivation, of entity: String, _ touched: TouchedKeys) -> [SQLStatement] {
    let store = reading.store
    let words = derivation.hashedExpression.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    return words.compactMap { word -> SQLStatement? in
      guard let address = store.address(ofRelationship: word, in: entity),
        let destination = store.relationship(address)?.destinationEntityName, let keys = touched.keys(of: destination)
      else { return nil }
      return store.linkQuery(along: address, isForward: true, where: { _, other in ["\(other) IN (\(keys))"] })
    }
  }
}

/// Keys of rows, by the tables that they are in.
private struct TouchedKeys {
  private var keys: [String: Set<Int64>] = [:]
  private let hierarchy: EntityHierarchy

  init(_ store: StoreModel) { hierarchy = store.hierarchy }

  /// The keys of new and changed rows.
  init(_ writes: RecordWrites, _ store: StoreModel) {
    self.init(store)
    for row in writes.insertions + writes.updates { insert(row.id.key, of: row.id.entity) }
  }

  mutating func insert(_ key: Int64, of entity: String) {
    keys[hierarchy.rootName(of: entity), default: []].insert(key)
  }

  func keys(of entity: String) -> SQLStatement? {
    keys[hierarchy.rootName(of: entity)].map { SQLStatement.values($0.sorted()) }
  }
}

/// The handling of derived attributes when rows are written.
package enum DerivedWriting {
  /// They are computed for affected rows, and dates are the time of the write.
  case computed
  /// As computed, but new rows keep the values that cannot be computed from rows: dates, and values of forms without
  /// known SQL.
  case kept
  /// They wait until all rows are there.
  case later
  /// They are computed later, and new rows keep the values that cannot be computed from rows.
  case restored
}

extension StoreModel {
  /// The value of a derived attribute as SQL; nil for any other attribute, and for a form without known SQL.
  func derivedValue(of attribute: AttributeDescription, declaredBy entity: String) -> DerivedValue? {
    guard let derivation = attribute.derivation, let table = table(ofEntity: entity) else { return nil }
    return DerivedValue(derivation, of: entity, table: table.name, in: self)
  }

  /// True for a derived attribute whose value cannot be computed from rows again: a date, or a form without known SQL.
  ///
  /// - Returns: true if its value is lost unless it is kept.
  func isDerivedOnce(_ attribute: AttributeDescription, declaredBy entity: String) -> Bool {
    guard let derivation = attribute.derivation else { return false }
    return derivation.isMoment || derivedValue(of: attribute, declaredBy: entity) == nil
  }
}

extension Derivation {
  var isMoment: Bool { expression == "now()" }
}
