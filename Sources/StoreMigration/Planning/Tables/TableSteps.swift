import MigrationSQL
import ModelDescription
import PersistentStores

/// Writes the steps that drop, rename, alter, copy and make tables.
struct TableSteps {
  let context: PlanningContext
  let fates: TableFates
  /// The name under which every table of the store is found at this point of the plan.
  private var names: [String: String] = [:]
  private var steps: [PlanStep] = []

  static func steps(for fates: TableFates, in context: PlanningContext) -> [PlanStep] {
    var writer = TableSteps(context: context, fates: fates)
    writer.write()
    return writer.steps
  }

  private init(context: PlanningContext, fates: TableFates) {
    (self.context, self.fates) = (context, fates)
    for table in context.snapshot.tables { names[table.name] = table.name }
  }

  /// Columns and tables get their names while every table is there that a view or trigger of the app may read: SQLite
  /// has these follow the names, and refuses to rename anything while one of them reads what is not there.
  private mutating func write() {
    let kept = fates.names
    let feeding = Set(fates.copies.flatMap { $0.feeders.map(\.table.name) })
    for alteration in fates.alterations { reshape(alteration) }
    stepAside(kept: kept)
    let waiting = kept.sorted { $0.key < $1.key }.filter { from, to in
      guard names.contains(where: { $0.key != from && $0.value.lowercased() == to.name.lowercased() }) else {
        rename(from, to: to.name)
        return false
      }
      return true
    }
    let removed = fates.dropped.filter { !feeding.contains($0.name) }
    for table in removed { drop(table) }
    let copied = inTheWay(kept).filter(feeding.contains)
    let blocked = Set(copied.map { $0.lowercased() })
    let renames = waiting.map { (from: $0.key, to: $0.value.name) }
    pass(renames.filter { !blocked.contains($0.to.lowercased()) }, missing: removed.map(\.name))
    makeRoom(copied)
    pass(renames.filter { blocked.contains($0.to.lowercased()) }, missing: removed.map(\.name) + copied)
    for alteration in fates.alterations { fill(alteration) }
    for copy in fates.copies { self.copy(copy) }
    for name in feeding.sorted() { drop(name, cause: .copiedTableGoes, about: family(ofSource: name)) }
    for table in fates.made {
      steps.append(PlanStep(table.creation, cause: .joinTableMade).about(context.subject(of: table.content)))
    }
  }

  private mutating func drop(_ table: SQLTable) {
    switch table.content {
    case .hierarchy(let root): drop(table.name, cause: .entityRemoved(root), about: [.entity(root)])
    case .join(let address):
      drop(table.name, cause: .joinTableGoes(address), about: context.subject(ofLinks: address))
    }
  }

  private func family(ofSource table: String) -> Set<ModelElement> {
    let root = context.source.layout.tables.first { $0.name == table }?.rootName
    return root.map { context.subject(ofFamily: $0, in: context.source.hierarchy) } ?? []
  }

  /// The source tables whose names others are to get, in the layout's order.
  private func inTheWay(_ kept: [String: (name: String, columns: [String: String])]) -> [String] {
    var wanted = Set(fates.copies.map { $0.destination.name.lowercased() })
    wanted.formUnion(fates.made.map { $0.name.lowercased() })
    for (from, to) in kept where from != to.name { wanted.insert(to.name.lowercased()) }
    return context.source.layout.tables.map(\.name).filter { name in
      names[name] != nil && wanted.contains(name.lowercased())
    }
  }

  /// Renames kept tables temporarily if other tables need their names.
  private mutating func stepAside(kept: [String: (name: String, columns: [String: String])]) {
    for name in inTheWay(kept) where kept[name].map({ $0.name != name }) ?? false {
      rename(name, to: TemporaryName.source(name), cause: .tableGivesWay)
    }
  }

  /// Renames tables that are copied.
  private mutating func makeRoom(_ copied: [String]) {
    guard !copied.isEmpty else { return }
    keepingReaders { steps in
      for name in copied { steps.rename(name, to: TemporaryName.source(name), cause: .tableGivesWay) }
    }
  }

  /// Gives names that are free now to the tables that waited for them.
  ///
  /// Views and triggers follow, unless one of them reads what is not there: then SQLite would rename nothing at all.
  private mutating func pass(_ renames: [(from: String, to: String)], missing: [String]) {
    guard !renames.isEmpty else { return }
    guard missing.contains(where: isNamed) else {
      for (from, to) in renames { rename(from, to: to) }
      return
    }
    keepingReaders { steps in for (from, to) in renames { steps.rename(from, to: to) } }
  }

  private mutating func keepingReaders(_ write: (inout TableSteps) -> Void) {
    steps.append(PlanStep("PRAGMA legacy_alter_table = ON", cause: .readersFollowNames))
    write(&self)
    steps.append(PlanStep("PRAGMA legacy_alter_table = OFF", cause: .readersFollowNames))
  }

  /// True if a view or trigger of the app that is there has the name of a table in it.
  private func isNamed(_ table: String) -> Bool {
    let views = context.snapshot.views.filter { $0.error == nil }.map(\.sql)
    let triggers = context.snapshot.triggers.filter { trigger in
      !context.isCoreDataTrigger(trigger.name) && (names[trigger.table] != nil || names[table] != nil)
    }
    let name = table.lowercased()
    let isWord = name.allSatisfy(Self.isOfWord)
    return (views + triggers.map(\.sql)).contains { sql in
      let text = sql.lowercased()
      return isWord ? text.split { !Self.isOfWord($0) }.contains { $0 == name } : text.contains(name)
    }
  }

  private static func isOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
  }

  private mutating func rename(_ table: String, to name: String, cause: PlanCause = .tableRenamed) {
    guard let current = names[table], current != name else { return }
    let step = PlanStep("ALTER TABLE \(name: current) RENAME TO \(name: name)", cause: cause)
    let content = context.source.layout.tables.first { $0.name == table }?.content
    steps.append(cause == .tableRenamed ? step.about(context.subject(of: content)) : step)
    names[table] = name
  }

  private mutating func drop(_ table: String, cause: PlanCause, about subject: Set<ModelElement>) {
    guard let current = names.removeValue(forKey: table) else { return }
    steps.append(PlanStep(dropping: table, named: current, cause: cause, in: context).about(subject))
  }

  /// Takes columns away and gives the others their names and types, under the table's old name.
  private mutating func reshape(_ alteration: TableAlteration) {
    let table = alteration.source.name
    for column in alteration.removals {
      steps.append(
        PlanStep(
          "ALTER TABLE \(name: table) DROP COLUMN \(name: column.name)", cause: .columnRemoved(column.role),
          rows: context.rowCount(ofTable: alteration.source.name), writing: .columns([], of: table)
        ).about(context.subject(of: column.role)))
    }
    steps += ColumnRetyping.steps(alteration.retypings, of: table, in: context)
    var renames = alteration.columns
    for (position, retyping) in alteration.retypings.enumerated() {
      let (aside, name) = (TemporaryName.retyped(position), retyping.column.name)
      let newName = renames.removeValue(forKey: name)
      guard newName == name else {
        renames[aside] = newName
        continue
      }
      steps.append(
        PlanStep(
          "ALTER TABLE \(name: table) RENAME COLUMN \(name: aside) TO \(name: name)",
          cause: .columnNameReturns
        ).about(context.subject(of: retyping.column.role)))
    }
    let roles = Dictionary(
      alteration.source.columns.map { ($0.name, $0.role) }, uniquingKeysWith: { first, _ in first })
    renameColumns(of: table, renames) { [context] name in
      if case .join = alteration.source.content { return (.entitiesRenumbered, context.renumberedEntities) }
      let position = alteration.retypings.indices.first { TemporaryName.retyped($0) == name }
      let role = position.map { alteration.retypings[$0].column.role } ?? roles[name]
      return (.columnRenamed, context.subject(of: role))
    }
  }

  /// Adds columns and writes values, under the table's new name.
  private mutating func fill(_ alteration: TableAlteration) {
    let table = alteration.destination.name
    for column in alteration.additions {
      steps.append(
        PlanStep(
          "ALTER TABLE \(name: table) ADD COLUMN \(name: column.name) \(SQLStatement(verbatim: column.type.rawValue))",
          cause: .columnAdded(column.role)
        ).about(context.subject(of: column.role)))
    }
    update(table, alteration)
  }

  private mutating func update(_ table: String, _ alteration: TableAlteration) {
    guard !alteration.assignments.isEmpty else { return }
    let conditions = alteration.assignments.map(\.condition)
    var assignments: [SQLStatement] = []
    for assignment in alteration.assignments {
      let column: SQLStatement = "\(name: assignment.column.name)"
      let value: SQLStatement =
        if let scope = assignment.scope, conditions.count > 1 {
          "CASE WHEN \(scope) THEN \(assignment.value) ELSE \(column) END"
        } else {
          assignment.value
        }
      assignments.append("\(column) = \(value)")
    }
    let condition: SQLStatement =
      conditions.contains(nil) ? "" : " WHERE \(conditions.compactMap { $0 }.map { "(\($0))" }.joined(" OR "))"
    steps.append(
      PlanStep(
        "UPDATE \(name: table) SET \(assignments.joined())\(condition)",
        cause: .values(alteration.assignments.map(\.reason)),
        rows: context.rowCount(ofTable: alteration.source.name),
        writing: .columns(alteration.assignments.map(\.column.name), of: table)
      ).about(
        alteration.assignments.reduce(into: []) { subject, assignment in
          let isOfNumbers = assignment.reason == .entitiesRenumbered
          subject.formUnion(isOfNumbers ? context.renumberedEntities : context.subject(of: assignment.column.role))
        }))
  }

  private mutating func renameColumns(
    of table: String, _ renames: [String: String], reason: (_ column: String) -> (PlanCause, Set<ModelElement>)
  ) {
    var changes = renames.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
    let reasons = changes.map { reason($0.key) }
    func rename(_ column: String, to name: String, _ reason: (cause: PlanCause, subject: Set<ModelElement>)) {
      let step = PlanStep(
        "ALTER TABLE \(name: table) RENAME COLUMN \(name: column) TO \(name: name)", cause: reason.cause)
      steps.append(step.about(reason.subject))
    }
    let wanted = Set(changes.map { $0.value.lowercased() })
    for (position, change) in changes.enumerated() where wanted.contains(change.key.lowercased()) {
      let aside = TemporaryName.column(position)
      rename(change.key, to: aside, reasons[position])
      changes[position].key = aside
    }
    for (change, reason) in zip(changes, reasons) { rename(change.key, to: change.value, reason) }
  }

  private mutating func copy(_ transfer: TableTransfer) {
    let table = transfer.destination
    let root = table.rootName
    let (cause, subject): (PlanCause, Set<ModelElement>) =
      transfer.feeders.isEmpty
      ? (.entityAdded(root), [.entity(root)])
      : (.rowsCopied(root: root), context.subject(ofFamily: root, in: context.destination.hierarchy))
    steps.append(PlanStep(table.creation, cause: cause).about(subject))
    let extras = context.extraColumns(of: transfer)
    for (name, type) in extras {
      steps.append(
        PlanStep("ALTER TABLE \(name: table.name) ADD COLUMN \(name: name) \(type)", cause: .columnOfAppKept(name)))
    }
    for feeder in transfer.feeders {
      let numbers = feeder.entities.map(\.sourceNumber)
      let rows = numbers.reduce(0) { $0 + (context.snapshot.rowCounts[feeder.table.name]?[$1] ?? 0) }
      let present = Set(context.unknownColumns(ofTable: feeder.table.name).map(\.name))
      let values =
        table.columns.map { transfer.expression(of: $0, from: feeder) }
        + extras.map { present.contains($0.name) ? "\(name: $0.name)" : "NULL" }
      let columns = table.columns.map(\.name) + extras.map(\.name)
      steps.append(
        PlanStep(
          """
          INSERT INTO \(name: table.name) (\(.names(columns))) SELECT \(values.joined()) \
          FROM \(name: names[feeder.table.name] ?? feeder.table.name) WHERE \(name: "Z_ENT") IN (\(.list(numbers)))
          """, cause: cause, rows: rows, writing: .rows(of: table.name)
        ).about(subject))
    }
  }
}

extension SQLTable {
  /// The `CREATE TABLE` statement as a step runs it.
  var creation: SQLStatement { SQLStatement(verbatim: createStatement) }

  /// The root entity whose rows the table holds, or the entity that names a join table.
  fileprivate var rootName: String {
    switch content {
    case .hierarchy(let root): root
    case .join(let address): address.entity
    }
  }
}
