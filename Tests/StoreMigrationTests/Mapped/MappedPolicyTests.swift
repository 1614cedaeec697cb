import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration
import Testing

/// Policies in code, stand-ins for them, and what happens without either.
struct MappedPolicyTests {
  static let before: [EntityDescription] = [
    .entity("Note", [.optional("text"), .optional("rank", .integer32)], [.toOne("owner", "User", inverse: "notes")]),
    .entity("User", [.optional("name")], [.toMany("notes", "Note", inverse: "owner")]),
  ]
  static let after: [EntityDescription] = [
    .entity(
      "Line", [.optional("text"), .optional("rank", .integer32), .optional("tag")],
      [.toOne("owner", "User", inverse: "lines")]),
    .entity("User", [.optional("name")], [.toMany("lines", "Line", inverse: "owner", ordered: true)]),
  ]
  static let rows = """
    INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'Ada'), (2, 2, 1, 'Bob');
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZRANK, ZOWNER)
    VALUES (1, 1, 1, 'a b', 1, 1), (2, 1, 1, '', 2, 1), (3, 1, 1, 'c', 3, 2);
    """

  static func mapping(_ policy: String, tag: ValueExpression? = nil) -> MappingModel {
    var attributes: [String: ValueExpression] = ["text": .source("text"), "rank": .source("rank")]
    attributes["tag"] = tag
    return MappingModel(entityMappings: [
      .map(
        "Note", "Line", attributes, ["owner": .made(by: "UserToUser", of: .source("owner"))], policy: policy),
      .map(
        "User", "User", ["name": .source("name")], ["lines": .made(by: "NoteToLine", of: .source("notes"))]),
    ])
  }

  static func store() throws -> VersionedStore { try VersionedStore(before, after, rows) }

  static let lines = "SELECT Z_PK, ZOWNER, ZTEXT, ZRANK, ZTAG FROM ZLINE ORDER BY Z_PK"

  /// Leaves notes without text behind and makes a line of each word of the others.
  final class Words: EntityMigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      guard case .string(let text)? = try manager.value("text", of: source) else { return }
      for (number, word) in text.split(separator: " ").enumerated() {
        let line = try manager.createDefaultDestinationInstance(forSource: source, in: mapping)
        try manager.setValue(.string(String(word)), forAttribute: "text", of: line)
        try manager.setValue(.integer(Int64(number)), forAttribute: "rank", of: line)
        let owner = try manager.value("owner.name", of: source)
        try manager.setValue(owner, forAttribute: "tag", of: line)
      }
    }
  }

  @Test("a policy leaves objects out and creates several from one; look-ups find the associated objects")
  func createsInstances() throws {
    var policies = PolicyRegistry()
    policies.register("Words") { Words() }
    let after = try Self.store().mapped(by: Self.mapping("Notes.Words"), policies: policies)
    #expect(try after.rows(Self.lines) == ["1|1|a|0|Ada", "3|2|c|0|Bob", "4|1|b|1|Ada"])
    #expect(try after.rows("SELECT Z_FOK_OWNER FROM ZLINE ORDER BY Z_PK") == ["2048", "2048", "3072"])
  }

  /// Records its calls, links by hand and answers functions.
  final class Hooks: EntityMigrationPolicy {
    let log: @Sendable (String) -> Void
    init(_ log: @escaping @Sendable (String) -> Void) { self.log = log }

    func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws { log("begin \(mapping.name)") }
    func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws { log("made") }
    func createRelationships(
      forDestination destination: DestinationObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      log("relate \(destination.key)")
      guard destination.key != 1 else {
        return try manager.createDefaultRelationships(forDestination: destination, in: mapping)
      }
      let sources = try manager.sourceInstances(
        forEntityMappingName: mapping.name, destinationInstances: [destination])
      let owners = try sources.flatMap { try manager.objects("owner", of: $0) }
      let other = owners.map { SourceObject(entity: $0.entity, key: 3 - $0.key) }
      try manager.setDestinationInstances(
        try manager.destinationInstances(forEntityMappingName: "UserToUser", sourceInstances: other),
        forRelationship: "owner", of: destination)
    }
    func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) { log("linked") }
    func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) { log("valid") }
    func end(_ mapping: EntityMapping, manager: MigrationManager) { log("end") }
    func value(
      forSelector selector: String, arguments: [PolicyArgument], manager: MigrationManager
    ) throws -> AttributeValue? {
      guard let object = arguments.last?.object, case .string(let text)? = arguments.first?.value else { return nil }
      return .string("\(selector) \(text) \(object.entity) \(object.key)")
    }
  }

}

extension MappedPolicyTests {
  /// Collects what policies say, from wherever they are called.
  final class Journal: @unchecked Sendable {
    var lines: [String] = []
  }

  @Test("every hook is called in Core Data's order, and functions of the policy answer expressions")
  func hooks() throws {
    let journal = Journal()
    var policies = PolicyRegistry()
    policies.register("App.Hooks") { Hooks { journal.lines.append($0) } }
    let tag = ValueExpression.invocation(
      of: .variable("entityPolicy"), selector: "tag:of:", arguments: [.source("text"), .source()])
    var mapping = Self.mapping("Hooks", tag: tag)
    mapping.entityMappings[1].relationshipMappings = []
    let after = try Self.store().mapped(
      by: mapping, MigrationOptions(), policies: policies)
    #expect(
      journal.lines == [
        "begin NoteToLine", "made", "relate 1", "relate 2", "relate 3", "linked", "valid", "end",
      ])
    #expect(
      try after.rows(Self.lines) == [
        "1|1|a b|1|tag:of: a b Note 1", "2|2||2|tag:of:  Note 2", "3|1|c|3|tag:of: c Note 3",
      ])
  }

  @Test("unused SQL in place of a policy is reported, with the known names")
  func unusedReplacement() throws {
    for (replacement, near) in [
      (PolicyReplacement(attributes: ["tga": "'x'"]), ["tag"]), (PolicyReplacement(functions: ["a:": "1"]), []),
    ] {
      var mapping = Self.mapping("App.Words")
      mapping.policyReplacements = ["App.Words": replacement]
      let name = replacement.attributes.keys.first ?? "a:"
      #expect(
        throws: MigrationRefusal.mapping(
          name: "NoteToLine", .unusedReplacement(name, className: "App.Words", near: near))
      ) { try Self.store().map(by: mapping) }
    }
  }

  final class Failing: EntityMigrationPolicy {
    struct Refused: Error {}
    func createDestinationInstances(
      forSource source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      if source.key == 2 { throw Refused() }
      try manager.createDefaultDestinationInstance(forSource: source, in: mapping)
    }
  }

  @Test("an error of a policy names the policy, the hook and the object, and leaves every byte as it was")
  func failure() throws {
    var policies = PolicyRegistry()
    policies.register("Failing") { Failing() }
    let store = try Self.store()
    let before = try store.files()
    let error = #expect(throws: PolicyRunError.self) {
      try store.map(by: Self.mapping("Failing"), policies: policies)
    }
    #expect(
      error?.description
        == "policy Failing failed in createDestinationInstances of Note with Z_PK 2, entity mapping NoteToLine "
        + "(NSCocoaErrorDomain 134170): Refused(); the store is unchanged")
    #expect(try store.files() == before)
  }

  @Test("without code, SQL or the default policy replaces functions and attributes of a policy")
  func replacements() throws {
    let tag = ValueExpression.invocation(
      of: .variable("entityPolicy"), selector: "tag:", arguments: [.source("text")])
    let replacement = PolicyReplacement(
      functions: ["tag:": "'<' || $1 || '>'"], attributes: ["rank": "$source.rank * 10"])
    let after = try Self.store().mapped(
      by: Self.mapping("App.Gone", tag: tag), MigrationOptions(policyReplacements: ["Gone": replacement]))
    #expect(try after.rows(Self.lines) == ["1|1|a b|10|<a b>", "2|1||20|<>", "3|2|c|30|<c>"])
    var written = Self.mapping("App.Gone")
    written.policyReplacements = ["App.Gone": PolicyReplacement()]
    #expect(try Self.store().mapped(by: written).rows(Self.lines) == ["1|1|a b|1|-", "2|1||2|-", "3|2|c|3|-"])
  }

  @Test("a policy class without code or replacement is refused by name, with three solutions")
  func refusal() throws {
    let store = try Self.store()
    let error = #expect(throws: MigrationRefusal.self) { try store.map(by: Self.mapping("App.Gone")) }
    #expect(error == .mapping(name: "NoteToLine", .missingPolicy(className: "App.Gone")))
    let tag = ValueExpression.invocation(of: .variable("entityPolicy"), selector: "tag", arguments: [])
    let asDefault = MigrationOptions(policyReplacements: ["Gone": PolicyReplacement()])
    #expect(throws: MigrationRefusal.mapping(name: "NoteToLine", .missingFunctions(["tag"], className: "App.Gone"))) {
      try store.map(by: Self.mapping("App.Gone", tag: tag), asDefault)
    }
    let filled = MigrationOptions(policyReplacements: [
      "Gone": PolicyReplacement(attributes: ["tag": "'t' || $source.rank"])
    ])
    let after = try store.mapped(by: Self.mapping("App.Gone", tag: tag), filled)
    #expect(try after.rows("SELECT ZTAG FROM ZLINE ORDER BY Z_PK") == ["t1", "t2", "t3"])
  }
}
