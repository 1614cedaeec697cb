/// What of a store's rows may be another than before, so that the rest need not be looked at again.
package struct VerificationScope: Hashable, Sendable {
  /// What is new in a table.
  package enum Extent: Hashable, Sendable {
    /// Rows came or went, or any of their values changed.
    case rows
    /// The rows and their keys stay, and so do their values in all other columns.
    case columns(Set<String>)
  }

  private var extents: [String: Extent] = [:]
  private var excused: Set<[String]> = []

  package init() {}

  package mutating func add(_ table: String, _ extent: Extent) {
    switch (extents[table.uppercased()], extent) {
    case (.rows, _), (_, .rows): extents[table.uppercased()] = .rows
    case (.columns(let known), .columns(let more)):
      extents[table.uppercased()] = .columns(known.union(more.map { $0.uppercased() }))
    case (nil, .columns(let columns)): extents[table.uppercased()] = .columns(Set(columns.map { $0.uppercased() }))
    }
  }

  /// True when a table has rows that came or went, or values that changed in one of some columns.
  package func holds(_ table: String, _ columns: Set<String>) -> Bool {
    switch extents[table.uppercased()] {
    case .rows: true
    case .columns(let changed): columns.contains { changed.contains($0.uppercased()) }
    case nil: false
    }
  }

  /// Leaves out whether the references of a column lead to rows, because the last statement on them has asked just that.
  package mutating func excuse(_ column: String, of table: String) {
    excused.insert([table.uppercased(), column.uppercased()])
  }

  /// True for references of which nothing but that is asked and that are left out.
  func excuses(_ reference: ReferenceChecks, of table: String) -> Bool {
    reference.targetColumns.isEmpty && excused.contains([table.uppercased(), reference.column.uppercased()])
  }

  /// The tables with anything new, in upper case.
  package var tables: [String] { extents.keys.sorted() }

  /// True when rows of a table came or went, or belong to another entity.
  package func countsChange(in table: String) -> Bool { holds(table, ["Z_ENT"]) }
}

extension TableChecks {
  /// The checks whose answer may be another than before.
  ///
  /// A reference is asked about when its own column or the rows it leads to changed; keys that stay cannot leave it
  /// dangling.
  func within(_ scope: VerificationScope) -> TableChecks {
    var checks = self
    checks.checks = self.checks.filter { scope.holds(table, $0.columns) }
    checks.references = references.filter { reference in
      let own = Set([reference.column, reference.companion].compactMap { $0 })
      return !scope.excuses(reference, of: table)
        && (scope.holds(table, own) || scope.holds(reference.target, reference.targetColumns))
    }
    return checks
  }
}
