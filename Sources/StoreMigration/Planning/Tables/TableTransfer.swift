import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// The origin of the rows of a single destination entity table.
struct TableTransfer {
  /// A source table and those of its entities whose rows move into the destination table.
  struct Feeder {
    let table: SQLTable
    var entities: [(sourceNumber: Int, destinationName: String)]
  }

  let destination: SQLTable
  let feeders: [Feeder]
  /// The origins of the columns that may have a value, for every destination entity with rows.
  let origins: [String: [String: ColumnOrigin]]
}

extension PlanningContext {
  /// The transfers of all destination entity tables, in the layout's order.
  func tableTransfers() -> [TableTransfer] {
    destination.layout.tables.compactMap { table in
      guard case .hierarchy(let root) = table.content else { return nil }
      var feeders: [TableTransfer.Feeder] = []
      var origins: [String: [String: ColumnOrigin]] = [:]
      let declared = DeclaredColumns(of: table)
      for entity in destination.hierarchy.family(of: root) {
        guard let name = mapping(of: entity.name)?.source, let number = source.number(of: name),
          let sourceTable = source.table(ofEntity: name)
        else { continue }
        if let position = feeders.firstIndex(where: { $0.table.name == sourceTable.name }) {
          feeders[position].entities.append((number, entity.name))
        } else {
          feeders.append(TableTransfer.Feeder(table: sourceTable, entities: [(number, entity.name)]))
        }
        let columns = declared.columns(of: entity.name, in: destination.hierarchy)
        origins[entity.name] = Dictionary(
          columns.map { ($0.name, origin(of: $0, for: entity.name)) }, uniquingKeysWith: { first, _ in first })
      }
      return TableTransfer(destination: table, feeders: feeders, origins: origins)
    }
  }
}

extension TableTransfer {
  /// The origins of a column for every entity with rows; most columns have one origin for all.
  func origins(of column: SQLColumn) -> [String: ColumnOrigin] { origins.mapValues { $0[column.name] ?? .nothing } }

  /// The value of a column as SQL over the columns of a source table, by entity if entities differ.
  func expression(
    of column: SQLColumn, from feeder: Feeder, naming columnName: (String) -> String = { $0 }
  ) -> SQLStatement {
    let origins = feeder.entities.map { entity in
      (number: entity.sourceNumber, origin: self.origins[entity.destinationName]?[column.name] ?? .nothing)
    }
    guard let first = origins.first else { return "NULL" }
    if origins.allSatisfy({ $0.origin == first.origin }) { return first.origin.expression(naming: columnName) }
    let cases = origins.compactMap { entity -> SQLStatement? in
      switch entity.origin.base {
      case .nothing, .later: nil
      default: "WHEN \(.number(entity.number)) THEN \(entity.origin.expression(naming: columnName))"
      }
    }
    return cases.isEmpty ? "NULL" : "CASE \(name: "Z_ENT") \(cases.joined(" ")) END"
  }
}

extension PlanningContext {
  /// The transfers that steps shared with other plans are computed from: where rows come from, and which attributes are
  /// derived again.
  func transfers() -> [TableTransfer] {
    destination.layout.tables.compactMap { table in
      guard case .hierarchy(let root) = table.content else { return nil }
      var feeders: [TableTransfer.Feeder] = []
      for entity in entities(filling: table) {
        guard let sourceTable = source.table(ofEntity: entity.source) else { continue }
        if let position = feeders.firstIndex(where: { $0.table.name == sourceTable.name }) {
          feeders[position].entities.append((entity.sourceNumber, entity.destination))
        } else {
          feeders.append(
            TableTransfer.Feeder(table: sourceTable, entities: [(entity.sourceNumber, entity.destination)]))
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

/// Moves the source's tables aside, makes the destination's, and drops the source's at the end.
struct StagingSteps {
  /// Renaming and making tables.
  private(set) var opening: [PlanStep] = []
  /// Dropping what is no longer needed.
  private(set) var closing: [PlanStep] = []
  /// The objects that the app created and the migration removes.
  private(set) var notes: [PlanNote] = []

  init(_ context: PlanningContext, for tables: TableFates) {
    let staying = Set(tables.alterations.map(\.destination.name))
    let dropped = tables.dropped
    if !dropped.isEmpty {
      opening.append(PlanStep("PRAGMA legacy_alter_table = ON", cause: .readersFollowNames))
      for table in dropped {
        let name = TemporaryName.source(table.name)
        opening.append(
          PlanStep("ALTER TABLE \(name: table.name) RENAME TO \(name: name)", cause: .tableReadFrom)
            .about(context.subject(of: table.content)))
      }
      opening.append(PlanStep("PRAGMA legacy_alter_table = OFF", cause: .readersFollowNames))
    }
    for table in context.destination.layout.tables where !staying.contains(table.name) {
      opening.append(PlanStep(table.creation, cause: .tableMade).about(context.subject(of: table.content)))
    }
    for transfer in tables.copies {
      for (name, type) in context.extraColumns(of: transfer) {
        opening.append(
          PlanStep(
            "ALTER TABLE \(name: transfer.destination.name) ADD COLUMN \(name: name) \(type)",
            cause: .columnOfAppKept(name)))
      }
    }
    for table in dropped where !context.entities.contains(where: { $0.keepsKeys && $0.reads(table) }) {
      notes += context.unknownColumns(ofTable: table.name).map { .columnGoes($0.name, table: table.name) }
    }
    closing = dropped.map { table in
      PlanStep(
        dropping: table.name, named: TemporaryName.source(table.name), cause: .tableHasBeenRead, in: context
      ).about(context.subject(of: table.content))
    }
  }
}

extension MappedEntity {
  /// True if the mapping reads rows of a table, by the name it has before anything runs.
  fileprivate func reads(_ table: SQLTable) -> Bool { sourceTable.name == TemporaryName.source(table.name) }
}

extension StoreModel {
  /// The same model with its tables under the names they have while a plan of a mapping model runs.
  ///
  /// - Parameter kept: the tables that stay as they are, and keep their names.
  func staged(keeping kept: Set<String>) -> StoreModel {
    var layout = layout
    for position in layout.tables.indices where !kept.contains(layout.tables[position].name) {
      layout.tables[position].name = TemporaryName.source(layout.tables[position].name)
    }
    return StoreModel(hierarchy: hierarchy, layout: layout)
  }
}
