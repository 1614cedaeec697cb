import MigrationSQL
import PersistentStores

extension PlanningContext {
  /// The columns of a source table that the model does not explain, in the file's order.
  func unknownColumns(ofTable name: String) -> [StoreSnapshot.Column] {
    guard let table = source.layout.tables.first(where: { $0.name == name }),
      let actual = snapshot.tables.first(where: { $0.name == name })
    else { return [] }
    let known = Set(table.columns.map { $0.name.lowercased() })
    return actual.columns.filter { !known.contains($0.name.lowercased()) }
  }

  /// False when something of the app's own, or the condition of an index, may need a column: SQLite then refuses to drop
  /// or rename any.
  func canDropColumns(of table: String) -> Bool {
    snapshot.views.isEmpty && snapshot.triggers.allSatisfy { isCoreDataTrigger($0.name) }
      && !snapshot.indexes.contains { $0.table == table && ($0.sql?.uppercased().contains("WHERE") ?? false) }
  }

  /// The columns beyond the model's that a copied table keeps, with their declared types.
  ///
  /// None has the name of a column of the destination's model; ``refuseTakenNames(_:)`` sees to that.
  func extraColumns(of transfer: TableTransfer) -> [(name: String, type: SQLStatement)] {
    var taken = Set(transfer.destination.columns.map { $0.name.lowercased() })
    return transfer.feeders.flatMap { unknownColumns(ofTable: $0.table.name) }.compactMap { column in
      guard taken.insert(column.name.lowercased()).inserted else { return nil }
      let isPlain = column.type.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " (),".contains($0)) }
      return (column.name, SQLStatement(verbatim: isPlain ? column.type : ""))
    }
  }
}
