import ModelDescription

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
