import Foundation
import PersistentStores

/// How many names in migrated stores are those that Core Data gives.
struct NamesTally: Sendable {
  /// The evidence for a self-join's name, the most certain first.
  enum Evidence: String, CaseIterable, Sendable {
    case reference = "(a) reference"
    case store = "(b) store"
    case agreement = "(c) agreement"
    case guess = "(d) guess"

    init(_ evidence: SelfJoin.Evidence) {
      self =
        switch evidence {
        case .reference: .reference
        case .store: .store
        case .agreement: .agreement
        case .guess: .guess
        }
    }
  }

  private(set) var stores = 0
  private(set) var tables = 0
  private(set) var right: [Evidence: Int] = [:]
  private(set) var wrong: [Evidence: [String]] = [:]
  /// Tables whose name or columns are not Core Data's though no guess is in them.
  private(set) var differences: [String] = []

  /// Counts the names of one store.
  mutating func count(_ names: NamesCase.Names, expected: [String: Set<String>], in title: String) {
    stores += 1
    tables += names.tables.count
    for join in names.joins {
      let evidence = Evidence(join.evidence)
      if expected[join.table] != nil {
        right[evidence, default: 0] += 1
      } else {
        wrong[evidence, default: []].append("\(title): \(join.table), Core Data has \(join.otherTable)")
      }
    }
    let guessed = Set(names.joins.filter { $0.evidence == .guess }.flatMap { [$0.table, $0.otherTable] })
    for table in Set(names.tables.keys).union(expected.keys).subtracting(guessed).sorted() {
      guard names.tables[table] != expected[table] else { continue }
      let (found, wanted) = (names.tables[table] ?? [], expected[table] ?? [])
      differences.append(
        "\(title): \(table) has \(found.subtracting(wanted).sorted()) for \(wanted.subtracting(found).sorted())")
    }
  }

  /// Adds what another tally counted.
  mutating func add(_ other: NamesTally) {
    stores += other.stores
    tables += other.tables
    right.merge(other.right, uniquingKeysWith: +)
    wrong.merge(other.wrong, uniquingKeysWith: +)
    differences += other.differences
  }

  /// The counts, one line per kind of evidence, and the stores whose guess was wrong.
  var lines: [String] {
    Evidence.allCases.map { "  \($0.rawValue): \(right[$0] ?? 0) right, \(wrong[$0]?.count ?? 0) wrong" }
      + Dictionary(grouping: wrong[.guess] ?? []) { $0.components(separatedBy: " to ")[0] }.sorted { $0.key < $1.key }
      .map { "  guessed wrong: \($0.key) to \($0.value.count) versions" }
  }

  /// The names that are wrong though more than a guess decided.
  var decidedWrong: [String] { wrong.filter { $0.key != .guess }.values.flatMap { $0 } }
}
