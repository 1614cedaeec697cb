import Foundation
import GRDB
import ModelDescription
import ModelFiles
import StoreContents
import StoreRows
import TestSupport
import Testing

@testable import PersistentStores

@Suite("A damaged store is never a crash, and each row that can be read is in the new one or is listed")
struct RescueDamageTests {
  /// A sound store with its version.
  private struct Template {
    let path: String
    let version: LoadedVersion
  }

  /// The numbers of the damages; `MODELCTL_DAMAGES=500-999` makes those, to go on after a stop or to share the work.
  private var numbers: Range<Int> {
    let said = ProcessInfo.processInfo.environment["MODELCTL_DAMAGES"]?.split(separator: "-").compactMap { Int($0) }
    guard let said, let first = said.first, let last = said.last, first <= last else {
      return 0..<(CorpusSample.isWhole ? 2_000 : 26)
    }
    return first..<last + 1
  }

  @Test("Random damages") func damages() throws {
    let folder = try TemporaryFolder()
    let templates = try self.templates(in: folder)
    var counts: [StoreDamage: Int] = [:]
    var (rows, kept, listed, refused) = (0, 0, 0, 0)
    for number in numbers {
      if number > numbers.lowerBound, number % 100 == 0 { print("rescue: \(number) damages") }
      // Each has a seed of its own, so that it can be made alone.
      var generator = SeededGenerator(seed: CorpusSample.seed &* 1_000_003 &+ UInt64(number))
      let damage = StoreDamage.allCases[number % StoreDamage.allCases.count]
      let template = templates[Int.random(in: 0..<templates.count, using: &generator)]
      let place = try TemporaryFolder()
      let store = place.path("store.sqlite")
      try copy(template.path, to: store)
      let map = try #require(StoreRowsMap(store))
      let touched = try damage.put(into: store, &generator)
      // What only the log had is not in the file.
      let whole = damage.isOfLog ? try #require(StoreRowsMap(store)) : map
      let expected =
        damage.isBySQL
        ? try rowsBySQL(store)
        : whole.leaves.mapValues { rows in
          Set(rows.filter { !touched.contains($0.value) }.keys)
        }
      let before = try contents(place)
      var rescue = StoreRescue(of: store, versions: [template.version])
      rescue.assumed = template.version
      let label = "\(number) \(damage.rawValue) of \(template.version.bundleName) \(template.version.name)"
      counts[damage, default: 0] += 1
      let outcome: RescueOutcome
      do {
        outcome = try rescue.run(to: place.path("new.sqlite"))
      } catch {
        let isKnown = error is StoreError || error is RescueError
        // Without its schema, or without any whole page of rows, there may be nothing.
        let total = expected.values.reduce(0) { $0 + $1.count }
        #expect(isKnown, "\(label): \(error)")
        #expect(damage == .truncated || total == 0, "\(label): \(total) rows: \(error)")
        #expect(!FileManager.default.fileExists(atPath: place.path("new.sqlite")), "\(label)")
        refused += 1
        continue
      }
      #expect(try contents(place).filter { !$0.key.contains("new") } == before, "\(label)")
      #expect(!outcome.findings.contains { $0.kind == .damage || $0.kind == .staleIndex }, "\(label)")
      #expect(
        !outcome.findings.contains { $0.kind == .schema && $0.severity == .error }, "\(label): \(outcome.findings)")
      let reader = try StoreReader(path: place.path("new.sqlite"))
      defer { reader.close() }
      let layout = SQLStoreLayout(of: template.version.hierarchy)
      for table in layout.tables {
        guard case .hierarchy = table.content, let keys = expected[table.name] else { continue }
        let found = Set(
          try reader.read { try Int64.fetchAll($0, sql: "SELECT Z_PK FROM \(SQLIdentifier(table.name))") })
        let missing = keys.subtracting(found)
        let named = Set(outcome.entities.flatMap(\.lost).flatMap(\.keys))
        rows += keys.count
        kept += keys.count - missing.count
        listed += missing.intersection(named).count
        #expect(missing.subtracting(named) == [], "\(label): \(table.name) of \(keys.count)")
      }
    }
    print(
      "rescue: \(counts.values.reduce(0, +)) damages of \(templates.count) stores, \(refused) refused; of \(rows)",
      "rows that were not touched \(kept) are in the new store, \(listed) are listed")
  }

  private func templates(in folder: TemporaryFolder) throws -> [Template] {
    var templates: [Template] = []
    let models = URL(fileURLWithPath: SampleModels.path("Orders")).deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: models.path).sorted()
    let bundles = names.filter { $0.hasSuffix(".xcdatamodeld") }.compactMap {
      try? ModelBundle(at: models.appendingPathComponent($0).path)
    }
    for version in CorpusSample.of(LoadedVersion.load(from: bundles).versions, atMost: 4) {
      let path = folder.path("\(templates.count).sqlite")
      let rows = SyntheticRows(seed: 7, rowsPerEntity: CorpusSample.isWhole ? 60 : 20)
      guard (try? StoreCreator(of: version.hierarchy).create(at: path, filling: rows)) != nil else { continue }
      templates.append(Template(path: path, version: version))
    }
    guard CorpusSample.isWhole else { return templates }
    _ = try CorpusStores.forEach(atMost: 0) { path, version, _ in
      guard let size = FileStatus(path)?.size, size < 4 << 20 else { return }
      let copy = folder.path("\(templates.count).sqlite")
      try self.copy(path, to: copy)
      templates.append(Template(path: copy, version: version))
    }
    return templates
  }

  private func copy(_ path: String, to copy: String) throws {
    for suffix in ["", "-wal"] where FileStatus(path + suffix) != nil {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    let support = ExternalData.support(beside: URL(fileURLWithPath: path)).path
    if FileStatus(support) != nil {
      try FileManager.default.copyItem(
        atPath: support, toPath: ExternalData.support(beside: URL(fileURLWithPath: copy)).path)
    }
  }

  private func contents(_ folder: TemporaryFolder) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: folder.url.path) ?? .init() {
      if name.hasSuffix("-shm") { continue }
      found[name] = FileManager.default.contents(atPath: folder.path(name)) ?? Data()
    }
    return found
  }

  private func rowsBySQL(_ path: String) throws -> [String: Set<Int64>] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { database in
      let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
      return Dictionary(
        uniqueKeysWithValues: try tables.map { table in
          (table, Set(try Int64.fetchAll(database, sql: "SELECT rowid FROM \(SQLIdentifier(table))")))
        })
    }
  }
}
