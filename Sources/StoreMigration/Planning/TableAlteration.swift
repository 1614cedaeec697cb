import MappingModels
import ModelDescription
import PersistentStores

/// A destination table that a source table becomes by `ALTER TABLE` and at the most one pass over its rows.
struct TableAlteration {
  /// A value that rows get in the one pass.
  struct Assignment {
    let column: String
    let value: SQLStatement
    /// The rows whose value would change, nil for all.
    let condition: SQLStatement?
    /// The entities whose rows it is meant for, nil for all; others must keep what they have.
    let scope: SQLStatement?
    let cause: String
  }

  let transfer: TableTransfer
  let feeder: TableTransfer.Feeder
  /// The destination's name for every source column that stays.
  private(set) var renames: [String: String] = [:]
  private(set) var additions: [SQLColumn] = []
  private(set) var removals: [SQLColumn] = []
  private(set) var retypings: [ColumnRetyping] = []
  private(set) var assignments: [Assignment] = []

  /// Finds the alteration, if there is one that is no dearer than copying the table.
  ///
  /// - Returns: nil when a column gets a declared type under which SQLite keeps values differently, when two passes over
  ///   the rows would be needed, or when a column is put together from several.
  init?(_ transfer: TableTransfer, in context: PlanningContext) {
    guard transfer.feeders.count == 1, let feeder = transfer.feeders.first else { return nil }
    self.transfer = transfer
    self.feeder = feeder
    for column in transfer.destination.columns {
      guard add(column, in: context) else { return nil }
    }
    removals = feeder.table.columns.filter { renames[$0.name] == nil }
    guard leavesNothingBehind(in: context) else { return nil }
    guard removals.isEmpty || context.canDropColumns(of: feeder.table.name) else { return nil }
    let passes = removals.count + (assignments.isEmpty ? 0 : 1)
    guard passes <= 1 else { return nil }
  }

  private mutating func add(_ column: SQLColumn, in context: PlanningContext) -> Bool {
    let origins = transfer.origins(of: column)
    let bases = Set(origins.values.filter { $0.base != .nothing })
    guard !bases.isEmpty else {
      additions.append(column)
      return true
    }
    guard bases.count == 1, let origin = bases.first else { return addByEntity(column, bases) }
    switch origin.base {
    case .nothing, .later:
      additions.append(column)
      return true
    case .constant:
      additions.append(column)
      assign(column, origin, origins)
      return true
    case .column(let name):
      return keep(name, as: column, origin, origins, in: context)
    }
  }

  /// A new column whose constant differs by entity.
  private mutating func addByEntity(_ column: SQLColumn, _ bases: Set<ColumnOrigin>) -> Bool {
    let areConstant = bases.allSatisfy { if case .constant = $0.base { true } else { false } }
    guard areConstant else { return false }
    additions.append(column)
    assignments.append(
      Assignment(
        column: column.name, value: transfer.expression(of: column, from: feeder), condition: nil, scope: nil,
        cause: "the default of the new attribute"))
    return true
  }

  private mutating func keep(
    _ name: String, as column: SQLColumn, _ origin: ColumnOrigin, _ origins: [String: ColumnOrigin],
    in context: PlanningContext
  ) -> Bool {
    guard let sourceColumn = feeder.table.columns.first(where: { $0.name == name }) else { return false }
    if case .presence = origin.conversions.first {
      additions.append(column)
      assign(column, origin, origins)
      return true
    }
    guard renames[name] == nil else { return false }
    renames[name] = column.name
    var remaining = origin
    if sourceColumn.type != column.type {
      guard let retyping = ColumnRetyping(sourceColumn, of: feeder.table.name, to: column.type, in: context) else {
        return false
      }
      retypings.append(retyping)
      // A text among numbers, which Core Data never writes, is converted with consent alone.
      if !transfer.isConsented(column, in: context) { remaining.conversions.removeAll(where: retyping.makesIdle) }
    }
    if !remaining.conversions.isEmpty { assign(column, remaining, origins) }
    return true
  }

  private mutating func assign(_ column: SQLColumn, _ origin: ColumnOrigin, _ origins: [String: ColumnOrigin]) {
    let names = renames
    var scope: SQLStatement?
    if origins.values.contains(where: { $0.base == .nothing }) {
      let numbers = feeder.entities.filter { origins[$0.destinationName]?.base != .nothing }.map(\.sourceNumber)
      scope = "\(name: "Z_ENT") IN (\(.list(numbers)))"
    }
    let conditions = [scope, origin.condition(naming: { names[$0] ?? $0 })].compactMap { $0 }
    assignments.append(
      Assignment(
        column: column.name, value: origin.expression { names[$0] ?? $0 },
        condition: conditions.isEmpty ? nil : conditions.joined(" AND "), scope: scope, cause: origin.cause))
  }

  /// False when rows would keep a value in a column that has no meaning for them, or an inline constraint would stay.
  private func leavesNothingBehind(in context: PlanningContext) -> Bool {
    for entity in feeder.entities {
      guard let origins = transfer.origins[entity.destinationName],
        let name = context.mapping(of: entity.destinationName)?.source
      else { return false }
      for column in feeder.table.columns {
        guard let kept = renames[column.name] else { continue }
        let isRead = origins[kept].map { $0.base == .column(column.name) } ?? false
        if !isRead && context.source.holds(column, for: name) { return false }
      }
    }
    let wanted = context.destination.layout.indexes.filter { $0.isUnique && $0.table == transfer.destination.name }
    return context.snapshot.indexes.allSatisfy { index in
      guard index.table == feeder.table.name, index.isInline else { return true }
      let columns = index.columns.map { renames[$0] ?? $0 }
      return wanted.contains { $0.columns.map(\.name) == columns }
    }
  }
}

extension TableTransfer {
  /// True when values of an attribute's column may be changed by a conversion.
  fileprivate func isConsented(_ column: SQLColumn, in context: PlanningContext) -> Bool {
    guard case .attribute(let address) = column.role else { return false }
    return origins.keys.contains { context.allowsConverting(address.property, of: $0) }
  }
}

extension StoreModel {
  /// True when rows of an entity have a meaning for a column of their table.
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

  fileprivate var cause: String {
    if case .constant = base { return "the default of the new attribute" }
    return switch conversions.first {
    case .attribute(.replaceNil): "empty values of a now required attribute get its default"
    case .attribute(.convert), .roundedToSingle: "the attribute's type changed"
    case .attribute(.externalStorage): "external storage was switched"
    case .entityNumber: "entities are renumbered"
    case .presence: "the relationship's destination now has sub-entities"
    default: "the attribute changed"
    }
  }
}
