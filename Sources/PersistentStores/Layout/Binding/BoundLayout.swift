public import ModelDescription

/// The layout of a model in a single store, with the store's entity numbers and names.
///
/// Core Data's migrations can leave another join table name, numeric suffix or index name than a new store has. Readers
/// and migrations use these names instead of the predicted names.
public struct BoundLayout: Hashable, Sendable {
  /// The layout with the store's numbers and names, without tables and columns that the store lacks.
  public let layout: SQLStoreLayout
  /// The differences between the store and a new store, in the order of the layout.
  public let deviations: [LayoutDifference]

  /// Binds the layout of a model to a store.
  ///
  /// - Parameter names: the known names of join tables with both ends on a single entity; the store's own names take
  ///   precedence.
  public init(of hierarchy: EntityHierarchy, to snapshot: StoreSnapshot, names: SelfJoinNames = SelfJoinNames()) {
    var binding = LayoutBinding(snapshot: snapshot)
    let numbers = binding.numbers(of: hierarchy, in: snapshot)
    let fresh = SQLStoreLayout(of: hierarchy, entityNumbers: numbers, names: names)
    var layout = fresh
    layout.tables = fresh.tables.compactMap { table in
      switch table.content {
      case .hierarchy: binding.bind(table)
      case .join(let naming):
        binding.bind(join: table, naming: naming, inverse: hierarchy.inverse(of: naming), numbers: numbers)
      }
    }
    layout.indexes = fresh.indexes.compactMap { binding.bind($0) }
    layout.triggers = fresh.triggers.filter { binding.has($0) }
    layout.spatialIndexes = fresh.spatialIndexes.filter { binding.has($0) }
    let naming = Set(layout.tables.compactMap { if case .join(let naming) = $0.content { naming } else { nil } })
    layout.selfJoins = fresh.selfJoins.compactMap { $0.bound(to: naming) }
    layout.warnings.removeAll { if case .selfJoinName = $0 { true } else { false } }
    self.layout = layout
    self.deviations = binding.deviations
  }

  /// The entities, tables and columns that the model needs and the store lacks.
  package var missing: [LayoutDifference] {
    deviations.filter { difference in
      switch difference {
      case .missingEntity, .missingTable, .missingColumn: true
      default: false
      }
    }
  }

  /// Refuses to copy a store that lacks a part, so that no copy is silently incomplete.
  ///
  /// - Parameters:
  ///   - entities: the entities whose objects are copied; nil for all.
  ///   - hierarchy: the store's model.
  /// - Throws: ``StoreError/incomplete(path:missing:)``.
  package func checkWholeness(
    for entities: [String]? = nil, of hierarchy: EntityHierarchy, path: String
  ) throws(StoreError) {
    var missing = missing
    if let entities {
      let numbers = Dictionary(layout.entityNumbers.map { ($0.name, $0.number) }) { first, _ in first }
      let fresh = SQLStoreLayout(of: hierarchy, entityNumbers: numbers)
      let needed = fresh.tables.filter { table in
        switch table.content {
        case .hierarchy: entities.contains { fresh.table(ofEntity: $0)?.name == table.name }
        case .join(let address):
          entities.contains { entity in
            let inverse = hierarchy.inverse(of: address)
            return [address, inverse].contains { $0.map { hierarchy.isEntity(entity, kindOf: $0.entity) } ?? false }
          }
        }
      }
      let names = Set(needed.map(\.name))
      missing = missing.filter { difference in
        switch difference {
        case .missingEntity(let name): entities.contains(name)
        case .missingTable(let table), .missingColumn(let table, _, _): names.contains(table)
        default: false
        }
      }
    }
    guard missing.isEmpty else { throw .incomplete(path: path, missing: missing) }
  }
}

extension SelfJoin {
  /// The pair with the relationship that names its table in a store; nil if the store lacks this table.
  fileprivate func bound(to naming: Set<PropertyAddress>) -> SelfJoin? {
    if naming.contains(self.naming) { return self }
    guard naming.contains(other) else { return nil }
    return SelfJoin(naming: other, other: self.naming, table: otherTable, otherTable: table, evidence: .guess)
  }
}

extension EntityHierarchy {
  func inverse(of address: PropertyAddress) -> PropertyAddress? {
    entity(named: address.entity)?.relationships.first { $0.name == address.property }
      .flatMap { RelationshipEnds($0, declaredBy: address.entity, in: self) }?.inverse?.address
  }
}

/// Finds the parts of a layout in a store, and records the parts with other names.
struct LayoutBinding {
  private let tables: [String: StoreSnapshot.Table]
  private let indexes: [IndexForm: [StoreSnapshot.Index]]
  private let indexesByName: [String: StoreSnapshot.Index]
  private let triggerNames: Set<String>
  private let virtualTables: Set<String>
  /// The store's name of a predicted table, upper-cased as the key.
  private var tableNames: [String: String] = [:]
  /// The store's names of the predicted columns of a table, by the store's table name.
  private var columnNames: [String: [String: String]] = [:]
  /// The join tables found under their other name, by the predicted name.
  private var turned: [String: SQLTable] = [:]
  var deviations: [LayoutDifference] = []

  init(snapshot: StoreSnapshot) {
    tables = Dictionary(snapshot.tables.map { ($0.name.uppercased(), $0) }) { first, _ in first }
    var indexes: [IndexForm: [StoreSnapshot.Index]] = [:]
    for index in snapshot.indexes {
      guard let form = IndexForm(index) else { continue }
      indexes[form.withoutCondition, default: []].append(index)
    }
    self.indexes = indexes
    indexesByName = Dictionary(snapshot.indexes.map { ($0.name.uppercased(), $0) }) { first, _ in first }
    triggerNames = Set(snapshot.triggers.map { $0.name.uppercased() })
    virtualTables = Set(snapshot.virtualTables.map { $0.uppercased() })
  }

  mutating func bind(_ table: SQLTable) -> SQLTable? {
    guard let actual = tables[table.name.uppercased()] else {
      deviations.append(.missingTable(table.name))
      return nil
    }
    var bound = table
    bound.name = actual.name
    bound.columns = bind(table.columns, to: actual)
    register(table, as: bound, renaming: zipNames(table.columns, bound.columns))
    return bound
  }

  private mutating func bind(_ columns: [SQLColumn], to actual: StoreSnapshot.Table) -> [SQLColumn] {
    let names = Dictionary(actual.columns.map { ($0.name.uppercased(), $0.name) }) { first, _ in first }
    let predicted = Set(columns.map { $0.name.uppercased() })
    var unclaimed = Set(names.keys).subtracting(predicted)
    return columns.compactMap { column in
      var bound = column
      if let name = names[column.name.uppercased()] {
        bound.name = name
      } else if case .toOneEntity = column.role,
        let stale = unclaimed.filter({ Self.isCompanion($0, like: column.name.uppercased()) }).min(),
        let name = names[stale]
      {
        unclaimed.remove(stale)
        bound.name = name
      } else {
        deviations.append(.missingColumn(table: actual.name, column: column.name, type: column.type.rawValue))
        return nil
      }
      if bound.name != column.name {
        deviations.append(.columnName(table: actual.name, expected: column.name, actual: bound.name))
      }
      return bound
    }
  }

  /// Finds a join table under one of its two possible names.
  mutating func bind(
    join table: SQLTable, naming: PropertyAddress, inverse: PropertyAddress?, numbers: [String: Int]
  ) -> SQLTable? {
    var candidates: [(name: String, isSwapped: Bool)] = [(table.name, false)]
    if let inverse, inverse != naming, let number = numbers[inverse.entity] {
      candidates.append(("Z_\(number)\(inverse.property.uppercased())", true))
    }
    for candidate in candidates {
      let predicted = candidate.isSwapped ? inverse.map { table.named(after: $0) } ?? table : table
      guard let actual = tables[candidate.name.uppercased()], let columns = joinColumns(of: predicted, in: actual)
      else { continue }
      var bound = predicted
      bound.name = actual.name
      bound.columns = columns
      if candidate.isSwapped {
        deviations.append(.joinTableName(expected: table.name, actual: actual.name))
        turned[table.name.uppercased()] = bound
      }
      for (column, found) in zip(predicted.columns, columns) where column.name != found.name {
        deviations.append(.columnName(table: actual.name, expected: column.name, actual: found.name))
      }
      register(table, as: bound, renaming: zipNames(predicted.columns, columns))
      return bound
    }
    if let actual = tables[table.name.uppercased()] {
      let names = Set(actual.columns.map { $0.name.uppercased() })
      for column in table.columns where !names.contains(column.name.uppercased()) {
        deviations.append(.missingColumn(table: actual.name, column: column.name, type: column.type.rawValue))
      }
    } else {
      deviations.append(.missingTable(table.name))
    }
    return nil
  }

  /// The columns of a join table by name, with any numeric suffix; nil if a column is missing.
  private func joinColumns(of table: SQLTable, in actual: StoreSnapshot.Table) -> [SQLColumn]? {
    var unclaimed = actual.columns.map(\.name)
    var found: [SQLColumn?] = table.columns.map { column in
      guard let position = unclaimed.firstIndex(where: { $0.uppercased() == column.name.uppercased() }) else {
        return nil
      }
      var bound = column
      bound.name = unclaimed.remove(at: position)
      return bound
    }
    for (position, column) in table.columns.enumerated() where found[position] == nil {
      let stem = Self.withoutSuffix(column.name.uppercased())
      guard let match = unclaimed.firstIndex(where: { Self.withoutSuffix($0.uppercased()) == stem }) else { return nil }
      var bound = column
      bound.name = unclaimed.remove(at: match)
      found[position] = bound
    }
    return found.compactMap { $0 }
  }

  /// Finds an index by its table, uniqueness and columns with their direction; an index with the predicted name is
  /// preferred.
  mutating func bind(_ index: SQLIndex) -> SQLIndex? {
    guard let table = tableNames[index.table.uppercased()], let names = columnNames[table] else { return nil }
    var bound = index
    if let join = turned[index.table.uppercased()], let other = SQLIndex(ofJoin: join) {
      bound = other
    } else {
      bound.table = table
      bound.columns = index.columns.map { column in
        var column = column
        column.name = names[column.name.uppercased()] ?? column.name
        return column
      }
    }
    let matches = indexes[IndexForm(bound).withoutCondition] ?? []
    guard let match = matches.first(where: { $0.name.uppercased() == bound.name.uppercased() }) ?? matches.first else {
      if let other = indexesByName[bound.name.uppercased()], other.table == table, let sql = other.sql {
        deviations.append(.indexDefinition(bound, actual: sql))
      } else {
        deviations.append(.missingIndex(bound))
      }
      return nil
    }
    if match.name != bound.name {
      deviations.append(.indexName(table: table, expected: bound.name, actual: match.name))
    }
    bound.name = match.name
    return bound
  }

  mutating func has(_ trigger: SQLTrigger) -> Bool {
    if triggerNames.contains(trigger.name.uppercased()) { return true }
    deviations.append(.missingTrigger(name: trigger.name, table: trigger.table))
    return false
  }

  mutating func has(_ index: SQLSpatialIndex) -> Bool {
    if virtualTables.contains(index.name.uppercased()) { return true }
    deviations.append(.missingSpatialIndex(index.name))
    return false
  }

  private mutating func register(_ table: SQLTable, as bound: SQLTable, renaming: [String: String]) {
    tableNames[table.name.uppercased()] = bound.name
    columnNames[bound.name] = renaming
  }

  private func zipNames(_ predicted: [SQLColumn], _ bound: [SQLColumn]) -> [String: String] {
    var names: [String: String] = [:]
    let byRole = Dictionary(bound.map { ($0.role, $0.name) }) { first, _ in first }
    for column in predicted { names[column.name.uppercased()] = byRole[column.role] }
    return names
  }

  /// True for two names `Z<n>_NAME` that differ only in the number.
  private static func isCompanion(_ name: String, like other: String) -> Bool {
    func parts(_ name: String) -> (isNumbered: Bool, rest: Substring) {
      let digits = name.dropFirst().prefix { $0.isASCII && $0.isNumber }
      return (name.hasPrefix("Z") && !digits.isEmpty, name.dropFirst(1 + digits.count))
    }
    let (first, second) = (parts(name), parts(other))
    return first.isNumbered && second.isNumbered && first.rest == second.rest && first.rest.hasPrefix("_")
  }

  private static func withoutSuffix(_ name: String) -> Substring {
    var name = Substring(name)
    while let last = name.last, last.isASCII, last.isNumber { name.removeLast() }
    return name
  }
}

extension SQLTable {
  /// The same join table, seen from the other relationship of its pair.
  func named(after naming: PropertyAddress) -> SQLTable {
    var table = self
    table.content = .join(naming)
    table.columns = columns.map { column in
      var column = column
      switch column.role {
      case .joinSource: column.role = .joinDestination(naming)
      case .joinDestination: column.role = .joinSource(naming)
      case .joinSourceOrder: column.role = .joinDestinationOrder(naming)
      case .joinDestinationOrder: column.role = .joinSourceOrder(naming)
      default: break
      }
      return column
    }
    if columns.count >= 2 { table.columns.swapAt(0, 1) }
    if columns.count == 4 { table.columns.swapAt(2, 3) }
    return table
  }
}

extension LayoutBinding {
  /// The store's numbers of a model's entities.
  ///
  /// Core Data's in-place migration leaves the source name of a renamed entity in `Z_PRIMARYKEY`. This function finds
  /// the row by the renaming identifier, or by the parent and the number that a new store would have.
  mutating func numbers(of hierarchy: EntityHierarchy, in snapshot: StoreSnapshot) -> [String: Int] {
    let rows = snapshot.entityRows.filter { !$0.isService }
    var numbers = Dictionary(rows.map { ($0.name, $0.number) }) { first, _ in first }
    let fresh = EntityNumbering(of: hierarchy, known: nil)
    let names = Set(hierarchy.model.entities.map(\.name))
    var unclaimed = rows.filter { !names.contains($0.name) }
    for entity in hierarchy.numberedEntities where numbers[entity.name] == nil {
      let parent = entity.superentityName.flatMap { numbers[$0] } ?? 0
      let candidates = unclaimed.filter { $0.superentityNumber == parent }
      let renamed = candidates.first { $0.name == entity.canonicalName }
      guard let row = renamed ?? candidates.first(where: { $0.number == fresh.numbers[entity.name] }) else {
        deviations.append(.missingEntity(name: entity.name))
        continue
      }
      numbers[entity.name] = row.number
      unclaimed.removeAll { $0 == row }
      deviations.append(.entityName(expected: entity.name, actual: row.name))
    }
    return numbers
  }
}
