import ModelDescription

/// Lays out the triggers that keep derived attributes up to date.
///
/// The triggers of `toMany.@count` are word for word those of frameworks 1044 and 1344. Those of a to-one key path have the
/// measured names and events; their bodies follow the same pattern. Every other derivation, and every filter, has no
/// trigger here and gives a warning.
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

  /// The statement that computes a derived attribute in all rows; nil when its derivation is not known.
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

  /// The numbers that a row must have, those of an entity and what is below it; nil when the triggers do not ask.
  ///
  /// They ask when the table holds other entities too, and for a to-many without inverse on an entity with
  /// sub-entities.
  private func range(of entity: EntityDescription, _ path: DerivationPath) -> ClosedRange<Int>? {
    let family = hierarchy.family(of: entity.name).compactMap { numbers[$0.name] }
    guard let least = family.min(), let greatest = family.max() else { return nil }
    if entity.superentityName == nil {
      guard case .count(let ends) = path, ends.inverse == nil, family.count > 1 else { return nil }
    }
    return least...greatest
  }
}

extension DerivedAttributeTriggerBuilder {
  /// The statements that compute every derived attribute whose derivation is known, for a store without triggers.
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
