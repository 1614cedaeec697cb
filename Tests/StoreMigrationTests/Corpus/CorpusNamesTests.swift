import Foundation
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing
import VersionHashing

/// Stores of the corpus, migrated to a version of which the corpus has a store that Core Data made: the same tables and
/// columns, letter for letter, where more than a guess decides.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusNamesTests {
  /// The cases of one store: its file is copied once, and its steps are inferred once.
  private static func grouped(_ cases: [NamesCase]) -> [[NamesCase]] {
    Dictionary(grouping: cases) { $0.url.path }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The ways through each bundle, found once for all its stores.
  private static func pathFinder(_ cases: [NamesCase]) -> [String: MigrationPathFinder] {
    Dictionary(cases.map { ($0.destination.bundle, MigrationPathFinder()) }) { first, _ in first }
  }

  @Test func namesAreThoseOfCoreData() throws {
    let chosen = CorpusSample.of(NamesCase.all, atMost: 2)
    let tallies = Self.grouped(chosen).concurrentMap { cases in
      var tally = NamesTally()
      guard let known = cases.first?.knownNames else { return tally }
      for item in cases {
        tally.count(item.laidOut(known), expected: NamesCase.tables(item.reference.snapshot), in: item.testDescription)
      }
      return tally
    }
    var tally = NamesTally()
    for part in tallies { tally.add(part) }
    report(tally, "by their layout: \(CorpusSample.scope(chosen.count, of: NamesCase.all.count)) migrations")
  }

  @Test func referencesSettleEveryName() throws {
    var seen: Set<VersionHashes> = []
    let destinations = NamesCase.all.filter { seen.insert($0.destination.versionHashes).inserted }
    let tallies = destinations.concurrentMap { item in
      Result {
        var tally = NamesTally()
        var known = SelfJoinNames()
        known.add(try item.reference.reference(for: item.destination))
        tally.count(item.laidOut(known), expected: NamesCase.tables(item.reference.snapshot), in: item.destination.name)
        return tally
      }
    }
    var tally = NamesTally()
    for part in tallies { tally.add(try part.get()) }
    report(tally, "with a reference of each version: all \(destinations.count) versions")
    #expect(tally.right.keys.allSatisfy { $0 == .reference })
  }

  @Test func plansLeaveTheNamesOfCoreData() throws {
    let chosen = CorpusSample.of(NamesCase.all, share: 6, atMost: 1)
    let pathFinder = Self.pathFinder(chosen)
    let tallies = Self.grouped(chosen).concurrentMap { cases in
      Result {
        var tally = NamesTally()
        guard let first = cases.first else { return tally }
        let path = CorpusStore.copy(first.url)
        defer { try? FileManager.default.removeItem(atPath: path) }
        for item in cases {
          guard
            let names = try item.planned(path, pathFinder: pathFinder[item.destination.bundle] ?? MigrationPathFinder())
          else {
            continue
          }
          tally.count(names, expected: NamesCase.tables(item.reference.snapshot), in: item.testDescription)
        }
        return tally
      }
    }
    var tally = NamesTally()
    for part in tallies { tally.add(try part.get()) }
    report(tally, "by the plan, run on the schema: \(tally.stores) of \(chosen.count) migrations that can be planned")
  }

  /// Prints what was counted; nothing may be wrong but guesses.
  private func report(_ tally: NamesTally, _ title: String) {
    print((["names of migrated stores \(title), \(tally.tables) tables"] + tally.lines).joined(separator: "\n"))
    #expect(tally.stores > 0)
    #expect(tally.differences.isEmpty, "\(tally.differences.prefix(10).joined(separator: "\n"))")
    #expect(tally.decidedWrong.isEmpty, "\(tally.decidedWrong.prefix(10).joined(separator: "\n"))")
  }

  @Test func migratedStoresHaveTheNamesOfTheirPlan() throws {
    let cases = NamesCase.all.filter { $0.url.path.contains("/stores/") }
    let chosen = CorpusSample.of(cases, share: 10, atMost: 1)
    let pathFinder = Self.pathFinder(chosen)
    var migrated = 0
    for item in chosen {
      let path = CorpusStore.copy(item.url)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let pathFinder = pathFinder[item.destination.bundle] ?? MigrationPathFinder()
      guard let planned = try item.planned(path, pathFinder: pathFinder),
        let names = try item.migrated(path, pathFinder: pathFinder)
      else { continue }
      migrated += 1
      #expect(names == planned.tables, "\(item.testDescription)")
    }
    print("names of migrated stores: \(migrated) of \(chosen.count) stores with rows were migrated")
    #expect(migrated > 0)
  }

  @Test func coreDataMadeEveryStoreOfTheCorpus() throws {
    for reference in NamesCase.references { #expect(reference.isOfCoreData, "\(reference.versionHashes)") }
    print("Core Data made \(NamesCase.references.count) stores")
  }
}
