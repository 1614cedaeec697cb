import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Finds how a table is altered whose rows stay what they are, by at most one pass over them.
struct InferredAlteration {
  private(set) var alteration: TableAlteration
  private let transfer: TableTransfer
  private let feeder: TableTransfer.Feeder

  /// Finds the alteration, if there is one that is no dearer than copying the table; nil if a column gets a declared
  /// type under which SQLite keeps values differently, when two passes over the rows would be needed, or when a column
  /// is put together from several.
  init?(_ transfer: TableTransfer, in context: PlanningContext) {
    guard transfer.feeders.count == 1, let feeder = transfer.feeders.first else { return nil }
    (self.transfer, self.feeder) = (transfer, feeder)
    alteration = TableAlteration(of: feeder.table, to: transfer.destination)
    alteration.transfer = transfer
    for column in transfer.destination.columns {
      guard add(column, in: context) else { return nil }
    }
    alteration.removeRest()
    guard leavesNothingBehind(in: context), alteration.keepsConstraints(in: context) else { return nil }
    guard alteration.removals.isEmpty || context.canDropColumns(of: feeder.table.name) else { return nil }
    let passes = alteration.removals.count + (alteration.assignments.isEmpty ? 0 : 1)
    guard passes <= 1 else { return nil }
  }

  private mutating func add(_ column: SQLColumn, in context: PlanningContext) -> Bool {
    let origins = transfer.origins(of: column)
    let bases = Set(origins.values.filter { $0.base != .nothing })
    guard !bases.isEmpty else {
      alteration.add(column)
      return true
    }
    guard bases.count == 1, let origin = bases.first else { return addByEntity(column, bases) }
    switch origin.base {
    case .nothing, .later:
      alteration.add(column)
      return true
    case .constant:
      alteration.add(column)
      assign(column, origin, origins)
      return true
    case .column(let name): return keep(name, as: column, origin, origins, in: context)
    }
  }

  /// A new column whose constant differs by entity.
  private mutating func addByEntity(_ column: SQLColumn, _ bases: Set<ColumnOrigin>) -> Bool {
    let areConstant = bases.allSatisfy { if case .constant = $0.base { true } else { false } }
    guard areConstant else { return false }
    alteration.add(column)
    alteration.assignments.append(
      TableAlteration.Assignment(
        column: column, value: transfer.expression(of: column, from: feeder), condition: nil, scope: nil,
        reason: .newDefault))
    return true
  }

  private mutating func keep(
    _ name: String, as column: SQLColumn, _ origin: ColumnOrigin, _ origins: [String: ColumnOrigin],
    in context: PlanningContext
  ) -> Bool {
    guard let sourceColumn = feeder.table.columns.first(where: { $0.name == name }) else { return false }
    if case .presence = origin.conversions.first {
      alteration.add(column)
      assign(column, origin, origins)
      return true
    }
    guard alteration.keep(name, as: column) else { return false }
    var remaining = origin
    if sourceColumn.type != column.type {
      guard let retyping = ColumnRetyping(sourceColumn, of: feeder.table.name, to: column.type, in: context) else {
        return false
      }
      alteration.retypings.append(retyping)
      // A text among numbers, which Core Data never writes, is converted with consent alone.
      if !transfer.isConsented(column, in: context) { remaining.conversions.removeAll(where: retyping.makesIdle) }
    }
    if !remaining.conversions.isEmpty { assign(column, remaining, origins) }
    return true
  }

  private mutating func assign(_ column: SQLColumn, _ origin: ColumnOrigin, _ origins: [String: ColumnOrigin]) {
    let names = alteration.columns
    var scope: SQLStatement?
    if origins.values.contains(where: { $0.base == .nothing }) {
      let numbers = feeder.entities.filter { origins[$0.destinationName]?.base != .nothing }.map(\.sourceNumber)
      scope = "\(name: "Z_ENT") IN (\(.list(numbers)))"
    }
    let conditions = [scope, origin.condition(naming: { names[$0] ?? $0 })].compactMap { $0 }
    alteration.assignments.append(
      TableAlteration.Assignment(
        column: column, value: origin.expression { names[$0] ?? $0 },
        condition: conditions.isEmpty ? nil : conditions.joined(" AND "), scope: scope,
        reason: origin.reason))
  }

  /// False if rows would keep a value in a column that has no meaning for them.
  private func leavesNothingBehind(in context: PlanningContext) -> Bool {
    let declared = DeclaredColumns(of: feeder.table)
    for entity in feeder.entities {
      guard let origins = transfer.origins[entity.destinationName],
        let name = context.mapping(of: entity.destinationName)?.source
      else { return false }
      for column in declared.columns(of: name, in: context.source.hierarchy) {
        guard let kept = alteration.columns[column.name] else { continue }
        let isRead = origins[kept].map { $0.base == .column(column.name) } ?? false
        if !isRead && context.source.holds(column, for: name) { return false }
      }
    }
    return true
  }
}

extension TableTransfer {
  /// True if values of an attribute's column may be changed by a conversion.
  fileprivate func isConsented(_ column: SQLColumn, in context: PlanningContext) -> Bool {
    guard case .attribute(let address) = column.role else { return false }
    return origins.keys.contains { context.allowsConverting(address.property, of: $0) }
  }
}

extension StoreModel {
  /// True if rows of an entity have a meaning for a column of their table.
  func holds(_ column: SQLColumn, for entity: String) -> Bool {
    switch column.role {
    case .primaryKey, .entityNumber, .optimisticLock: true
    case .attribute(let address): self.address(ofAttribute: address.property, in: entity) == address
    case .toOne(let address), .toOneEntity(let address), .toOneOrder(let address):
      self.address(ofRelationship: address.property, in: entity) == address
    case .toManyOwner(let address), .toManyOwnerOrder(let address):
      relationship(address)?.destinationEntityName.map { hierarchy.isEntity(entity, kindOf: $0) } ?? false
    case .joinSource, .joinDestination, .joinSourceOrder, .joinDestinationOrder: false
    }
  }
}

extension ColumnOrigin {
  /// The rows that a conversion changes, nil for all.
  fileprivate func condition(naming columnName: (String) -> String) -> SQLStatement? {
    guard case .column(let name) = base, conversions.count == 1, let conversion = conversions.first else { return nil }
    let column: SQLStatement = "\(name: columnName(name))"
    switch conversion {
    case .attribute(.replaceNil): return "\(column) IS NULL"
    case .attribute, .presence, .roundedToSingle: return "\(column) IS NOT NULL"
    case .entityNumber(let numbers): return "\(column) IN (\(.list(numbers.filter { $0.key != $0.value }.keys)))"
    }
  }

  fileprivate var reason: PlanCause.ValueReason {
    if case .constant = base { return .newDefault }
    return switch conversions.first {
    case .attribute(.replaceNil): .defaultForEmptyValues
    case .attribute(.convert), .roundedToSingle: .typeChanged
    case .attribute(.externalStorage): .externalStorageSwitched
    case .entityNumber: .entitiesRenumbered
    case .presence: .destinationHasSubentities
    default: .changed
    }
  }
}
