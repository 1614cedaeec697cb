import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import Rehearsals
import StoreMigration
import TestSupport
import Testing

/// Every path of every old version, with stores of the tests' own models.
@Suite("Rehearsal")
struct RehearsalTests {
  /// Rehearses all versions of a model on the way to the last.
  private func rehearse(
    _ models: [[EntityDescription]], rows: Int = 12, seed: UInt64 = 1,
    mappings: ([LoadedVersion]) -> [KnownMapping] = { _ in [] }, policies: PolicyRegistry = PolicyRegistry(),
    isInterrupted: (@Sendable () -> Bool)? = nil
  ) throws -> [RehearsedVersion] {
    let versions = try models.enumerated().map { position, entities in
      try LoadedVersion(
        bundle: "Test.xcdatamodeld", name: "v\(position + 1)", isCurrent: position == models.count - 1,
        model: ManagedObjectModel(entities: entities))
    }
    let folder = try TemporaryFolder()
    let request = RehearsalRequest(
      versions: versions, destination: try #require(versions.last),
      rows: SyntheticRows(seed: seed, rowsPerEntity: rows), folder: folder.url.path, mappings: mappings(versions),
      policies: policies)
    let results = try Rehearsal(request).run(isInterrupted: isInterrupted)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    return results
  }

  private static let shop: [EntityDescription] = [
    .entity(
      "Order", [.required("number", .integer32), .optional("note"), .optional("paid", .date)],
      [.toMany("rows", "Row", inverse: "order", ordered: true)]),
    .entity("Row", [.optional("amount", .double)], [.toOne("order", "Order", inverse: "rows")]),
  ]

  private static func shop(_ attributes: [AttributeDescription]) -> [EntityDescription] {
    [.entity("Order", attributes, [.toMany("rows", "Row", inverse: "order", ordered: true)]), shop[1]]
  }

  @Test("A store is migrated in place, by copy, step by step and directly, with equal results")
  func paths() throws {
    let results = try rehearse([
      Self.shop, Self.shop([.required("number", .integer32), .optional("remark", was: "note")]),
      Self.shop([.required("number", .integer64), .optional("remark", was: "note"), .optional("more")]),
    ])
    #expect(results.map(\.source) == ["v1", "v2"])
    #expect(results.flatMap(\.failures) == [])
    let first = try #require(results.first?.attempts.first)
    #expect(
      first.trips.map { "\($0.path.rawValue): \($0.versions.joined(separator: " ")) \($0.ending.word)" } == [
        "in place: v1 v2 v3 migrated", "on a copy: v1 v2 v3 migrated",
        "step by step: v1 v2 v3 migrated", "directly: v1 v3 migrated",
      ])
    #expect(first.objectCount == 24)
    #expect(first.comparedValues > 100 && first.comparedLinks > 30)
    #expect(
      first.losses.map { "\($0.element): \($0.sentence)" } == [
        "Order.paid: the attribute Order.paid and all its values are deleted"
      ])
    #expect(results.last?.attempts.first?.trips.map(\.path) == [.inPlace, .clone])
  }

  @Test("No path is called wrong for an order that a version on the way does not keep, taken back or not")
  func orderOnTheWay() throws {
    let unordered: [EntityDescription] = [
      .entity("Order", [], [.toMany("rows", "Row", inverse: "order")]), Self.shop[1],
    ]
    let last = Self.shop([.optional("more")])
    for models in [[Self.shop([]), unordered, last], [Self.shop([]), unordered, Self.shop([]), last]] {
      #expect(try rehearse(models).flatMap(\.failures) == [])
    }
  }

  @Test(
    "On a long path only the oldest version passes all; the others take one step and then one jump, in order")
  func manyVersions() throws {
    let attributes = (0..<14).map { AttributeDescription.optional("a\($0)") }
    let models = (1...14).map { [EntityDescription.entity("A", Array(attributes.prefix($0)))] }
    let results = try rehearse(models, rows: 4)
    #expect(results.map(\.source) == (1...13).map { "v\($0)" })
    #expect(results.flatMap(\.failures) == [])
    let paths = results.map { $0.attempts[0].trips.map(\.path) }
    #expect(paths[0] == [.inPlace, .clone, .stepByStep, .nextStep, .straight])
    #expect(paths[1] == [.inPlace, .clone, .nextStep, .straight])
    #expect(results[1].attempts[0].trips[2].versions == ["v2", "v3", "v14"])
    #expect(paths[5] == [.inPlace, .clone, .stepByStep, .straight])
  }

  @Test("Rows that are complete and unique and are refused are a failure: no row is to blame")
  func refusalOfCompleteRows() throws {
    let results = try rehearse([
      [.entity("A", [.optional("x")])], [.entity("A", [.optional("x"), .required("y", .string)])],
    ])
    #expect(
      results.first?.failures.map(\.sentence) == [
        "complete and unique rows are refused at v1 → v2, so the models are the cause"
      ])
  }

  @Test("A direct migration may differ if the models give a reason: the property is named")
  func straight() throws {
    let results = try rehearse([
      Self.shop, Self.shop([.required("number", .integer32)]),
      Self.shop([.required("number", .integer32), .optional("note")]),
    ])
    #expect(results.flatMap(\.failures) == [])
    #expect(
      results.first?.attempts.first?.notes.map(\.sentence) == [
        """
        Order.note is a new attribute after v2, which lacks it; directly, it keeps the values of note
        """
      ])
  }

  @Test("An entity that was removed and added again is new step by step, and is kept by a direct migration")
  func entityGap() throws {
    let results = try rehearse([
      [.entity("A", [.optional("x")]), .entity("B", [.optional("y")])], [.entity("A", [.optional("x")])],
      [.entity("A", [.optional("x")]), .entity("B", [.optional("y")])],
    ])
    #expect(results.flatMap(\.failures) == [])
    // The first version has the hashes of the last, so nothing migrates; from the second on, B is new.
    #expect(results.first?.kind == .same)
    #expect(results.last?.kind == .lightweight)
  }

  @Test("Rows that a migration refuses are reported with its advice, and tried again without gaps")
  func refusal() throws {
    let results = try rehearse(
      [
        [.entity("A", [.optional("x"), .optional("n", .integer32)])],
        [.entity("A", [.required("x"), .optional("n", .integer32)])],
      ], rows: 40)
    let version = try #require(results.first)
    #expect(version.failures == [] && version.isRefused)
    #expect(version.attempts.map(\.isComplete) == [false, true])
    let endings = version.attempts.map { $0.trips.map(\.ending.word) }
    #expect(endings == [["refused", "refused"], ["migrated", "migrated"]])
    guard case .refused(let step, let refusal)? = version.attempts.first?.trips.first?.ending else {
      Issue.record("not refused")
      return
    }
    #expect(step.description == "v1 → v2")
    #expect(
      refusal.reason.hasPrefix("A.x: Validation error missing attribute values on mandatory destination attribute"))
    #expect(
      refusal.reason.hasSuffix("When you migrate, give every row without a value the same value: --fill A.x=VALUE"))
  }

  @Test("A new constraint over many rows is met by rows without duplicates")
  func duplicates() throws {
    let results = try rehearse(
      [
        [.entity("A", [.optional("flag", .boolean), .optional("size", .integer16)])],
        [.entity("A", [.optional("flag", .boolean), .optional("size", .integer16)], unique: [["size"]])],
      ], rows: 2000)
    #expect(results.first?.attempts.map { $0.trips[0].ending.word } == ["refused", "migrated"])
    #expect(results.flatMap(\.failures) == [])
  }

  @Test("If a constraint has fewer values than rows, there are fewer rows")
  func fewValues() throws {
    let results = try rehearse([
      [.entity("A", [.required("flag", .boolean)], unique: [["flag"]])],
      [.entity("A", [.required("flag", .boolean), .optional("x")], unique: [["flag"]])],
    ])
    #expect(results.first?.attempts.map(\.rowsPerEntity) == [1])
    #expect(results.flatMap(\.failures) == [])
  }

  @Test("A version without a path is a failure that names the step")
  func impossible() throws {
    let results = try rehearse([
      [.entity("A", [.optional("x")])], [.entity("A", [.optional("x", .date)])],
      [.entity("A", [.optional("x", .date), .optional("y")])],
    ])
    #expect(results.map(\.kind) == [.impossible, .lightweight])
    let words = try #require(results.first?.failures.first?.sentence)
    #expect(
      words.hasPrefix("no migration path exists: the step v1 → v2 fails: A.x: Source and destination attribute types"))
    #expect(results.last?.failures == [])
  }

  /// Gives every object it makes another number than the last time.
  private final class Forgetful: EntityMigrationPolicy {
    /// The last one, which all policies share.
    private let numbers: Guarded<Int64>

    init(_ numbers: Guarded<Int64>) { self.numbers = numbers }

    func value(
      forSelector selector: String, arguments: [PolicyArgument], manager: MigrationManager
    ) throws -> AttributeValue? {
      numbers.withLock {
        $0 += 1
        return .integer($0)
      }
    }
  }

  @Test("Results that differ are a failure that names path, property and object")
  func difference() throws {
    let numbers = Guarded<Int64>(0)
    var policies = PolicyRegistry()
    policies.register("Forgetful") { Forgetful(numbers) }
    let number = ValueExpression.invocation(of: .variable("entityPolicy"), selector: "number", arguments: [])
    let results = try rehearse(
      [[.entity("A", [.optional("x")])], [.entity("A", [.optional("x"), .optional("n", .integer64)])]], rows: 3,
      mappings: { versions in
        let model = MappingModel(entityMappings: [
          .map("A", "A", ["x": .source("x"), "n": number], policy: "Forgetful")
        ])
        return [KnownMapping(path: "map.xml", source: versions[0], destination: versions[1], model: model)]
      }, policies: policies)
    let version = try #require(results.first)
    #expect(version.kind == .mapped)
    #expect(
      version.failures.map { "\($0.path?.rawValue ?? ""): \($0.sentence)" } == [
        "on a copy: A.n differs in 3 objects, first Z_PK 1: 4 on a copy, 1 in place"
      ])
  }

  @Test("Interrupted, it ends and leaves nothing")
  func interruption() throws {
    #expect(throws: StoreCreationError.self) { try rehearse([Self.shop, Self.shop([])], isInterrupted: { true }) }
  }

  @Test("The same seed makes the same rows, another seed others")
  func seeds() throws {
    let models: [[EntityDescription]] = [Self.shop, Self.shop([.required("number", .integer32)])]
    #expect(try rehearse(models, seed: 5) == rehearse(models, seed: 5))
  }

  /// `MODELCTL_SEEDS` sets how many seeds run, `MODELCTL_FIRST_SEED` where they begin.
  static let chainSeeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["MODELCTL_FIRST_SEED"].flatMap(UInt64.init) ?? 0
    return first..<(first + (environment["MODELCTL_SEEDS"].flatMap(UInt64.init) ?? 3))
  }()

  @Test(
    "Random chains of versions pass, with elements that are renamed, moved, removed and added again",
    arguments: chainSeeds)
  func chains(_ seed: UInt64) throws {
    let results = try rehearse(ChainTrial(seed: seed).versions().map(\.entities), rows: 7, seed: seed)
    // What a random version asks of rows that no row can meet is a failure of that version, not of the engine.
    #expect(results.flatMap(\.attempts).flatMap(\.failures) == [], "seed \(seed)")
  }
}
