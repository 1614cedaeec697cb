import MappingModels
import MigrationSQL
import PersistentStores

/// A column that gets another declared type in the schema alone, because SQLite keeps its values alike under both.
///
/// A column of numbers holds integers and floating-point numbers whatever its type; a column of type FLOAT gives the
/// integers in it as floating-point numbers, and is itself written with integers where they are shorter
/// (sqlite.org/datatype3.html, section 3; sqlite.org/fileformat2.html, section 2.1).
struct ColumnRetyping {
  let column: SQLColumn
  let type: SQLColumn.DeclaredType

  /// Returns nil for types whose values are kept differently, and for a column that something else than its own
  /// definition speaks of.
  init?(_ column: SQLColumn, of table: String, to type: SQLColumn.DeclaredType, in context: PlanningContext) {
    (self.column, self.type) = (column, type)
    guard Self.numbers.contains(column.type), Self.numbers.contains(type), context.canDropColumns(of: table),
      context.snapshot.isPlainlyDeclared(column, in: table),
      context.snapshot.indexes.allSatisfy({ $0.table != table || $0.leaves(column.name) })
    else { return nil }
  }

  private static let numbers: Set<SQLColumn.DeclaredType> = [.integer, .float, .timestamp, .decimal]

  /// True for a conversion whose result the column gives anyway under its new type.
  ///
  /// The other way, a number without a fraction would stay a floating-point number where an integer is expected.
  func makesIdle(_ conversion: ColumnOrigin.Conversion) -> Bool {
    guard case .attribute(.convert(let from, let to)) = conversion, column.type != .float, type != .integer else {
      return false
    }
    return [.real, .single, .numeric].contains(ValueConversion(from: from, to: to))
  }

  /// The steps that give columns of a table new types, which leave them with names of their own.
  static func steps(_ retypings: [ColumnRetyping], of table: String, in context: PlanningContext) -> [PlanStep] {
    guard !retypings.isEmpty else { return [] }
    let subjects = retypings.map { context.subject(of: $0.column.role) }
    let renames = retypings.enumerated().map { position, retyping in
      let name = TemporaryName.retyped(position)
      return PlanStep(
        "ALTER TABLE \(name: table) RENAME COLUMN \(name: retyping.column.name) TO \(name: name)",
        cause: .columnRetyped
      ).about(subjects[position])
    }
    let text = retypings.enumerated().reduce("sql" as SQLStatement) { text, next in
      let name = SQLIdentifier(TemporaryName.retyped(next.offset)).quoted
      let (old, new) = ("\(name) \(next.element.column.type.rawValue)", "\(name) \(next.element.type.rawValue)")
      return "replace(\(text), \(.text(old)), \(.text(new)))"
    }
    let statements: [SQLStatement] = [
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_master SET sql = \(text) WHERE type = 'table' AND name = \(.text(table))",
      "PRAGMA writable_schema = RESET",
    ]
    let subject = Set(subjects.joined())
    return renames + statements.map { PlanStep($0, cause: .columnRetyped).about(subject) }
  }
}

extension StoreSnapshot {
  /// True if the table's statement declares a column by its name and type alone, with one space between, and speaks of
  /// it nowhere else.
  fileprivate func isPlainlyDeclared(_ column: SQLColumn, in table: String) -> Bool {
    guard let sql = tables.first(where: { $0.name == table })?.sql else { return false }
    guard sql.countOfWord(column.name) == 1 else { return false }
    let definitions = sql.split(whereSeparator: { "(),".contains($0) }).map { $0.trimmingPrefix(while: \.isWhitespace) }
    let names = [column.name, SQLIdentifier(column.name).quoted]
    return definitions.contains { definition in
      names.contains { name in
        definition.hasPrefix("\(name) \(column.type.rawValue)")
          && definition.dropFirst(name.count + 1 + column.type.rawValue.count).allSatisfy(\.isWhitespace)
      }
    }
  }
}

extension StoreSnapshot.Index {
  fileprivate func leaves(_ column: String) -> Bool {
    columns.allSatisfy { !$0.isEmpty && $0.lowercased() != column.lowercased() }
  }
}

extension String {
  /// Counts a word in a text, regardless of its case, and not as a part of a longer word.
  fileprivate func countOfWord(_ word: String) -> Int {
    let text = lowercased()
    return text.ranges(of: word.lowercased()).count { range in
      let neighbours = [text[..<range.lowerBound].last, text[range.upperBound...].first].compactMap { $0 }
      return neighbours.allSatisfy { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }
    }
  }
}
