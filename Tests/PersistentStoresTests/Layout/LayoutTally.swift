import Foundation
import PersistentStores

/// How much of the stores a layout predicts, and why what it misses is missed.
struct LayoutTally {
  /// The reasons a store of Core Data's may differ from the layout of its model.
  enum Exception: String, CaseIterable {
    case guessedSelfJoin = "self-join under its other name, where the two orders disagree"
    case appendedColumns = "columns appended by a migration"
    case orderColumns = "order of Z_FOK columns in a store that was migrated"
    case earlyFramework = "order of columns of a block in iOS 6, OS X 10.8 and earlier"
    case staleIndex = "index left by a migration"
    case formerEntityName = "former name of a renamed entity"
    case appIndex = "index the app made"
  }

  private(set) var stores = 0
  private(set) var unexplained: [String] = []
  private var matches: [String: (matched: Int, total: Int)] = [:]
  private var exceptions: [Exception: Int] = [:]

  mutating func count(_ store: LayoutCorpusStore, _ layout: SQLStoreLayout, _ bound: BoundLayout) {
    stores += 1
    countNumbers(store, layout, bound)
    countTables(store, layout, bound)
    countIndexes(store, bound)
    if store.isFresh, store.frameworkVersion >= 866 { countStatements(store, bound.layout) }
  }

  private mutating func countStatements(_ store: LayoutCorpusStore, _ layout: SQLStoreLayout) {
    let tables = store.snapshot.tables.map(\.sql)
    for table in layout.tables { record("CREATE TABLE of fresh stores", tables.contains(table.createStatement)) }
    let indexes = store.snapshot.indexes.compactMap(\.sql)
    for index in layout.indexes {
      record("CREATE INDEX of fresh stores", indexes.contains(index.createStatement))
    }
    let triggers = store.snapshot.triggers.map(\.sql)
    for trigger in layout.triggers {
      record("CREATE TRIGGER of fresh stores", triggers.contains(trigger.sql))
      if !triggers.contains(trigger.sql) { unexplained.append("\(store.name): \(trigger.sql)") }
    }
  }

  private mutating func countNumbers(_ store: LayoutCorpusStore, _ layout: SQLStoreLayout, _ bound: BoundLayout) {
    let rows = store.snapshot.entityRows.filter { !$0.isService }
    for entity in layout.entityNumbers {
      let isMatch = rows.contains {
        $0.name == entity.name && $0.number == entity.number && $0.superentityNumber == entity.superentityNumber
      }
      record("Z_PRIMARYKEY rows", isMatch)
      if bound.deviations.contains(where: { if case .entityName(entity.name, _) = $0 { true } else { false } }) {
        note(.formerEntityName)
      } else if !isMatch {
        unexplained.append("\(store.name): number of \(entity.name)")
      }
    }
    if rows.count != layout.entityNumbers.count { unexplained.append("\(store.name): \(rows.count) entities") }
  }

  private mutating func countTables(_ store: LayoutCorpusStore, _ layout: SQLStoreLayout, _ bound: BoundLayout) {
    let actual = Dictionary(uniqueKeysWithValues: store.snapshot.tables.map { ($0.name, $0) })
    for deviation in bound.deviations {
      switch deviation {
      case .joinTableName(let expected, _)
      where layout.selfJoins.contains { $0.table == expected && $0.evidence == .guess }:
        note(.guessedSelfJoin)
      case .missingIndex, .indexName, .entityName: break
      default: unexplained.append("\(store.name): \(deviation)")
      }
    }
    for table in layout.tables {
      record("tables", actual[table.name] != nil)
      for column in table.columns {
        let isMatch = actual[table.name]?.columns.contains {
          $0.name == column.name && $0.type == column.type.valueType
        }
        record("columns", isMatch ?? false)
      }
    }
    for join in layout.selfJoins {
      let kind = join.evidence == .guess ? "self-joins by the guess" : "self-joins by both orders"
      record(kind, actual[join.table] != nil)
      if join.evidence != .guess, actual[join.table] == nil { unexplained.append("\(store.name): \(join.table)") }
    }
    let selfJoins = Set(layout.selfJoins.map(\.table))
    for table in layout.tables where table.isJoin && !selfJoins.contains(table.name) {
      let columns = actual[table.name].map { Set($0.columns.map(\.name)) }
      record("join tables of two entities, and of one relationship", columns == Set(table.columns.map(\.name)))
    }
    for table in bound.layout.tables {
      guard let found = actual[table.name] else { continue }
      countOrder(of: table, found, in: store, bound)
    }
  }

  private mutating func countOrder(
    of table: SQLTable, _ found: StoreSnapshot.Table, in store: LayoutCorpusStore, _ bound: BoundLayout
  ) {
    let expected = table.columns.map { "\($0.name) \($0.type.valueType)" }
    let actual = found.columns.map { "\($0.name) \($0.type)" }
    record("column sets", Set(expected) == Set(actual))
    record("column orders", expected == actual)
    if store.isFresh { record("column orders of fresh stores", expected == actual) }
    let orders = { (columns: [String]) in columns.filter { $0.hasPrefix("Z_FOK_") } }
    if store.isFresh, orders(expected).count > 1, !table.isJoin {
      record("orders of Z_FOK columns in fresh stores", orders(expected) == orders(actual))
    }
    guard expected != actual else { return }
    let withoutOrders = { (columns: [String]) in columns.filter { !$0.hasPrefix("Z_FOK_") } }
    if Set(expected) != Set(actual) {
      unexplained.append(
        "\(store.name): columns of \(table.name): \(Set(expected).symmetricDifference(actual).sorted())")
    } else if withoutOrders(expected) == withoutOrders(actual), !store.isFresh {
      note(.orderColumns)
    } else if table.isJoin, !store.isFresh {
      // Core Data renamed the table in place and left its columns as they were.
    } else if found.sql.contains(" , Z")
      || found.sql.range(of: "[A-Z], *Z[A-Z_0-9]+ [A-Z]+\\)$", options: .regularExpression) != nil
    {
      note(.appendedColumns)
    } else if store.frameworkVersion < 500 {
      note(.earlyFramework)
    } else {
      unexplained.append("\(store.name): column order of \(table.name)\n   \(expected)\n   \(actual)")
    }
  }

  private mutating func countIndexes(_ store: LayoutCorpusStore, _ bound: BoundLayout) {
    let missing = bound.deviations.filter { if case .missingIndex = $0 { true } else { false } }
    for _ in bound.layout.indexes { record("indexes", true) }
    for difference in missing {
      record("indexes", false)
      unexplained.append("\(store.name): \(difference)")
    }
    for difference in bound.layout.differences(from: store.snapshot) {
      switch difference {
      case .extraIndex(let name, let table, _):
        if !name.hasPrefix("Z") {
          note(.appIndex)
        } else if !store.isFresh {
          note(.staleIndex)
        } else {
          unexplained.append("\(store.name): extra \(name) on \(table)")
        }
      case .missingTrigger, .extraTrigger: unexplained.append("\(store.name): \(difference)")
      default: break
      }
    }
  }

  private mutating func record(_ kind: String, _ isMatch: Bool) {
    matches[kind, default: (0, 0)].total += 1
    if isMatch { matches[kind, default: (0, 0)].matched += 1 }
  }

  private mutating func note(_ exception: Exception) { exceptions[exception, default: 0] += 1 }

  /// How many of a kind a store holds otherwise than predicted.
  func misses(_ kind: String) -> Int { matches[kind].map { $0.total - $0.matched } ?? 0 }

  /// How often an exception occurred.
  func occurrences(of exception: Exception) -> Int { exceptions[exception] ?? 0 }

  /// One line a kind, one line an exception.
  var summary: String {
    var lines = ["layouts of \(stores) stores:"]
    lines += matches.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value.matched)/\($0.value.total)" }
    lines += Exception.allCases.map { "  exception: \($0.rawValue): \(exceptions[$0] ?? 0)" }
    return lines.joined(separator: "\n")
  }
}

extension SQLTable {
  /// True for a join table.
  fileprivate var isJoin: Bool { if case .join = content { true } else { false } }
}
