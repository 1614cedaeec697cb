import ModelDescription

/// Lays out the triggers that update derived attributes.
///
/// The triggers of `toMany.@count` are exactly those of frameworks 1044 and 1344. Those of a to-one key path have the
/// measured names and events; their bodies follow the same pattern. Other derivations and all filters have no trigger
/// here and produce a warning.
struct DerivedAttributeTriggerBuilder {
  private let hierarchy: EntityHierarchy
  private let columns: StoredColumns
  private let numbers: [String: Int]
  private(set) var triggers: [SQLTrigger] = []
  private(set) var warnings: [LayoutWarning] = []

  init(hierarchy: EntityHierarchy, tables: [SQLTable], numbers: [String: Int]) {
    self.hierarchy = hierarchy
    self.columns = StoredColumns(hierarchy: hierarchy, tables: tables)
    self.numbers = numbers
  }

  /// Adds the triggers of the derived attributes that these entities declare.
  mutating func addTriggers(of entities: [EntityDescription]) {
    for entity in entities {
      for attribute in hierarchy.storedAttributes(of: entity) {
        guard let derivation = attribute.derivation else { continue }
        if let found = triggers(of: attribute, derivation, entity: entity) {
          triggers += found
        } else {
          warnings.append(
            .untranslatedDerivation(
              PropertyAddress(entity: entity.name, property: attribute.name), expression: derivation.expression))
        }
      }
    }
  }

  private func triggers(
    of attribute: AttributeDescription, _ derivation: Derivation, entity: EntityDescription
  ) -> [SQLTrigger]? {
    guard let (derived, input) = resolve(attribute, derivation, entity: entity) else { return nil }
    return switch input {
    case .count(let reference, let table): derived.countTriggers(of: reference, in: table)
    case .value(let value, let table, let reference): derived.valueTriggers(of: value, in: table, through: reference)
    }
  }

  /// The statement that computes a derived attribute in all rows; nil if its derivation is unknown.
  func refreshStatement(
    of attribute: AttributeDescription, _ derivation: Derivation, entity: EntityDescription
  ) -> String? {
    guard let (derived, input) = resolve(attribute, derivation, entity: entity) else { return nil }
    return derived.refreshStatement(from: input)
  }

  private func resolve(
    _ attribute: AttributeDescription, _ derivation: Derivation, entity: EntityDescription
  ) -> (DerivedColumn, DerivedColumn.Input)? {
    guard derivation.filterPredicate?.isEmpty != false,
      let path = DerivationPath(derivation.expression, of: entity.name, in: hierarchy),
      let table = columns.table(of: entity.name),
      let column = columns.column(of: attribute.name, in: entity.name)
    else { return nil }
    let derived = DerivedColumn(
      table: table, column: column.name, entity: entity.name, attribute: attribute.name,
      range: range(of: entity, path))
    switch path {
    case .count(let ends):
      guard let destination = columns.table(of: ends.destination.name) else { return nil }
      let reference = ends.inverse.map { columns.column(of: $0.address.property, in: $0.address.entity) }
      guard let reference = reference ?? columns.ownerColumn(of: ends.address) else { return nil }
      return (derived, .count(reference: reference.name, table: destination))
    case .value(let ends, let source):
      guard let destination = columns.table(of: ends.destination.name),
        let reference = columns.column(of: ends.address.property, in: ends.address.entity),
        let source = columns.column(of: source, in: ends.destination.name)
      else { return nil }
      return (derived, .value(column: source.name, table: destination, reference: reference.name))
    }
  }

  /// The entity numbers of the rows: those of an entity and its subentities; nil if the triggers do not check the
  /// number.
  ///
  /// They check it if the table contains other entities too, and for a to-many without inverse on an entity with
  /// subentities.
  private func range(of entity: EntityDescription, _ path: DerivationPath) -> ClosedRange<Int>? {
    let family = hierarchy.family(of: entity.name).compactMap { numbers[$0.name] }
    guard let least = family.min(), let greatest = family.max() else { return nil }
    if entity.superentityName == nil {
      guard case .count(let ends) = path, ends.inverse == nil, family.count > 1 else { return nil }
    }
    return least...greatest
  }

  /// The statements that compute every derived attribute with a known derivation, for a store without triggers.
  static func refreshStatements(hierarchy: EntityHierarchy, layout: SQLStoreLayout) -> [String] {
    let builder = DerivedAttributeTriggerBuilder(
      hierarchy: hierarchy, tables: layout.tables,
      numbers: Dictionary(layout.entityNumbers.map { ($0.name, $0.number) }) { first, _ in first })
    return hierarchy.numberedEntities.flatMap { entity in
      hierarchy.storedAttributes(of: entity).compactMap { attribute in
        attribute.derivation.flatMap { builder.refreshStatement(of: attribute, $0, entity: entity) }
      }
    }
  }
}

extension SQLSpatialIndex {
  /// The statement that fills the R-tree from the table's rows.
  var fillStatement: String {
    let columns = columns.map { SQLIdentifier($0).quoted }
    return "INSERT INTO \(SQLIdentifier(name).quoted) "
      + "SELECT \((["Z_PK"] + columns.flatMap { [$0, $0] }).joined(separator: ", ")) FROM \(SQLIdentifier(table).quoted) "
      + "WHERE \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))"
  }
}

/// The column of a derived attribute, and the triggers that fill it.
struct DerivedColumn {
  let table: String
  let column: String
  let entity: String
  let attribute: String
  /// The entity numbers whose rows have the attribute; nil if all rows of the table have it.
  let range: ClosedRange<Int>?

  /// The input of a derived attribute.
  enum Input {
    /// The rows of a table that refer to this row.
    case count(reference: String, table: String)
    /// A column of the row in a different table that this row refers to.
    case value(column: String, table: String, reference: String)
  }

  /// The statement that computes the attribute in all rows.
  func refreshStatement(from input: Input) -> String {
    let key = "\(SQLIdentifier(table).quoted).\(SQLIdentifier("Z_PK").quoted)"
    let value =
      switch input {
      case .count(let reference, let source):
        "SELECT COUNT(*) FROM \(SQLIdentifier(source).quoted) AS source "
          + "WHERE source.\(SQLIdentifier(reference).quoted) = \(key)"
      case .value(let column, let source, let reference):
        "SELECT source.\(SQLIdentifier(column).quoted) FROM \(SQLIdentifier(source).quoted) AS source "
          + "WHERE source.Z_PK = \(SQLIdentifier(table).quoted).\(SQLIdentifier(reference).quoted)"
      }
    let rows = range.map { " WHERE Z_ENT BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? ""
    return "UPDATE \(SQLIdentifier(table).quoted) SET \(SQLIdentifier(column).quoted) = (\(value))\(rows)"
  }

  private var quotedTable: String { SQLIdentifier(table).asCoreDataWrites }
  private var quotedColumn: String { SQLIdentifier(column).asCoreDataWrites }

  /// The triggers of a count of the rows in a table that refer to this row.
  func countTriggers(of reference: String, in destination: String) -> [SQLTrigger] {
    let reference = SQLIdentifier(reference).asCoreDataWrites
    let source = SQLIdentifier(destination).asCoreDataWrites
    func step(_ suffix: String, _ event: String, row: String, to value: String) -> SQLTrigger {
      trigger(
        on: destination, "PARAMETER_\(suffix)", event, when: "(\(row).\(reference) NOT NULL)",
        set: value, where: "Z_PK = \(row).\(reference)", isInsert: false)
    }
    return [
      step("INSERT", "INSERT", row: "NEW", to: "IFNULL(\(quotedColumn), 0) + 1"),
      step("UPDATE_INCREMENT", "UPDATE OF \(reference)", row: "NEW", to: "\(quotedColumn) + 1"),
      step("UPDATE_DECREMENT", "UPDATE OF \(reference)", row: "OLD", to: "\(quotedColumn) - 1"),
      step("DELETE", "DELETE", row: "OLD", to: "\(quotedColumn) - 1"),
      sourceTrigger(
        "INSERT", "INSERT",
        set: "(SELECT IFNULL(COUNT(\(reference)), 0) FROM \(source) WHERE \(reference) = NEW.Z_PK)"),
    ]
  }

  /// The triggers of a value of the destination of a to-one relationship.
  func valueTriggers(of value: String, in destination: String, through reference: String) -> [SQLTrigger] {
    let reference = SQLIdentifier(reference).asCoreDataWrites
    let value = SQLIdentifier(value).asCoreDataWrites
    let reading = "(SELECT \(value) FROM \(SQLIdentifier(destination).asCoreDataWrites) WHERE Z_PK = NEW.\(reference))"
    func parameter(_ suffix: String, _ event: String) -> SQLTrigger {
      trigger(
        on: destination, "PARAMETER_\(suffix)", event, when: nil, set: "NEW.\(value)",
        where: "\(reference) = NEW.Z_PK", isInsert: false)
    }
    return [
      sourceTrigger("INSERT", "INSERT", set: reading),
      sourceTrigger("UPDATE", "UPDATE OF \(reference)", set: reading),
      parameter("INSERT", "INSERT"),
      parameter("UPDATE", "UPDATE OF \(value)"),
    ]
  }

  private func sourceTrigger(_ suffix: String, _ event: String, set value: String) -> SQLTrigger {
    let when = range.map { "\($0.lowerBound) <= NEW.Z_ENT AND NEW.Z_ENT <= \($0.upperBound)" }
    return trigger(
      on: table, "SOURCE_\(suffix)", event, when: when, set: value, where: "Z_PK = NEW.Z_PK",
      isInsert: suffix == "INSERT",
      isRanged: false)
  }

  private func trigger(
    on eventTable: String, _ suffix: String, _ event: String, when: String?, set value: String, where rows: String,
    isInsert: Bool, isRanged: Bool = true
  ) -> SQLTrigger {
    let name = "Z_DA_\(eventTable)_\(entity)_\(attribute)_\(suffix)"
    let ranged = isRanged ? range.map { " AND \($0.lowerBound) <= Z_ENT AND Z_ENT <= \($0.upperBound)" } ?? "" : ""
    let function = "NSCoreDataDATrigger\(isInsert ? "Insert" : "")UpdatedAffectedObjectValue"
    let arguments = "\(SQLLiteral.text(table).sql), Z_ENT, Z_PK, \(SQLLiteral.text(attribute).sql), \(quotedColumn)"
    return SQLTrigger(
      name: name,
      table: eventTable,
      sql: "CREATE TRIGGER \(SQLIdentifier(name).asCoreDataWrites) AFTER \(event) "
        + "ON \(SQLIdentifier(eventTable).asCoreDataWrites) FOR EACH ROW\(when.map { " WHEN \($0)" } ?? "") "
        + "BEGIN UPDATE \(quotedTable) SET \(quotedColumn) = \(value) WHERE \(rows)\(ranged); "
        + "SELECT \(function)(\(arguments)) FROM \(quotedTable) WHERE \(rows)\(ranged); END"
    )
  }
}

/// The path of a derivation expression, for the two forms with known triggers.
enum DerivationPath {
  /// The number of objects of a to-many relationship that its destination's rows refer back from.
  case count(RelationshipEnds)
  /// An attribute of the destination object of a to-one relationship.
  case value(RelationshipEnds, attribute: String)

  /// Parses an expression of an entity; nil for any other form, and for a property that does not exist.
  init?(_ expression: String, of entity: String, in hierarchy: EntityHierarchy) {
    guard let (relationship, key) = Self.parts(of: expression),
      let declared = hierarchy.allRelationships(of: entity)[relationship],
      let ends = RelationshipEnds(declared.property, declaredBy: declared.entity.name, in: hierarchy)
    else { return nil }
    if key == "@count" {
      guard ends.relationship.isToMany, !ends.isManyToMany else { return nil }
      self = .count(ends)
    } else {
      guard !ends.relationship.isToMany, let attribute = hierarchy.allAttributes(of: ends.destination.name)[key],
        !attribute.property.isTransient
      else { return nil }
      self = .value(ends, attribute: key)
    }
  }

  /// The two keys of `relationship.key`; `count:(relationship)`, as archives write it, has the key `@count`.
  private static func parts(of expression: String) -> (relationship: String, key: String)? {
    if expression.hasPrefix("count:("), expression.hasSuffix(")") {
      return (String(expression.dropFirst(7).dropLast()), "@count")
    }
    let keys = expression.split(separator: ".", omittingEmptySubsequences: false)
    return keys.count == 2 ? (String(keys[0]), String(keys[1])) : nil
  }
}
