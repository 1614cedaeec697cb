import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// Works out the relational schema of a model, and which of its rules the rows of a store keep.
struct RelationalPlanning {
  /// The name of a row in statements.
  static let row = "o"

  let dialect: SQLDialect
  let reading: RecordReading
  var names: RelationalNames
  /// The tables of the objects, by root entity.
  private(set) var tables: [RelationalTable] = []
  /// The columns of properties, by table and by the entity and path that declare them.
  var columns: [PropertyAddress: String] = [:]

  var hierarchy: EntityHierarchy { reading.hierarchy }
  var store: StoreModel { reading.store }

  init(_ dialect: SQLDialect, _ reading: RecordReading) {
    (self.dialect, self.reading) = (dialect, reading)
    names = RelationalNames(for: dialect)
  }

  /// Plans all tables: the tables of objects, by name, then the tables of links.
  mutating func plan() throws -> [RelationalTable] {
    let roots = hierarchy.roots.map(\.name).sorted().filter { store.table(ofEntity: $0) != nil }
    // Tables have their names before anything else does.
    let given = roots.map { ($0, names.claim($0)) }
    for (root, name) in given { tables.append(try table(of: root, named: name)) }
    let links = try linkTables()
    for position in tables.indices {
      var table = tables[position]
      try ask(&table)
      try addIndexes(to: &table)
      tables[position] = table
    }
    return tables + links
  }

  // MARK: Tables of objects

  private mutating func table(of root: String, named name: String) throws -> RelationalTable {
    let family = hierarchy.family(of: root)
    var columnNames = RelationalNames(for: dialect)
    var attributes: [RelationalColumn] = []
    for entity in family {
      let inherited = hierarchy.superentity(of: entity.name).map { hierarchy.allAttributes(of: $0.name) } ?? [:]
      for attribute in entity.attributes.sorted(by: { $0.name < $1.name })
      where !attribute.isTransient && inherited[attribute.name] == nil {
        for leaf in attribute.leaves {
          let address = PropertyAddress(entity: entity.name, property: leaf.path.joined(separator: "."))
          guard let place = store.place(.attribute(address)) else { continue }
          let name = columnNames.claim(leaf.path.joined(separator: "_"))
          columns[address] = name
          let isMarked = leaf.attribute.allowsExternalBinaryDataStorage
          attributes.append(
            RelationalColumn(
              name: name, content: .value(leaf.attribute.type, isMarked: isMarked),
              source: column(place.column.name, of: entity.name, in: root),
              type: dialect.type(of: leaf.attribute.type), property: address.property,
              isMandatory: entity.name == root && leaf.path.count == 1 && !attribute.isOptional))
        }
      }
    }
    let key = columnNames.claim("id")
    var all = [RelationalColumn(name: key, content: .number, source: column("Z_PK"), type: dialect.keyType)]
    var entities: (column: String, names: [String])?
    if family.count > 1 {
      let concrete = family.filter { !$0.isAbstract }.map(\.name)
      let column = columnNames.claim("entity")
      entities = (column, concrete)
      all.append(
        RelationalColumn(
          name: column, content: .entity(numbers(of: concrete)), source: self.column("Z_ENT"),
          type: dialect.type(of: .string),
          isMandatory: true))
    }
    for entity in family { attributes += try references(of: entity, in: root, &columnNames) }
    let keyName = names.claim("\(name)_key")
    let rows: SQLStatement =
      "FROM \(name: store.table(ofEntity: root)?.name ?? "") AS \(name: Self.row)\(condition(of: root, Self.row, " WHERE "))"
    return RelationalTable(
      name: name, keyName: keyName, root: root, key: [key], columns: all + attributes, rows: rows,
      order: "ORDER BY \(column("Z_PK"))", entities: entities)
  }

  /// A column of an entity's property; `NULL` in the rows of objects without the property.
  private func column(_ name: String, of entity: String, in root: String) -> SQLStatement {
    guard entity != root else { return column(name) }
    return
      "CASE WHEN \(column("Z_ENT")) IN (\(SQLStatement.list(store.familyNumbers(of: entity)))) THEN \(column(name)) END"
  }

  func column(_ name: String) -> SQLStatement { "\(name: Self.row).\(name: name)" }

  private func numbers(of entities: [String]) -> [Int64: String] {
    Dictionary(entities.compactMap { name in store.number(of: name).map { (Int64($0), name) } }) { first, _ in first }
  }

  /// The condition that a row is an object of a root entity's family; empty if its table has only such rows.
  func condition(of root: String, _ row: String, _ beginning: SQLStatement) -> SQLStatement {
    let family = hierarchy.family(of: root)
    guard family.count > 1 else { return "" }
    let numbers = family.filter { !$0.isAbstract }.compactMap { store.number(of: $0.name) }
    return "\(beginning)\(name: row).Z_ENT IN (\(SQLStatement.list(numbers)))"
  }

  /// The rows of a table with a further condition.
  func rows(of table: RelationalTable, where condition: SQLStatement) -> SQLStatement {
    let isFiltered = hierarchy.family(of: table.root ?? "").count > 1
    return "\(table.rows)\(isFiltered ? " AND " : " WHERE ")\(condition)"
  }

  func isObject(_ key: SQLStatement, of root: String) -> SQLStatement {
    """
    EXISTS (SELECT 1 FROM \(name: store.table(ofEntity: root)?.name ?? "") AS d WHERE d.Z_PK = \(key)\
    \(condition(of: root, "d", " AND ")))
    """
  }

  /// The columns of the to-one relationships that an entity declares, with the positions in the orders of their
  /// inverses.
  private mutating func references(
    of entity: EntityDescription, in root: String, _ columnNames: inout RelationalNames
  ) throws -> [RelationalColumn] {
    let inherited = hierarchy.superentity(of: entity.name).map { hierarchy.allRelationships(of: $0.name) } ?? [:]
    var made: [RelationalColumn] = []
    for relationship in entity.relationships.sorted(by: { $0.name < $1.name })
    where !relationship.isToMany && !relationship.isTransient && inherited[relationship.name] == nil {
      let address = PropertyAddress(entity: entity.name, property: relationship.name)
      guard let destination = relationship.destinationEntityName, let place = store.place(.toOne(address)) else {
        continue
      }
      let target = hierarchy.rootName(of: destination)
      var source = column(place.column.name, of: entity.name, in: root)
      let isDangling = try Bool.fetchOne(
        """
        SELECT EXISTS (SELECT 1 FROM \(name: place.table.name) AS \(name: Self.row) WHERE \(source) IS NOT NULL \
        AND NOT \(isObject(source, of: target)))
        """, in: reading)
      if isDangling == true { source = "CASE WHEN \(isObject(source, of: target)) THEN \(source) END" }
      let name = columnNames.claim("\(relationship.name)_id")
      columns[address] = name
      let rule = store.inverse(of: address).flatMap(store.relationship)?.deleteRule
      made.append(
        RelationalColumn(
          name: name, content: .number, source: source, type: dialect.keyType, property: relationship.name,
          isMandatory: entity.name == root && !relationship.isOptional,
          reference: RelationalColumn.Reference(root: target, deletion: .init(rule))))
      if let order = store.place(.toOneOrder(address)) {
        made.append(
          RelationalColumn(
            name: columnNames.claim("\(relationship.name)_position"), content: .number,
            source: "CASE WHEN \(source) IS NOT NULL THEN IFNULL(\(column(order.column.name)), 0) END",
            type: dialect.keyType, property: relationship.name))
      }
    }
    return made
  }

  // MARK: Tables of links

  /// A table for each to-many relationship whose links are not in a row, once for both sides.
  private mutating func linkTables() throws -> [RelationalTable] {
    var made: [RelationalTable] = []
    for entity in hierarchy.model.entities.sorted(by: { $0.name < $1.name }) {
      let inherited = hierarchy.superentity(of: entity.name).map { hierarchy.allRelationships(of: $0.name) } ?? [:]
      for relationship in entity.relationships.sorted(by: { $0.name < $1.name })
      where relationship.isToMany && !relationship.isTransient && inherited[relationship.name] == nil {
        let address = PropertyAddress(entity: entity.name, property: relationship.name)
        let inverse = store.inverse(of: address)
        if let inverse, let other = store.relationship(inverse), !other.isTransient {
          guard other.isToMany, (entity.name, relationship.name) <= (inverse.entity, inverse.property) else { continue }
        }
        if let table = linkTable(relationship, address, inverse) { made.append(table) }
      }
    }
    return made
  }

  private mutating func linkTable(
    _ relationship: RelationshipDescription, _ address: PropertyAddress, _ inverse: PropertyAddress?
  ) -> RelationalTable? {
    guard let destination = relationship.destinationEntityName,
      let links = store.linkQuery(along: address, isForward: true)
    else { return nil }
    let (near, far) = (hierarchy.rootName(of: address.entity), hierarchy.rootName(of: destination))
    guard store.table(ofEntity: near) != nil, store.table(ofEntity: far) != nil else { return nil }
    let other = inverse.flatMap(store.relationship)
    var columnNames = RelationalNames(for: dialect)
    let name = names.claim("\(address.entity)_\(relationship.name)")
    let key = [columnNames.claim("\(address.entity)_id"), columnNames.claim("\(relationship.name)_id")]
    func deletion(_ rule: DeleteRule?) -> RelationalColumn.Deletion { rule == .deny ? .refuse : .cascade }
    var columns = [
      RelationalColumn(
        name: key[0], content: .number, source: column("near"), type: dialect.keyType, isMandatory: true,
        reference: .init(root: near, deletion: deletion(relationship.deleteRule))),
      RelationalColumn(
        name: key[1], content: .number, source: column("far"), type: dialect.keyType, isMandatory: true,
        reference: .init(root: far, deletion: deletion(other?.deleteRule))),
    ]
    let orders = [
      (relationship.isOrdered, relationship.name, "place"),
      (other?.isOrdered == true, other?.name ?? "", "inversePlace"),
    ]
    for (isOrdered, name, place) in orders where isOrdered {
      columns.append(
        RelationalColumn(
          name: columnNames.claim("\(name)_position"), content: .number, source: "IFNULL(\(column(place)), 0)",
          type: dialect.keyType, isMandatory: true))
    }
    let keyName = names.claim("\(name)_key")
    var table = RelationalTable(
      name: name, keyName: keyName, root: nil, key: key, columns: columns,
      rows: """
        FROM (\(links)) AS \(name: Self.row) WHERE \(isObject(column("near"), of: near)) \
        AND \(isObject(column("far"), of: far))
        """, order: "ORDER BY \(column("near")), \(column("far"))")
    table.indexes = [.init(name: names.claim("\(name)_index"), columns: [(key[1], true), (key[0], true)])]
    return table
  }
}

extension RelationalColumn.Deletion {
  /// The deletion that follows from the delete rule of the inverse.
  fileprivate init(_ rule: DeleteRule?) {
    switch rule {
    case .cascade: self = .cascade
    case .nullify: self = .clear
    case .deny: self = .refuse
    case .noAction, nil: self = .nothing
    }
  }
}

extension DatabaseValueConvertible {
  static func fetchOne(_ sql: SQLStatement, in reading: RecordReading) throws -> Self? {
    try fetchOne(reading.database, sql: sql.text, arguments: sql.databaseArguments)
  }
}

/// Chooses unique names for tables or columns of a database, in which names that differ only in case are equal.
struct RelationalNames {
  /// The maximum length of a name in PostgreSQL.
  private static let longest = 63
  private var given: Set<String>

  /// Knows the names that a database keeps for itself.
  init(for dialect: SQLDialect) {
    given = dialect == .postgresql ? ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"] : []
  }

  /// The wished name if it is free; otherwise with a number appended.
  ///
  /// - Returns: a name of at most 63 bytes of UTF-8, without NUL.
  mutating func claim(_ wish: String) -> String {
    var wish = wish.replacing("\u{0}", with: "_")
    // SQLite keeps the names of tables that begin so.
    if wish.lowercased().hasPrefix("sqlite_") { wish = "_\(wish)" }
    var name = Self.cut(wish.isEmpty ? "_" : wish, to: Self.longest)
    var number = 2
    while !given.insert(name.lowercased()).inserted {
      let end = "_\(number)"
      name = Self.cut(wish, to: Self.longest - end.utf8.count) + end
      number += 1
    }
    return name
  }

  private static func cut(_ name: String, to bytes: Int) -> String {
    guard name.utf8.count > bytes else { return name }
    var scalars = String.UnicodeScalarView()
    var count = 0
    for scalar in name.unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= bytes else { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
