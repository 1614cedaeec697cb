import ModelDescription
import PersistentStores

extension MappedContext {
  /// The transfers that steps shared with other plans are computed from: where rows come from, and which attributes are
  /// derived anew.
  func transfers() -> [TableTransfer] {
    destination.layout.tables.compactMap { table in
      guard case .hierarchy(let root) = table.content else { return nil }
      var feeders: [TableTransfer.Feeder] = []
      for entity in entities(filling: table) {
        guard let former = source.table(ofEntity: entity.source) else { continue }
        if let position = feeders.firstIndex(where: { $0.table.name == former.name }) {
          feeders[position].entities.append((entity.sourceNumber, entity.destination))
        } else {
          feeders.append(
            TableTransfer.Feeder(table: former, entities: [(entity.sourceNumber, entity.destination)]))
        }
      }
      var origins: [String: [String: ColumnOrigin]] = [:]
      for entity in destination.hierarchy.family(of: root) {
        for column in table.columns where isDerived(column, of: entity.name) {
          origins[entity.name, default: [:]][column.name] = .later
        }
      }
      return TableTransfer(destination: table, feeders: feeders, origins: origins)
    }
  }

  private func isDerived(_ column: SQLColumn, of entity: String) -> Bool {
    guard case .attribute(let address) = column.role,
      destination.address(ofAttribute: address.property, in: entity) == address
    else { return false }
    return destination.hierarchy.allAttributes(of: entity)[address.property]?.property.derivation != nil
  }
}
