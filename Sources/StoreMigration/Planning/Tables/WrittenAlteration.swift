import MigrationSQL
import ModelDescription
import PersistentStores

/// A table of the source that becomes one of the destination: every row becomes an object of one mapping with its own key,
/// and what the two have in common is carried over as it is.
///
/// Neither these rows nor the indexes on them are made anew. New columns are filled while the source's are still there
/// for every other mapping to read; then entity numbers, names and columns follow the model.
struct WrittenAlteration {
  private(set) var alteration: TableAlteration
  /// The values of the new columns that do not start empty, by the column's name.
  private var values: [String: SQLStatement] = [:]
  let numbers: [Int: Int]
  let rows: Int
  /// True if the pass that fills the new columns also gives the rows what new objects have.
  private(set) var isRenewedAtOnce = false
  /// The columns that go whose place in every row a new column takes, each with the new one.
  private(set) var successions: [(retyping: ColumnRetyping, column: SQLColumn)] = []

  /// Returns nil if the mapping says something else, or when making the table again is cheaper.
  private init?(
    _ destination: SQLTable, _ values: [Int: [(column: String, value: SQLStatement)]], in context: PlanningContext
  ) {
    let makers = context.entities(filling: destination)
    guard let first = makers.first, let source = context.source.table(ofEntity: first.source),
      source.name == destination.name, !source.name.isRespelled(as: destination.name),
      case .hierarchy(let root) = source.content,
      makers.allSatisfy({ $0.association == .kept && $0.sourceTable.name == first.sourceTable.name })
    else { return nil }
    alteration = TableAlteration(of: source, to: destination)
    rows = context.rowCount(ofTable: source.name)
    numbers = Dictionary(
      makers.map { ($0.sourceNumber, $0.destinationNumber) }, uniquingKeysWith: { first, _ in first })
    let sources = Set(makers.map(\.source))
    let counted = context.snapshot.rowCounts[source.name].map { Set($0.keys) } ?? []
    guard sources.count == makers.count, counted.isSubset(of: numbers.keys),
      context.source.hierarchy.family(of: root).allSatisfy({ $0.isAbstract || sources.contains($0.name) })
    else { return nil }
    for column in destination.columns where !column.isOfEveryRow {
      guard take(column, makers, values, in: context) else { return nil }
    }
    for column in source.columns where column.isOfEveryRow { alteration.keep(column.name, as: column) }
    alteration.removeRest()
    let (columns, removals) = (alteration.columns, alteration.removals)
    let unknown = context.unknownColumns(ofTable: source.name)
    let sourceNames = source.columns.map(\.name) + unknown.map(\.name)
    let taken = Set(sourceNames.filter { columns[$0] == nil }.map { $0.lowercased() })
    guard destination.columns.allSatisfy({ !taken.contains($0.name.lowercased()) }),
      alteration.keepsConstraints(in: context),
      !columns.contains(where: { $0.key.isRespelled(as: $0.value) }),
      removals.count <= (removals.isEmpty ? 0 : 1 + survivingIndexes(in: context)),
      (removals.isEmpty && columns.allSatisfy { $0.key == $0.value })
        || context.canDropColumns(of: source.name)
    else { return nil }
    // A new column must find its name free at once, a renamed one only in the end.
    let present = Set(sourceNames.map { $0.lowercased() })
    guard alteration.additions.allSatisfy({ !present.contains($0.name.lowercased()) }) else { return nil }
  }

  /// Each removed column costs one pass over the rows, and each index that is kept saves more than one.
  private func survivingIndexes(in context: PlanningContext) -> Int {
    context.destination.layout.indexes.count { wanted in
      wanted.table == alteration.destination.name
        && context.snapshot.indexes.contains { index in
          index.table == alteration.source.name
            && index.columns.map { alteration.columns[$0] ?? "" } == wanted.columns.map(\.name)
        }
    }
  }

  private mutating func take(
    _ column: SQLColumn, _ makers: [MappedEntity], _ values: [Int: [(column: String, value: SQLStatement)]],
    in context: PlanningContext
  ) -> Bool {
    let given = makers.map { maker in
      (maker, values[maker.position]?.first { $0.column == column.name }?.value.rendered)
    }
    guard let value = given.compactMap({ $0.1 }).first else {
      alteration.add(column)
      return true
    }
    let sourceColumn = alteration.source.columns.first { sourceColumn in
      !sourceColumn.isOfEveryRow && ("\(name: "source").\(name: sourceColumn.name)" as SQLStatement).rendered == value
    }
    guard let sourceColumn, sourceColumn.type == column.type, alteration.columns[sourceColumn.name] == nil else {
      guard makers.count == 1, let maker = makers.first else { return false }
      alteration.add(column)
      self.values[column.name] = values[maker.position]?.first { $0.column == column.name }?.value
      return true
    }
    alteration.keep(sourceColumn.name, as: column)
    return given.allSatisfy { maker, other in
      other == value || (other == nil && !context.source.holds(sourceColumn, for: maker.source))
    }
  }

  /// Finds the tables that stay.
  ///
  /// A table whose links are found and written later does not stay, nor one with attributes that are derived again.
  ///
  /// - Parameter context: what the plan is computed from, no table staying.
  /// - Returns: the tables, in the layout's order.
  static func tables(in context: PlanningContext) throws(MigrationRefusal) -> [WrittenAlteration] {
    guard !context.hasCode else { return [] }
    let links = LinkPlanning(try LinkGathering(context), in: context)
    var values: [Int: [(column: String, value: SQLStatement)]] = [:]
    for entity in context.entities {
      values[entity.position] = try CreateSteps.columns(of: entity, in: context, links: links)
    }
    let linked = Set(
      links.gathered.flatMap { pair, _ in
        [pair.address.entity, context.destination.relationship(pair.address)?.destinationEntityName].compactMap {
          $0.flatMap(context.destination.table(ofEntity:))?.name
        }
      })
    // Steps without a scope may write any table.
    let written = links.steps.scope().map { Set($0.tables) }
    var tables = context.transfers().compactMap { transfer -> WrittenAlteration? in
      let table = transfer.destination
      guard transfer.origins.isEmpty, !linked.contains(table.name),
        let written, !written.contains(table.name.uppercased())
      else { return nil }
      return WrittenAlteration(table, values, in: context)
    }
    // What one table computes may ask for the entities of another's rows, but nothing is computed after the last.
    if let last = tables.lastIndex(where: \.computes), !tables[last].readsItself {
      tables[last].renewAtOnce(in: context)
    }
    return tables
  }

  /// True if a row gets a value from other rows of its table, which the pass may have written already.
  private var readsItself: Bool {
    // The values were written down before it was known that the table keeps its name.
    let names = [alteration.source.name, TemporaryName.source(alteration.source.name)].map { SQLIdentifier($0).quoted }
    return values.values.map(\.rendered).contains { text in
      // After a dot it is a column of that name.
      return names.contains { name in text.ranges(of: name).contains { text[..<$0.lowerBound].last != "." } }
    }
  }

  /// Does as much as possible in one pass over the rows: no later step reads a removed column.
  private mutating func renewAtOnce(in context: PlanningContext) {
    isRenewedAtOnce = true
    var newColumns = alteration.additions.filter { values[$0.name] != nil }
    for column in alteration.removals {
      for (position, newColumn) in newColumns.enumerated() {
        // Under FLOAT large integers would lose digits, and elsewhere a floating-point number its sign when it is zero.
        guard (column.type == .float) == (newColumn.type == .float),
          let retyping = ColumnRetyping(column, of: alteration.source.name, to: newColumn.type, in: context)
        else { continue }
        successions.append((retyping, newColumn))
        newColumns.remove(at: position)
        break
      }
    }
    for succession in successions { alteration.withdrawRemoval(of: succession.retyping.column) }
  }

  /// The name that a new column has while the rows are written.
  func place(of column: String) -> String {
    successions.first { $0.column.name == column }?.retyping.column.name ?? column
  }

  /// True if some new column does not start empty.
  private var computes: Bool { !values.isEmpty }

  /// True for a new column that does not start empty.
  func computes(_ column: SQLColumn) -> Bool { values[column.name] != nil }
}

extension SQLColumn {
  /// True for what every row has, whatever its entity.
  fileprivate var isOfEveryRow: Bool {
    switch role {
    case .primaryKey, .entityNumber, .optimisticLock: true
    default: false
    }
  }
}
