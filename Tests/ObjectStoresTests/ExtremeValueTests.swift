import AtomicStores
import Foundation
import GRDB
import ModelDescription
import ObjectStores
import StoreRows
import TestSupport
import Testing

@Suite("Values at the limits of their types")
struct ExtremeValueTests {
  private static let kinds = ["SQLite"] + StoreKinds.builtIn.map(\.name)

  private static let model = ManagedObjectModel {
    Entity("Sample") {
      Attribute("moment", .date).optional()
      Attribute("rate", .double).optional()
      Attribute("share", .float).optional()
      Attribute("whole", .integer64).optional()
      Attribute("amount", .decimal).optional()
    }
  }

  /// The year 0 begins with the first moment.
  private static let values: [[String: RecordValue]] = [
    ["moment": .attribute(.date(-63_145_526_400)), "whole": .number(.min)],
    ["moment": .attribute(.date(-63_145_526_400.5)), "whole": .number(.max)],
    ["moment": .attribute(.date(-1e300)), "rate": .attribute(.double(.greatestFiniteMagnitude))],
    ["moment": .attribute(.date(1e300)), "rate": .attribute(.double(.leastNonzeroMagnitude))],
    ["rate": .attribute(.double(.infinity)), "share": .attribute(.double(-.infinity))],
    ["rate": .attribute(.double(-.infinity)), "share": .attribute(.double(.infinity))],
    ["amount": .attribute(.decimal(.nan))],
  ]

  private func open(_ kind: String, in folder: TemporaryFolder) throws -> ObjectStore {
    var options = OpeningOptions()
    options.kindOfMissing = StoreKinds.builtIn.first { $0.name == kind }
    return try ObjectStore.open(folder.path("samples"), model: Self.model, options: options)
  }

  private func check(_ store: ObjectStore, _ ids: [RecordID]) throws {
    for (id, values) in zip(ids, Self.values) {
      let record = try #require(try store.read { try $0.object(id) })
      for (name, value) in values where name != "amount" { #expect(record[name] == value, "\(id)") }
      if values["amount"] != nil {
        guard case .attribute(.decimal(let amount))? = record["amount"] else {
          Issue.record("no decimal number")
          continue
        }
        #expect(amount.isNaN)
      }
      // What nobody changed is not saved again.
      #expect(try store.plan { try $0.update(record) }.writes.isEmpty, "\(id)")
    }
  }

  @Test("They are read as they were saved, also when the store is opened again", arguments: kinds)
  func roundTrip(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let store = try open(kind, in: folder)
    let ids = try store.write { transaction in try Self.values.map { try transaction.insert("Sample", $0) } }
    try check(store, ids)
    try store.close()
    let again = try open(kind, in: folder)
    try check(again, ids)
    try again.close()
  }

  @Test(
    "A number that a Float has no room for is refused, and the greatest one is not",
    arguments: [
      (3.5e38, 1610, "above 3.4028234663852886e+38"), (1e300, 1610, "above 3.4028234663852886e+38"),
      (-1e39, 1620, "below -3.4028234663852886e+38"),
    ])
  func wideFloat(_ number: Double, _ code: Int, _ words: String) throws {
    let folder = try TemporaryFolder()
    let store = try open("SQLite", in: folder)
    let problems = try store.problems { try $0.insert("Sample", ["share": .attribute(.double(number))]) }
    #expect(problems.map(\.code) == [code])
    #expect(problems.map(\.description) == ["share of a new Sample is \(words)"])
    let greatest = Double(Float.greatestFiniteMagnitude)
    for sound in [greatest, -greatest, greatest.nextUp] {
      #expect(try store.problems { try $0.insert("Sample", ["share": .attribute(.double(sound))]) } == [])
    }
    try store.close()
  }

  @Test("A number beyond Float's range that another program wrote blocks no other change")
  func foreignFloat() throws {
    let folder = try TemporaryFolder()
    let store = try open("SQLite", in: folder)
    let sample = try store.write { try $0.insert("Sample", ["share": .attribute(.double(1))]) }
    let queue = try DatabaseQueue(path: store.path)
    try queue.write { try $0.execute(sql: "UPDATE ZSAMPLE SET ZSHARE = 1e39") }
    try queue.close()
    #expect(try store.problems { try $0.update(sample, ["moment": .attribute(.date(5))]) } == [])
    #expect(try store.problems { try $0.update(sample, ["share": .attribute(.double(2e39))]) }.map(\.code) == [1610])
    try store.write { try $0.delete(sample) }
    try store.close()
  }

  @Test("A date that is not a moment is refused, also without limits", arguments: [Double.infinity, -.infinity, .nan])
  func noMoment(_ seconds: Double) throws {
    let folder = try TemporaryFolder()
    let store = try open("SQLite", in: folder)
    let problems = try store.problems { try $0.insert("Sample", ["moment": .attribute(.date(seconds))]) }
    #expect(problems.map(\.code) == [1650])
    #expect(problems.map(\.description) == ["moment of a new Sample is not a valid date"])
    #expect(try store.count(RecordRequest("Sample")) == 0)
    try store.close()
  }
}
