/// What an index does, whatever its name: migrations of Core Data leave names behind.
///
/// Names of tables and columns know no case.
package struct IndexForm: Hashable, Sendable {
  /// Which rows an index holds.
  package enum Rows: Hashable, Sendable {
    case all
    case condition(IndexCondition)
    /// Those that meet a condition that is not understood.
    case unreadable
  }

  package var table: String
  package var columns: [String]
  /// The positions of the columns in descending order.
  package var descending: Set<Int>
  package var isUnique: Bool
  package var rows: Rows

  /// The form of an index that a model asks for.
  package init(_ index: SQLIndex) {
    table = index.table.uppercased()
    columns = index.columns.map { $0.name.uppercased() }
    descending = Set(index.columns.indices.filter { !index.columns[$0].isAscending })
    isUnique = index.isUnique
    rows = index.condition.map { IndexCondition($0).map(Rows.condition) ?? .unreadable } ?? .all
  }

  /// The form of an index that a store has; nil for one that no model asks for: of an expression, or by a collation.
  package init?(_ index: StoreSnapshot.Index) {
    guard !index.hasOwnCollation, !index.columns.contains("") else { return nil }
    table = index.table.uppercased()
    columns = index.columns.map { $0.uppercased() }
    descending = index.descending
    isUnique = index.isUnique
    let condition = index.sql.flatMap { IndexCondition.text(ofStatement: $0) }
    rows = condition.map { IndexCondition($0).map(Rows.condition) ?? .unreadable } ?? .all
  }

  /// The same with all conditions taken for one.
  var withoutCondition: IndexForm {
    var form = self
    if form.rows != .all { form.rows = .unreadable }
    return form
  }
}
