extension StoreSnapshot.Table {
  /// True for the tables that every store has beside those of its model.
  public var isSystem: Bool { SystemTable(rawValue: name.uppercased()) != nil }

  /// True for the tables of persistent history and CloudKit mirroring, which Core Data keeps for itself.
  public var isService: Bool {
    ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(name.uppercased())
      || name.uppercased().hasPrefix("ANSCK")
  }
}

extension StoreSnapshot.EntityRow {
  /// True for the rows of persistent history and CloudKit mirroring, whose numbers begin at 16001.
  public var isService: Bool { number > 16_000 }
}

extension SQLColumn.DeclaredType {
  /// The type as SQLite reports it for a column, without the constraint.
  public var valueType: String { self == .integerPrimaryKey ? SQLColumn.DeclaredType.integer.rawValue : rawValue }
}
