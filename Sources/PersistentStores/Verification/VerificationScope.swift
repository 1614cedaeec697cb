/// The parts of a store's rows that may have changed, so that the other parts are not verified again.
package struct VerificationScope: Hashable, Sendable {
  /// The changed part of a table.
  package enum Extent: Hashable, Sendable {
    /// Rows came or went, or any of their values changed.
    case rows
    /// The rows, their keys and their values in all other columns are unchanged.
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

  /// True if rows of a table were added or removed, or values in one of these columns changed.
  package func holds(_ table: String, _ columns: Set<String>) -> Bool {
    switch extents[table.uppercased()] {
    case .rows: true
    case .columns(let changed): columns.contains { changed.contains($0.uppercased()) }
    case nil: false
    }
  }

  /// Excludes the references of a column from the check for dangling links, because the last statement already checked
  /// them.
  package mutating func excuse(_ column: String, of table: String) {
    excused.insert([table.uppercased(), column.uppercased()])
  }

  /// True for references that need no other check and are excluded.
  func excuses(_ reference: ReferenceChecks, of table: String) -> Bool {
    reference.targetColumns.isEmpty && excused.contains([table.uppercased(), reference.column.uppercased()])
  }

  /// The tables with anything new, in upper case.
  package var tables: [String] { extents.keys.sorted() }

  /// True if rows of a table were added or removed, or got another entity.
  package func countsChange(in table: String) -> Bool { holds(table, ["Z_ENT"]) }
}

extension TableChecks {
  /// The checks whose result may have changed.
  ///
  /// A reference is checked if its own column or the rows it points to changed; unchanged keys cannot become dangling.
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
