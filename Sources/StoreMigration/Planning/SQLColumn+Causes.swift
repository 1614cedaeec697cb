import PersistentStores

extension SQLColumn {
  private var subject: String {
    switch role {
    case .primaryKey, .entityNumber, .optimisticLock: "the row itself"
    case .attribute(let address): "attribute \(address)"
    case .toOne(let address), .toManyOwner(let address): "relationship \(address)"
    case .toOneEntity(let address): "the destination's entity of \(address)"
    case .toOneOrder(let address): "the order at the other end of \(address)"
    case .toManyOwnerOrder(let address): "the order of \(address)"
    case .joinSource(let address), .joinDestination(let address), .joinSourceOrder(let address),
      .joinDestinationOrder(let address):
      "relationship \(address)"
    }
  }

  /// Why a step adds the column.
  var additionCause: String { "\(subject) is added" }
  /// Why a step takes the column away.
  var removalCause: String { "\(subject) is removed" }
}
