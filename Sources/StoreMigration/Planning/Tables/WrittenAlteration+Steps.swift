import MigrationSQL
import PersistentStores

extension WrittenAlteration {
  /// Fills the new columns, while all columns of the source are still there.
  ///
  /// - Parameter context: what the plan is computed from, with the tables that stay.
  func computing(_ links: LinkPlanning, in context: PlanningContext) throws(MigrationRefusal) -> [PlanStep] {
    var steps = alteration.additions.filter { place(of: $0.name) == $0.name }.map { column in
      PlanStep(
        "ALTER TABLE \(name: alteration.source.name) ADD COLUMN \(name: column.name) \(SQLStatement(verbatim: column.type.rawValue))",
        cause: .columnOfNameAdded(column.name)
      ).about(context.subject(of: column.role))
    }
    let computed = Set(alteration.additions.filter(computes).map(\.name))
    guard !computed.isEmpty, let maker = context.entities(filling: alteration.destination).first else { return steps }
    let values = try CreateSteps.columns(of: maker, in: context, links: links).filter { computed.contains($0.column) }
    var assignments = values.map { "\(name: place(of: $0.column)) = \($0.value)" as SQLStatement }
    var written = values.map(\.column)
    if isRenewedAtOnce {
      assignments += renewal
      written += renewedColumns
    }
    steps.append(
      PlanStep(
        """
        UPDATE \(name: alteration.source.name) AS \(name: "source") SET \(assignments.joined()) WHERE \(context.isOwn(maker))
        """, cause: .mapped(maker.step), rows: rows, writing: .columns(written, of: alteration.source.name)
      ).about(context.subject(of: maker)))
    return steps
  }

  /// The entity numbers that become others.
  private var changedNumbers: [Int: Int] { numbers.filter { $0.key != $0.value } }

  /// The changes that make a row a new object of its entity in the destination.
  private var renewal: [SQLStatement] {
    let number: SQLStatement = "\(name: "Z_ENT")"
    let version: SQLStatement = "\(name: "Z_OPT") = \(.number(1))"
    return changedNumbers.isEmpty ? [version] : ["\(number) = \(ColumnOrigin.renumbered(number, numbers))", version]
  }

  private var renewedColumns: [String] { changedNumbers.isEmpty ? ["Z_OPT"] : ["Z_ENT", "Z_OPT"] }

  /// The remaining steps when all objects exist.
  func steps(in context: PlanningContext) -> [PlanStep] {
    let renames = alteration.columns.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
    let names = renames.map { $0.value }
    let roles = names.map { name in alteration.destination.columns.first { $0.name == name }?.role }
    let table: SQLStatement = "\(name: alteration.destination.name)"
    func rename(_ column: String, to name: String, of role: SQLColumn.Role?) -> PlanStep {
      PlanStep("ALTER TABLE \(table) RENAME COLUMN \(name: column) TO \(name: name)", cause: .columnRenamed)
        .about(context.subject(of: role))
    }
    return (isRenewedAtOnce ? [] : [renewing]) + removing(in: context) + succeeding(in: context)
      + renames.enumerated().map { rename($0.element.key, to: TemporaryName.column($0.offset), of: roles[$0.offset]) }
      + names.enumerated().map { rename(TemporaryName.column($0.offset), to: $0.element, of: roles[$0.offset]) }
  }

  private var renewing: PlanStep {
    let isRenumbered: SQLStatement =
      changedNumbers.isEmpty ? "" : "\(name: "Z_ENT") IN (\(.list(changedNumbers.keys))) OR "
    return PlanStep(
      """
      UPDATE \(name: alteration.destination.name) SET \(renewal.joined()) \
      WHERE \(isRenumbered)\(name: "Z_OPT") IS NOT \(.number(1))
      """, cause: .objectsCarriedOver(table: alteration.destination.name),
      rows: rows, writing: .columns(renewedColumns, of: alteration.destination.name))
  }

  /// Gives the columns that are filled again the names and types of the new ones.
  private func succeeding(in context: PlanningContext) -> [PlanStep] {
    ColumnRetyping.steps(successions.map(\.retyping), of: alteration.destination.name, in: context)
      + successions.enumerated().map { position, succession in
        PlanStep(
          """
          ALTER TABLE \(name: alteration.destination.name) RENAME COLUMN \(name: TemporaryName.retyped(position)) \
          TO \(name: succession.column.name)
          """, cause: .columnTakesPlace(of: succession.retyping.column.name, succession.column.name)
        ).about(context.subject(of: succession.retyping.column.role).union(context.subject(of: succession.column.role)))
      }
  }

  private func removing(in context: PlanningContext) -> [PlanStep] {
    alteration.removals.map { column in
      PlanStep(
        "ALTER TABLE \(name: alteration.source.name) DROP COLUMN \(name: column.name)",
        cause: .columnOfNameRemoved(column.name), rows: rows, writing: .columns([], of: alteration.source.name)
      ).about(context.subject(of: column.role))
    }
  }
}
