import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores

extension RecordReading {
  /// The number of tuples per statement.
  private static let tuplesAtOnce = 500

  /// Returns the objects with given values in some properties.
  ///
  /// - Parameters:
  ///   - entity: the entity whose objects are searched, including its subentities.
  ///   - tuples: the values; none may be missing.
  /// - Throws: ``RecordRequestError``, `DatabaseError`.
  public func objects(
    of entity: String, with properties: [String], in tuples: [[RecordValue]]
  ) throws -> [[RecordValue]: [RecordID]] {
    let table = try store.existingTable(ofEntity: entity)
    let columns = try properties.map { name in
      guard let column = column(of: name, in: entity) else {
        throw RecordRequestError.unknownProperty(name, entity: entity, near: [])
      }
      return column
    }
    var found: [[RecordValue]: [RecordID]] = [:]
    for start in stride(from: 0, to: tuples.count, by: Self.tuplesAtOnce) {
      let part = tuples[start..<min(start + Self.tuplesAtOnce, tuples.count)]
      let wanted = part.enumerated().map { offset, tuple -> SQLStatement in
        let values = zip(tuple, columns).map { value, column -> SQLStatement in
          "\(RecordEncoding.stored(value, isMarked: column.isMarked))"
        }
        let number: SQLStatement = "\(.number(offset))"
        return "(\(([number] + values).joined()))"
      }
      let conditions = columns.enumerated().map { offset, column -> SQLStatement in
        "t.\(name: column.name) = w.\(name: "column\(offset + 2)")"
      }
      let sql: SQLStatement = """
        SELECT w.column1, t.Z_PK, t.Z_ENT FROM (VALUES \(wanted.joined())) AS w JOIN \(name: table.name) AS t \
        ON \(conditions.joined(" AND ")) WHERE t.Z_ENT IN (\(.list(store.familyNumbers(of: entity)))) ORDER BY t.Z_PK
        """
      let rows = try Row.fetchCursor(database, sql: sql.text, arguments: sql.databaseArguments)
      while let row = try rows.next() {
        guard let offset = Int.fromDatabaseValue(row[0]), let key = Int64.fromDatabaseValue(row[1]),
          let name = Int.fromDatabaseValue(row[2]).flatMap(store.layout.entity(number:))
        else { continue }
        found[part[start + offset], default: []].append(RecordID(entity: name, key: key))
      }
    }
    return found
  }

  private func column(of property: String, in entity: String) -> (name: String, isMarked: Bool)? {
    if let declared = store.hierarchy.allAttributes(of: entity)[property],
      let place = store.place(.attribute(PropertyAddress(entity: declared.entity.name, property: property)))
    {
      return (place.column.name, declared.property.allowsExternalBinaryDataStorage)
    }
    return store.address(ofRelationship: property, in: entity).flatMap { store.place(.toOne($0)) }.map {
      ($0.column.name, false)
    }
  }
}

extension StoreModel {
  /// The table of an entity's objects.
  func existingTable(ofEntity entity: String) throws(RecordRequestError) -> SQLTable {
    guard hierarchy.entity(named: entity) != nil else {
      throw .unknownEntity(entity, near: NearNames.nearest(to: entity, among: hierarchy.model.entities.map(\.name)))
    }
    guard let table = table(ofEntity: entity) else { throw .noTable(entity: entity) }
    return table
  }

  /// The address of a property that this store lacks a column for; nil for any other property.
  ///
  /// For a composite attribute, one element with a column is enough.
  func missing(_ property: String, of entity: String) -> PropertyAddress? {
    if let declared = hierarchy.allAttributes(of: entity)[property] {
      let leaves = declared.property.leaves
      guard !declared.property.isTransient, !leaves.isEmpty else { return nil }
      let isKept = leaves.contains { leaf in
        let path = leaf.path.joined(separator: ".")
        return place(.attribute(PropertyAddress(entity: declared.entity.name, property: path))) != nil
      }
      return isKept ? nil : PropertyAddress(entity: declared.entity.name, property: property)
    }
    guard let address = address(ofRelationship: property, in: entity),
      let relationship = relationship(address), !relationship.isTransient, linkStorage(of: address) == nil
    else { return nil }
    return address
  }
}

extension RecordReading {
  /// Checks that the store has a column for a property; a type without columns is left to validation.
  package func checkIsKept(_ property: String, of entity: String) throws(RecordRequestError) {
    guard let address = store.missing(property, of: entity) else { return }
    let leaves = store.hierarchy.allAttributes(of: entity)[property]?.property.leaves
    if let leaves, leaves.allSatisfy({ SQLColumn.DeclaredType($0.attribute.type) == nil }) { return }
    throw .notKept(address, named: property)
  }
}

extension RecordRequestError {
  /// The error for a predicate or a sort key with a property that a store lacks a column for.
  static func notKept(_ address: PropertyAddress, named name: String) -> RecordRequestError {
    .notAskable(text: name, .expression(.compilation(.notStored(property: address.description))))
  }
}
