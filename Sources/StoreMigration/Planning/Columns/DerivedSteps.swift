import MigrationSQL
import ModelDescription
import PersistentStores

/// Computes the values of derived attributes whose sources changed, on the destination's tables.
struct DerivedSteps {
  private let context: PlanningContext
  private(set) var steps: [PlanStep] = []
  private(set) var notes: [PlanNote] = []

  init(for transfers: [TableTransfer], in context: PlanningContext) {
    self.context = context
    for transfer in transfers {
      for column in transfer.destination.columns {
        guard case .attribute(let address) = column.role else { continue }
        let stale = transfer.origins(of: column).filter { $0.value.base == .later }.keys
        if !stale.isEmpty { compute(column, address, of: transfer, for: stale.sorted()) }
      }
    }
  }

  private mutating func compute(
    _ column: SQLColumn, _ address: PropertyAddress, of transfer: TableTransfer, for entities: [String]
  ) {
    guard let declared = context.destination.hierarchy.allAttributes(of: address.entity)[address.property]?.property,
      let derivation = declared.derivation,
      let value = DerivedValue(
        derivation, of: address.entity, table: transfer.destination.name, in: context.destination)
    else {
      notes.append(.derivedLater(address))
      return
    }
    let table = transfer.destination.name
    let numbers = entities.compactMap(context.destination.number(of:))
    let rows = transfer.feeders.reduce(0) { $0 + context.rowCount(ofTable: $1.table.name) }
    steps.append(
      PlanStep(
        """
        UPDATE \(name: table) SET \(name: column.name) = \(value.expression) \
        WHERE \(name: "Z_ENT") IN (\(.list(numbers)))
        """, cause: .derivedValues(address), rows: rows,
        writing: .columns([column.name], of: table)))
  }
}
