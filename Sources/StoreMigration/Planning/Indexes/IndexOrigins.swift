import MigrationSQL
import PersistentStores

/// Who made each index of a store, by its purpose in the source's layout or by the form of its name, and what it is in the
/// destination.
struct IndexOrigins {
  /// A table that stays: its new name and the new names of its columns.
  typealias KeptTable = (name: String, columns: [String: String])

  private let predicted: Set<IndexForm>
  /// What the source's model says of the indexes that the store has, by their names.
  private let definitions: [String: IndexForm]
  private let entities: Set<Substring>
  /// The upper-cased names that tables which stay, and their columns, have in the destination.
  private let names: [String: KeptTable]
  /// The upper-cased names of the columns that go.
  private let gone: [String: Set<String>]

  /// Looks at the indexes of a store.
  ///
  /// - Parameters:
  ///   - context: what the plan is computed from.
  ///   - kept: the tables that stay.
  ///   - copies: the columns of the tables that are made anew.
  init(_ context: PlanningContext, kept: [String: KeptTable], copies: [String: Set<String>]) {
    names = kept.mapValues { table in
      let columns = table.columns.map { ($0.key.uppercased(), $0.value.uppercased()) }
      return (table.name.uppercased(), Dictionary(columns, uniquingKeysWith: { first, _ in first }))
    }
    gone = Dictionary(
      context.source.layout.tables.compactMap { table in
        kept[table.name].map { kept in
          (table.name, Set(table.columns.filter { kept.columns[$0.name] == nil }.map { $0.name.uppercased() }))
        }
      }
        + context.snapshot.tables.compactMap { table in
          copies[table.name].map { columns in
            (table.name, Set(table.columns.filter { !columns.contains($0.name) }.map { $0.name.uppercased() }))
          }
        }, uniquingKeysWith: { first, _ in first })
    let indexes = context.source.layout.indexes
    predicted = Set(indexes.map { IndexForm($0) })
    definitions = Dictionary(indexes.map { ($0.name, IndexForm($0)) }, uniquingKeysWith: { first, _ in first })
    entities = Set(
      (context.source.layout.entityNumbers + context.destination.layout.entityNumbers).map { Substring($0.name) })
  }

  /// The form of a store's index, with the source model's condition where its own is not understood.
  func form(of index: StoreSnapshot.Index) -> IndexForm? {
    guard var form = IndexForm(index) else { return nil }
    if form.rows == .unreadable, let known = definitions[index.name] { form.rows = known.rows }
    return form
  }

  /// The form of a store's index in the destination; nil for one that no model asks for, and when a column goes.
  func newForm(of index: StoreSnapshot.Index) -> IndexForm? {
    guard var form = form(of: index), let table = names[index.table] else { return nil }
    let columns = form.columns.compactMap { table.columns[$0] }
    guard columns.count == form.columns.count else { return nil }
    form.table = table.name
    form.columns = columns
    if case .condition(let condition) = form.rows {
      guard let renamed = condition.renamed({ table.columns[$0] }) else { return nil }
      form.rows = .condition(renamed)
    }
    return form
  }

  /// True when no column goes that an index speaks of, in an expression or a condition too.
  func keepsColumns(of index: StoreSnapshot.Index) -> Bool {
    guard let sql = index.sql, let gone = gone[index.table], !gone.isEmpty else { return true }
    return !sql.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }
      .contains { gone.contains(String($0)) }
  }

  /// True for an index that Core Data made.
  func isCoreDatas(_ index: StoreSnapshot.Index) -> Bool {
    if let form = form(of: index), predicted.contains(form) { return true }
    if index.name.hasPrefix("Z"), index.name.hasSuffix("_INDEX") { return true }
    if index.name.hasPrefix(index.table + "_") { return true }
    guard index.name.hasPrefix("Z_") else { return false }
    let rest = index.name.dropFirst(2)
    return rest.indices.contains { rest[$0] == "_" && entities.contains(rest[..<$0]) }
  }
}
