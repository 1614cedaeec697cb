/// A place where a layout rests on a decision of this program because no store of Core Data's shows the rule.
public enum LayoutWarning: Hashable, Sendable {
  /// A many-to-many pair with both ends on one entity where the two known orders disagree about which end names the join
  /// table, and nothing else is known.
  case selfJoinName(SelfJoin)
  /// An attribute whose type has no column.
  case attributeWithoutColumn(PropertyAddress, type: String)
  /// A relationship whose destination the model, or the configuration, does not have; it is not stored.
  case relationshipWithoutDestination(PropertyAddress, destination: String?)
  /// An index on something that is no column, such as an expression; the layout has no such index.
  case untranslatedIndex(entity: String, index: String, element: String)
  /// A partial index whose predicate is beyond simple comparisons; the layout has no such index.
  case untranslatedPredicate(entity: String, index: String, predicate: String)
  /// A derived attribute whose triggers were never seen; the layout has none for it.
  case untranslatedDerivation(PropertyAddress, expression: String)
}

extension LayoutWarning: CustomStringConvertible {
  /// The warning in one sentence.
  public var description: String {
    switch self {
    case .selfJoinName(let join):
      """
      the join table of \(join.pair) is named \(join.table) by a guess; should Core Data name it \(join.otherTable), it \
      would not find it; make sure with a store that Core Data made with this version: --like STORE, or for good \
      with: modelctl lock --store STORE
      """
    case .attributeWithoutColumn(let address, let type):
      "attribute \(address) of type \(type) is not stored"
    case .relationshipWithoutDestination(let address, let destination):
      "relationship \(address) is not stored, because there is no entity \(destination ?? "at its other end")"
    case .untranslatedIndex(let entity, let index, let element):
      "index \(index) of \(entity) is left out, because \(element) is not a column"
    case .untranslatedPredicate(let entity, let index, let predicate):
      "index \(index) of \(entity) is left out, because its predicate “\(predicate)” has no known translation"
    case .untranslatedDerivation(let address, let expression):
      "no trigger keeps \(address) up to date, because “\(expression)” has no known translation"
    }
  }
}
