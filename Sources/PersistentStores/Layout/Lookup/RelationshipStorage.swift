/// Where a store keeps a relationship, seen from that relationship's side.
public enum RelationshipStorage: Hashable, Sendable {
  /// In the rows of the entity that has it.
  ///
  /// `entityColumn` is there when the destination has sub-entities, `orderColumn` when the inverse is ordered.
  case toOne(table: String, column: String, entityColumn: String?, orderColumn: String?)
  /// In the to-one relationship that is its inverse; the order, if it has one, is that to-one's order column.
  case inverseOfToOne(PropertyAddress)
  /// In a column of the destination's table, because it is a to-many without inverse.
  case owner(table: String, column: String, orderColumn: String?)
  /// In a join table.
  ///
  /// `sourceColumn` refers to the row that has the relationship, `destinationColumn` to the one it points at;
  /// `destinationOrder` orders the destinations of one source, `sourceOrder` the sources of one destination.
  case join(
    table: String, sourceColumn: String, destinationColumn: String, sourceOrder: String?, destinationOrder: String?)
}
