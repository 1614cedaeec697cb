import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration
import Testing

/// Data that a mapping model loses, although it names the data.
struct MappedLossTests {
  private let entities: [EntityDescription] = [
    .entity("Item", [.optional("k"), .optional("n", .integer32)])
  ]
  private let rows =
    "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZK, ZN) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, NULL, 2), (3, 1, 1, 'c', NULL)"
  private let all = ValueExpression.compare(.key("n"), .notEqual, .number(99))

  private func losses(_ mappings: EntityMapping..., dropping dropped: Set<String> = []) throws -> [String] {
    try VersionedStore(entities, entities, rows).mappingBlockers(
      MappingModel(entityMappings: mappings, droppedData: dropped))
  }

  @Test("a value in a filter, a comparison or a condition does not count as carried over")
  func conditions() throws {
    #expect(try losses(.map("Item", "Item", filter: all, ["k": .source("k")])) == ["Item.n: 2"])
    let isNil = ValueExpression.compare(.source("n"), .equal, .null)
    let chosen = ValueExpression.conditional(isNil, then: .source("k"), else: .source("k"))
    #expect(try losses(.map("Item", "Item", ["k": chosen])) == ["Item.n: 2"])
    let number = ValueExpression.conditional(isNil, then: .number(0), else: .source("n"))
    #expect(try losses(.map("Item", "Item", ["n": number])) == ["Item.k: 2"])
  }

  @Test(
    "SQL carries over its values, and not names in a text or a comment",
    arguments: [("$source.k", []), ("'$source.k'", ["Item.k: 2"]), ("'x' /* $source.k */", ["Item.k: 2"])])
  func snippets(sql: String, expected: [String]) throws {
    var mapping = EntityMapping.map("Item", "Item", ["n": .source("n")])
    mapping.attributeMappings.insert(PropertyMapping(name: "k", value: .sql(sql)), at: 0)
    let store = try VersionedStore(entities, entities, rows)
    let model = MappingModel(entityMappings: [mapping])
    guard !expected.isEmpty else {
      #expect(try store.mapped(by: model).rows("SELECT ZK FROM ZITEM ORDER BY Z_PK") == ["a", "-", "c"])
      return
    }
    #expect(try store.mappingBlockers(model) == expected)
  }

  @Test("an attribute that only some mappings read is lost on the rows that these do not take")
  func filters() throws {
    let low = ValueExpression.compare(.key("n"), .less, .number(2))
    let reading = EntityMapping.map(
      "Item", "Item", named: "Low", filter: low, ["k": .source("k"), "n": .source("n")])
    let rest = EntityMapping.map(
      "Item", "Item", named: "Rest", filter: .negation(low), ["n": .source("n")])
    #expect(try losses(reading, rest) == ["Item.k: 1"])
    #expect(try losses(reading) == ["Item: 2"])
  }

  private let graph: [EntityDescription] = [
    .entity("Note", [.optional("text")], [.toOne("owner", "User", inverse: "notes")]),
    .entity("User", [.optional("name")], [.toMany("notes", "Note", inverse: "owner")]),
  ]
  private let users =
    "INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'Ada'), (2, 2, 1, 'Bob'), (3, 2, 1, NULL)"
  private let notes = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZOWNER) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 2), (3, 1, 1, 'c', 3)
    """

  private func user(_ name: String) -> EntityMapping {
    .map(
      "User", "User", named: name, filter: .compare(.key("name"), .equal, .text(name)), ["name": .source("name")])
  }

  @Test("links to objects of another mapping than the look-up's are reported; links to dropped objects are not")
  func partners() throws {
    let store = try VersionedStore(graph, graph, users, notes)
    let note = EntityMapping.map(
      "Note", "Note", ["text": .source("text")], ["owner": .made(by: "Ada", of: .source("owner"))])
    let model = MappingModel(entityMappings: [note, user("Ada"), user("Bob")], droppedData: ["User"])
    #expect(try store.mappingBlockers(model) == ["Note.owner: 1"])
    for name in ["Note.owner", "User.notes"] {
      let after = try store.mapped(by: model, MigrationOptions(allowedLosses: [name]))
      #expect(try after.rows("SELECT Z_PK, ZOWNER FROM ZNOTE ORDER BY 1") == ["1|1", "2|-", "3|-"])
    }
  }

  @Test("a value that is read over a relationship carries none of its links over")
  func valuesOverLinks() throws {
    let latter: [EntityDescription] = [
      .entity("Note", [.optional("text"), .optional("by")]), .entity("User", [.optional("name")]),
    ]
    let store = try VersionedStore(graph, latter, users, notes)
    let mappings: [EntityMapping] = [
      .map("Note", "Note", ["text": .source("text"), "by": .source("owner", "name")]),
      .map("User", "User", ["name": .source("name")]),
    ]
    #expect(try store.mappingBlockers(MappingModel(entityMappings: mappings)) == ["Note.owner: 3"])
    let after = try store.mapped(by: MappingModel(entityMappings: mappings, droppedData: ["User.notes"]))
    #expect(try after.rows("SELECT ZBY FROM ZNOTE ORDER BY Z_PK") == ["Ada", "Bob", "-"])
  }

  @Test("a look-up in one branch of a TERNARY carries over the links of the objects that take it")
  func branches() throws {
    let store = try VersionedStore(graph, graph, users, notes)
    let isB = ValueExpression.compare(.source("text"), .equal, .text("b"))
    let lookup = ValueExpression.made(by: "UserToUser", of: .source("owner"))
    func model(_ then: ValueExpression, _ other: ValueExpression) -> MappingModel {
      MappingModel(entityMappings: [
        .map(
          "Note", "Note", ["text": .source("text")],
          ["owner": .conditional(isB, then: then, else: other)]),
        .map("User", "User", ["name": .source("name")]),
      ])
    }
    #expect(try store.mappingBlockers(model(lookup, .null)) == ["Note.owner: 2"])
    #expect(try store.mappingBlockers(model(.null, lookup)) == ["Note.owner: 1"])
    let within = ValueExpression.conditional(isB, then: .source("owner"), else: .null)
    #expect(try store.mappingBlockers(model(.made(by: "UserToUser", of: within), .null)) == ["Note.owner: 2"])
    let after = try store.mapped(by: model(lookup, lookup))
    #expect(try after.rows("SELECT Z_PK, ZOWNER FROM ZNOTE ORDER BY 1") == ["1|1", "2|2", "3|3"])
  }

  @Test("a look-up of objects that a SUBQUERY chooses carries over the links to these")
  func chosenObjects() throws {
    let store = try VersionedStore(graph, graph, users, notes)
    let isB = ValueExpression.compare(.keyPath(["text"], of: .variable("note")), .equal, .text("b"))
    let some = ValueExpression.subquery(of: .source("notes"), variable: "note", where: isB)
    let model = MappingModel(entityMappings: [
      .map("Note", "Note", ["text": .source("text")]),
      .map("User", "User", ["name": .source("name")], ["notes": .made(by: "NoteToNote", of: some)]),
    ])
    #expect(try store.mappingBlockers(model) == ["User.notes: 2"])
    let after = try store.mapped(by: model, MigrationOptions(allowedLosses: ["Note.owner"]))
    #expect(try after.rows("SELECT Z_PK, ZOWNER FROM ZNOTE ORDER BY 1") == ["1|-", "2|2", "3|-"])
  }

  @Test("an entity is removed with its links, and the loss names the mapping that removes it")
  func removal() throws {
    let store = try VersionedStore(graph, graph, users, notes)
    let removal = EntityMapping(name: "NoUsers", kind: .remove, source: "User", destination: nil)
    let mappings = [.map("Note", "Note", ["text": .source("text")]), removal]
    #expect(try store.mappingBlockers(MappingModel(entityMappings: mappings)) == ["User: 3"])
    let granted = MappingModel(entityMappings: mappings, droppedData: ["User"])
    #expect(try store.mapped(by: granted).rows("SELECT ZOWNER FROM ZNOTE") == ["-", "-", "-"])
    let plan = try store.copy().map(
      by: MappingModel(entityMappings: mappings), MigrationOptions(allowedLosses: ["User"]))
    #expect(plan.losses.map(\.loss.sentence) == ["the entity mapping NoUsers removes the entity User"])
  }

  @Test("a plan notes objects that are made twice, and entities that are stated as dropped but carried")
  func notable() throws {
    let store = try VersionedStore(entities, entities, rows)
    let whole = EntityMapping.map("Item", "Item", named: "one", ["k": .source("k"), "n": .source("n")])
    var some = whole
    some.name = "two"
    some.filter = all
    let plan = try store.map(by: MappingModel(entityMappings: [whole, some], droppedData: ["Item"]))
    #expect(
      plan.notes.suffix(2).map(\.description) == [
        "Item is listed as dropped, but one copies its objects",
        "objects of Item that match both one and two are created twice",
      ])
  }
}
