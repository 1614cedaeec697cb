import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing

@testable import StoreMigration

/// Migrations of several parts: each stage works on what the one before has left, and all of them are one to the store.
@Suite("Stages")
struct StageTests {
  /// Four versions with a mapping model from the second to the third, which text to date needs.
  private func store(_ mapped: EntityMapping, lastIsRequired: Bool = false) throws -> VersionedStore {
    let last: AttributeDescription = lastIsRequired ? .required("day") : .optional("day")
    let store = try VersionedStore(
      [
        [.entity("Event", [.optional("title", was: nil)])],
        [.entity("Event", [.optional("title"), .optional("place")])],
        [.entity("Day", [.optional("day"), .optional("place")])],
        [.entity("Day", [last, .optional("place"), .optional("note")])],
      ].map { ManagedObjectModel(entities: $0) })
    for title in ["a", "b", "c"] {
      try store.execute("INSERT INTO ZEVENT (Z_ENT, Z_OPT, ZTITLE) VALUES (1, 3, '\(title)')")
    }
    try store.settlePrimaryKeys()
    store.mappings = [
      KnownMapping(
        path: "v2-v3.xml", source: store.versions[1], destination: store.versions[2],
        model: MappingModel(entityMappings: [mapped]))
    ]
    return store
  }

  private func mapping(_ title: ValueExpression) -> EntityMapping {
    EntityMapping(
      name: "EventToDay", kind: .copy, source: "Event", destination: "Day",
      attributeMappings: [
        PropertyMapping(name: "day", value: .expression(title)),
        PropertyMapping(name: "place", value: .expression(.keyPath(["place"], of: .variable("source")))),
      ])
  }

  private let title = ValueExpression.keyPath(["title"], of: .variable("source"))

  @Test("An inferred, a mapped and an inferred stage run one after the other", arguments: MigrationStrategy.allCases)
  func stages(strategy: MigrationStrategy) throws {
    let store = try store(mapping(title))
    let prepared = try store.migrator().plan().prepared
    #expect(prepared.stages.map(\.mappingPath) == [nil, "v2-v3.xml", nil])
    #expect(prepared.path == ["v1", "v2", "v3", "v4"])
    #expect(prepared.strategy == .clone)
    let outcome = try store.migrator(MigrationOptions(strategy: strategy)).migrate()
    #expect(outcome.strategy == strategy)
    #expect(outcome.stepCount == prepared.stepCount)
    #expect(
      try store.rows("SELECT Z_PK, Z_ENT, ZDAY, ZPLACE, ZNOTE FROM ZDAY") == [
        "1|1|a|-|-", "2|1|b|-|-", "3|1|c|-|-",
      ])
    #expect(try store.problems(at: 3) == [])
    #expect(try store.content(at: 3).metadata.versionHashes == store.versions[3].versionHashes)
  }

  @Test(
    "A stage after new keys continues counting from them",
    arguments: MigrationStrategy.allCases, [["A"], ["Zeta"], []])
  func keys(strategy: MigrationStrategy, added: [String]) throws {
    let others = added.map { EntityDescription.entity($0, [.optional("name")]) }
    let store = try VersionedStore(
      [
        [.entity("Cat", [.optional("name")]), .entity("Dog", [.optional("name")])],
        [.entity("Pet", [.optional("name")])],
        [.entity("Pet", [.optional("name"), .optional("note")])] + others,
      ].map { ManagedObjectModel(entities: $0) })
    for (number, table) in ["ZCAT", "ZDOG"].enumerated() {
      for name in ["a", "b", "c"] {
        try store.execute("INSERT INTO \(table) (Z_ENT, Z_OPT, ZNAME) VALUES (\(number + 1), 1, '\(name)')")
      }
    }
    try store.settlePrimaryKeys()
    let name = PropertyMapping(name: "name", value: .expression(.keyPath(["name"], of: .variable("source"))))
    store.mappings = [
      KnownMapping(
        path: "v1-v2.xml", source: store.versions[0], destination: store.versions[1],
        model: MappingModel(
          entityMappings: ["Cat", "Dog"].map {
            EntityMapping(name: $0, kind: .copy, source: $0, destination: "Pet", attributeMappings: [name])
          }))
    ]
    _ = try store.migrator(MigrationOptions(strategy: strategy)).migrate()
    #expect(try store.rows("SELECT COUNT(*), MAX(Z_PK) FROM ZPET") == ["6|6"])
    #expect(try store.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Pet'") == ["6"])
    #expect(try store.rows("SELECT COUNT(*) FROM Z_PRIMARYKEY") == ["\(1 + added.count)"])
    #expect(try store.problems(at: 2) == [])
  }

  @Test("A blocker of a later stage leaves the store unchanged", arguments: MigrationStrategy.allCases)
  func laterBlocker(strategy: MigrationStrategy) throws {
    let store = try store(mapping(.null), lastIsRequired: true)
    let before = try store.files()
    #expect {
      try store.migrator(MigrationOptions(strategy: strategy, allowedLosses: ["Event.title"])).migrate()
    } throws: { error in
      "\(error)".hasPrefix(
        "Day.day: Validation error missing attribute values on mandatory destination attribute "
          + "(NSCocoaErrorDomain 134110). 3 rows, Z_PK 1, 2, 3")
    }
    #expect(try store.files() == before)
  }

  @Test("An error in SQL of a mapping names its file, the step and the cause, and never the SQL around it")
  func failingSQL() throws {
    var entity = mapping(title)
    entity.attributeMappings[0].value = .sql("json($source.title)")
    let store = try store(entity)
    let before = try store.files()
    let failed = MigrationError.expressionFailed(
      mapping: "v2-v3.xml",
      work: .step(.mapped(PlanCause.EntityStep(mapping: "EventToDay", source: "Event", destination: "Day"))),
      detail: "malformed JSON")
    #expect(throws: failed) { try store.migrator(MigrationOptions(allowedLosses: ["Event.title"])).migrate() }
    #expect(
      failed.description
        == "v2-v3.xml: EventToDay: Event becomes Day: malformed JSON; the store is unchanged; give the expression "
        + "another value for this row, for example with TERNARY, or filter the row out")
    #expect(try store.files() == before)
  }

  @Test("A dry run executes all stages and keeps nothing")
  func rehearsal() throws {
    let store = try store(mapping(title))
    let before = try store.files()
    var request = store.migrator().request
    request.isRehearsal = true
    #expect(try StoreMigrator(request).migrate().result == .rehearsed)
    #expect(try store.files() == before)
  }

  @Test("Later stages are planned without changing a byte, and the migration runs the plan")
  func planning() throws {
    let store = try store(mapping(title))
    let before = try store.files()
    let stages = try store.migrator().plan().prepared.stages
    #expect(try store.files() == before)
    #expect(stages[2].plan.steps.map(\.statement.text).contains("ALTER TABLE \"ZDAY\" ADD COLUMN \"ZNOTE\" VARCHAR"))
  }
}
