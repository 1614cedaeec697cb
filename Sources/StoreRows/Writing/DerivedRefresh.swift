import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores

/// Computes the derived attributes of objects that a save reached, after the store's own triggers have run.
///
/// Only what differs is written: where the triggers are in the file nothing does.
///
/// Source: spec/writing-rows.md §5.
struct DerivedRefresh {
  let reading: RecordReading

  init(_ reading: RecordReading) { self.reading = reading }

  func run(after writes: RecordWrites) throws {
    var touched: TouchedKeys?
    try forEachDerived { entity, derivation in
      let keys = touched ?? TouchedKeys(writes, reading.store)
      touched = keys
      var rows: [SQLStatement] = []
      if let own = keys.keys(of: entity) { rows.append("Z_PK IN (\(own))") }
      if derivation.expression != "now()" { rows += others(along: derivation, of: entity, keys) }
      return rows
    }
  }

  /// Computes those of all objects.
  func runForAll() throws { try forEachDerived { _, _ in ["1"] } }

  /// Gives those that are `now()` one moment.
  func setMoment(_ moment: SQLValue) throws {
    for entity in reading.store.hierarchy.model.entities {
      for attribute in entity.attributes where attribute.derivation?.expression == "now()" {
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

  /// Writes each derived attribute in the rows of which one of some conditions holds.
  private func forEachDerived(_ rows: (_ entity: String, _ derivation: Derivation) -> [SQLStatement]) throws {
    let store = reading.store
    for entity in store.hierarchy.model.entities {
      for attribute in entity.attributes {
        let address = PropertyAddress(entity: entity.name, property: attribute.name)
        guard let derivation = attribute.derivation, let table = store.table(ofEntity: entity.name),
          let column = store.place(.attribute(address))?.column,
          let value = DerivedValue(derivation, of: entity.name, table: table.name, in: store)
        else { continue }
        let rows = rows(entity.name, derivation)
        guard !rows.isEmpty else { continue }
        let isStale: SQLStatement =
          derivation.expression == "now()" ? "1" : "\(name: column.name) IS NOT \(value.expression)"
        let sql: SQLStatement = """
          UPDATE \(name: table.name) SET \(name: column.name) = \(value.expression) \
          WHERE (\(rows.joined(" OR "))) AND Z_ENT IN (\(.list(store.familyNumbers(of: entity.name)))) AND \(isStale)
          """
        try sql.execute(in: reading.database)
      }
    }
  }

  /// The objects whose derived value another object's change may change.
  private func others(
    along derivation: Derivation, of entity: String, _ touched: TouchedKeys
  ) -> [SQLStatement] {
    let store = reading.store
    let words = derivation.hashedExpression.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    var found: [SQLStatement] = []
    for word in words {
      guard let address = store.address(ofRelationship: word, in: entity),
        let destination = store.relationship(address)?.destinationEntityName, let keys = touched.keys(of: destination),
        let links = store.linkQuery(along: address, isForward: true, where: { _, other in ["\(other) IN (\(keys))"] })
      else { continue }
      found.append("Z_PK IN (SELECT near FROM (\(links)))")
    }
    return found
  }
}

/// The keys of new and changed rows, by the tables that they are in.
private struct TouchedKeys {
  private var keys: [String: Set<Int64>] = [:]
  private let hierarchy: EntityHierarchy

  init(_ writes: RecordWrites, _ store: StoreModel) {
    hierarchy = store.hierarchy
    for row in writes.insertions + writes.updates {
      keys[hierarchy.rootName(of: row.id.entity), default: []].insert(row.id.key)
    }
  }

  func keys(of entity: String) -> SQLStatement? {
    keys[hierarchy.rootName(of: entity)].map { SQLStatement.values($0.sorted()) }
  }
}
