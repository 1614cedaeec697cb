import Foundation
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing
import VersionHashing

/// Stores of the corpus, migrated to a version of which the corpus has a store that Core Data made: the same tables and
/// columns, letter for letter, where more than a guess decides.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusNamesTests {
  /// One migration.
  struct Case: CustomTestStringConvertible, Sendable {
    let store: CorpusStore
    let destination: KnownVersion
    let model: URL

    var testDescription: String { "\(store.testDescription) to \(destination.name)" }
  }

  private static let stores = CorpusStore.all(in: "stores") + CorpusStore.all(in: "stores-empty")

  /// Every store to every later version of which there is a store of Core Data's.
  private static let cases: [Case] = {
    let made = Dictionary(references.map { ($0.hashes, $0.url) }) { first, _ in first }
    return stores.flatMap { store in
      store.later.compactMap { version in
        made[version.versionHashes].map { Case(store: store, destination: version, model: $0) }
      }
    }
  }()

  private static let references: [(hashes: VersionHashes, url: URL)] = ["stores", "stores-empty"].flatMap { folder in
    Corpus.files(in: folder) { $0.hasSuffix(".sqlite") }.compactMap { url in
      let path = CorpusStore.copy(url)
      defer { try? FileManager.default.removeItem(atPath: path) }
      return (try? ReferenceStore(path: path)).map { ($0.versionHashes, url) }
    }
  }

  @Test func migratedStoresHaveTheNamesOfCoreDataOwn() throws {
    let chosen = CorpusSample.of(Self.cases, atMost: 15)
    var tables = 0
    var evidence: [String: (right: Int, wrong: Int)] = [:]
    var migrated = 0
    for item in chosen {
      guard let found = try Self.names(of: item) else { continue }
      migrated += 1
      tables += found.names.count
      for join in found.joins {
        let isRight = found.expected[join.table] != nil
        let kind = String(describing: join.evidence)
        evidence[kind, default: (0, 0)].right += isRight ? 1 : 0
        evidence[kind, default: (0, 0)].wrong += isRight ? 0 : 1
      }
      let guessed = Set(found.joins.filter { $0.evidence == .guess }.flatMap { [$0.table, $0.otherTable] })
      let decided = { (names: [String: Set<String>]) in names.filter { !guessed.contains($0.key) } }
      for (table, columns) in decided(found.expected) {
        #expect(found.names[table] == columns, "\(item.testDescription): \(table)")
      }
    }
    print(
      """
      names of migrated stores: \(CorpusSample.scope(chosen.count, of: Self.cases.count)) migrations, \(migrated) of them \
      possible, \(tables) tables; self-joins by evidence:
      """,
      evidence.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.right) right, \($0.value.wrong) wrong" }
        .joined(separator: "; "))
    #expect(migrated > 0)
    #expect(evidence.filter { $0.key != "guess" }.allSatisfy { $0.value.wrong == 0 })
  }

  @Test func coreDataMadeEveryStoreOfTheCorpus() throws {
    var count = 0
    for (_, url) in Self.references {
      let path = CorpusStore.copy(url)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let reader = try StoreReader(path: path)
      defer { reader.close() }
      let metadata = try reader.metadata()
      #expect(try reader.read { try metadata.hasNamesOfCoreData(reading: $0) }, "\(url.lastPathComponent)")
      count += 1
    }
    print("Core Data made \(count) stores")
  }

  private static func names(of item: Case) throws -> (
    names: [String: Set<String>], expected: [String: Set<String>], joins: [SelfJoin]
  )? {
    let path = CorpusStore.copy(item.store.url)
    let model = CorpusStore.copy(item.model)
    defer { [path, model].forEach { try? FileManager.default.removeItem(atPath: $0) } }
    let request = MigrationRequest(path: path, versions: item.store.versions, destination: item.destination)
    let joins = try? StoreMigrator(request).plan().prepared.selfJoins
    guard let joins,
      case .migrated = try ConsentingMigration.run(
        path, to: item.destination, among: item.store.versions, routes: MigrationRoutes())
    else { return nil }
    return (try tables(path), try tables(model), joins)
  }

  /// The columns of the tables that a model has, by name.
  private static func tables(_ path: String) throws -> [String: Set<String>] {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let snapshot = try reader.snapshot(counting: false)
    return Dictionary(
      snapshot.tables.filter { !$0.isSystem && !$0.isService && $0.name.hasPrefix("Z") }
        .map { ($0.name, Set($0.columns.map(\.name))) }
    ) { first, _ in first }
  }
}
