import Foundation
import ModelKit
import TestSupport
import Testing

@Suite("JSON documents keep to their schemas")
struct SchemaTests {
  private func schema(_ name: String) throws -> JSONValue {
    let file = JSONSchema.folder.appendingPathComponent("\(name).schema.json")
    return try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
  }

  /// Commands that print JSON, after the stores `old` (Orders v1), `new` (Orders v4), `foreign` (an edited Todo), `family`
  /// (ordered), `broken` (Orders v1 with rows that a constraint forbids) are made.
  static let documents: [(schema: String, command: String, status: Int32)] = [
    ("show", "show Orders@v6", 0),
    ("show", "show Everything/contents", 0),
    ("show", "show Everything/contents --entity Place", 0),
    ("show", "show old.sqlite --entity Order", 0),
    ("cloudkit", "cloudkit diff Orders@v1 Everything/contents", 0),
    ("cloudkit", "cloudkit diff Todo@v1 Todo@v2", 0),
    ("hash", "hash Orders@v4", 0),
    ("hash", "hash old.sqlite", 0),
    ("status", "status old.sqlite new.sqlite foreign.sqlite", 1),
    ("status", "status old.sqlite gone.sqlite", 2),
    ("status", "status old.sqlite --model Models/Todo.xcdatamodeld", 1),
    ("plan", "plan old.sqlite", 0),
    ("plan", "plan old.sqlite --copy", 0),
    ("plan", "plan new.sqlite", 0),
    ("plan", "plan large.sqlite", 0),
    ("plan", "plan family.sqlite --to v1", 2),
    ("migrate", "migrate old.sqlite --dry-run", 0),
    ("migrate", "migrate large.sqlite --dry-run", 0),
    ("migrate", "migrate old.sqlite new.sqlite gone.sqlite", 2),
    ("migrate", "migrate family.sqlite --to v1", 2),
    ("diff", "diff Orders@v1 Orders@v4", 0),
    ("diff", "diff Orders@v4 Orders@v1", 0),
    ("diff", "diff Orders@v1 Orders@v1", 0),
    ("diff", "diff Todo@v1 Family@v2", 0),
    ("data-diff", "diff old.sqlite other.sqlite --data", 0),
    ("data-diff", "diff old.sqlite old.sqlite --data --match unique", 0),
    ("convert", "convert old.sqlite converted.json", 0),
    ("load", "load objects.jsonl --output loaded.sqlite --version Orders@v1", 0),
    ("log", "log", 0),
    ("log", "log --model Broken", 0),
    ("mapping-new", "mapping new Orders@v3 Orders@v4 --write", 0),
    ("verify", "verify old.sqlite new.sqlite", 0),
    ("verify", "verify damaged.sqlite", 1),
    ("rescue", "rescue old.sqlite --dry-run --version Orders@v1", 0),
    ("rescue", "rescue damaged.sqlite --dry-run --version Orders@v1", 1),
    ("query", "query old.sqlite Order --include customer --include rows.service --limit 2", 0),
    ("history", "history old.sqlite", 0),
    ("history", "history old.json", 0),
    ("plan", "plan old.json", 0),
    ("migrate", "migrate old.json --dry-run", 0),
    ("merge", "merge old.json ours.json theirs.json", 1),
    ("changes", "update old.sqlite Order --all --set number=1 --dry-run", 0),
    ("changes", "delete old.sqlite Order --all --dry-run", 0),
    ("query", "query old.sqlite Customer --where name==nil", 0),
    ("query-entities", "query old.sqlite", 0),
    ("query-groups", "query old.sqlite Order --group customer --group isPaid --sum number", 0),
    ("query-groups", "query old.sqlite RowOfOrder --sum sum", 0),
    ("query-explain", "query old.sqlite Order --where customer.name=='x' --sort date --explain", 0),
    ("query-explain", "query old.sqlite Order --count --explain", 0),
    ("query-explain", "query old.sqlite Order --group isPaid --explain", 0),
    ("check", "check Models/Orders.xcdatamodeld", 0),
    ("check", "check Broken", 1),
    ("check", "mapping check", 0),
    ("rules", "check --list-rules", 0),
    ("rules", "check --explain data-loss", 0),
    ("check", "mapping check Bad.xml --model Models/Orders.xcdatamodeld", 1),
    ("matrix", "matrix --downgrades", 0),
    ("matrix", "matrix Impossible.xcdatamodeld Models/Orders.xcdatamodeld --downgrades", 0),
    ("rehearse", "rehearse --model Models/Orders.xcdatamodeld --rows 3", 0),
    ("rehearse", "rehearse --model Models/Orders.xcdatamodeld --rows 9 --no-mappings --from v5", 1),
    ("rehearse", "rehearse --model Impossible.xcdatamodeld --rows 2 --to v1", 1),
    ("lock-result", "lock Orders@v6", 0),
    ("lock-result", "lock --draft Orders@v6 --relock Orders@v6 --allow-data-loss Customer.searchName", 0),
    ("mapping", "mapping show Migrations/Orders/v4-v5.xml --model Models/Orders.xcdatamodeld", 0),
    ("new-version", "new-version --model Models/Orders.xcdatamodeld", 0),
    ("new-version", "new-version --model Broken", 0),
    ("edit", "edit rename Order.note remark --in Orders@v6 --allow-released", 0),
    ("edit", "edit set Order.note optional=no default=x --in Orders@v6 --allow-released", 0),
    ("edit", "edit retype Order.note Date --in Orders@v6 --allow-released --dry-run", 0),
    ("export", "export old.sqlite --output Old.xcdatamodeld", 0),
    ("export", "export Orders@v1 --output orders.xml", 0),
    ("merge", "merge base ours theirs", 1),
    ("merge", "merge base ours base", 0),
  ]

  /// Schemas of the lines that are printed about many stores.
  static let lines = ["migrate-store", "migrate-summary"]

  @Test(
    "Every line about many stores is valid",
    arguments: [
      ("migrate Stores", 2), ("migrate Stores --dry-run --shard 1/2", 0), ("migrate Stores gone --jobs 3", 2),
    ])
  func fleet(_ command: String, _ status: Int32) throws {
    let workspace = try SampleFolder()
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(6)
    if !command.contains("--shard") {
      try fleet.addStrange("Stores/strange.sqlite")
      let family = try workspace.modelctl("create", "Stores/family.sqlite", "--version", "Family@v2", "--rows", "3")
      #expect(family.status == 0)
    }
    let result = try Modelctl.run(
      command.split(separator: " ").map(String.init) + ["--model", "Models", "--format", "json"], in: workspace)
    #expect(result.status == status, "\(result.standardError)")
    let lines = try FleetLines(result.standardOutput)
    let summary = try #require(lines.summary)
    #expect(JSONSchema(try schema("migrate-summary")).faults(in: summary) == [])
    for line in lines.stores { #expect(JSONSchema(try schema("migrate-store")).faults(in: line) == []) }
    #expect(lines.stores.count + 1 == result.standardOutput.split(separator: "\n").count)
    #expect(lines.count("stores") == lines.stores.count)
  }

  @Test(
    "The output of init is valid",
    arguments: [
      "--github --gitlab --pre-commit --git --dry-run", "--git", "--modelctl-url https://github.com/me/modelctl",
    ])
  func setup(_ options: String) throws {
    let workspace = try SampleFolder.repository(isLocked: false)
    let output = try workspace.shell("modelctl init --format json \(options)")
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(output.utf8))
    #expect(JSONSchema(try schema("init")).faults(in: document) == [])
    #expect(document["records"]?.elements.count == 2)
  }

  /// Schemas of files that are not printed.
  static let files = ["config", "lock", "branch", "store"]

  @Test("The configuration of the documentation is valid and read, and a slip is neither")
  func configuration() throws {
    let page = String(
      decoding: try Data(contentsOf: JSONSchema.folder.appendingPathComponent("../reference/configuration.md")),
      as: UTF8.self)
    let text = try #require(
      page.components(separatedBy: "```json\n").dropFirst().first?.components(separatedBy: "```").first)
    let checker = JSONSchema(try schema("config"))
    #expect(checker.faults(in: try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))) == [])
    let workspace = try SampleFolder()
    try workspace.write(text, to: "config.json")
    #expect(try workspace.modelctl("check", "--list-rules", "--config-file", "config.json").status == 0)
    #expect(
      checker.faults(in: .object(["rules": .object(["data-loss": .string("of")]), "exclud": .null])).count == 2)
  }

  @Test("Every lock file of the samples, and one of a draft, is valid")
  func lockFiles() throws {
    let workspace = try SampleFolder()
    let relock = ["lock", "--draft", "--relock", "Orders@v6", "--allow-data-loss", "Customer.searchName"]
    #expect(try Modelctl.run(relock, in: workspace).status == 0)
    let folder = workspace.url.appendingPathComponent("Models")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".lock.json") }
    #expect(names.count == 5)
    for name in names {
      let document = try JSONDecoder().decode(
        JSONValue.self, from: Data(contentsOf: folder.appendingPathComponent(name)))
      #expect(JSONSchema(try schema("lock")).faults(in: document) == [], "\(name)")
    }
  }

  @Test("A JSON store of every sample version is valid, and a slip in one is not")
  func stores() throws {
    let checker = JSONSchema(try schema("store"))
    let workspace = try SampleFolder()
    var count = 0
    for bundle in ["Orders", "Todo", "Company", "Family", "Staff"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: SampleModels.path(bundle))
        .filter { $0.hasSuffix(".xcdatamodel") }.map { $0.replacing(".xcdatamodel", with: "") }
      for name in names {
        try workspace.makeStore("\(name).json", version: "\(bundle)@\(name)")
        let file = workspace.url.appendingPathComponent("\(name).json")
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
        #expect(checker.faults(in: document) == [], "\(bundle) \(name)")
        try FileManager.default.removeItem(at: file)
        count += 1
      }
    }
    #expect(count == 14)
    let slip: JSONValue = .object([
      "format": .integer(2), "metadata": .object(["NSStoreUUID": .string("x")]),
      "objects": .object(["A": .array([.object(["name": .string("a")]), .object(["id": .integer(1), "b": .null])])]),
    ])
    #expect(checker.faults(in: slip).count == 4)
  }

  /// A store with an object of every type's value, of links of each kind, and with attributes without a type of every type.
  private static func everyType() throws -> Data {
    let model = try EntityHierarchy(
      EveryTypeModel.model(adding: [AttributeDescription(name: "id", type: .integer64, isOptional: true)]))
    let plain: [String: AttributeValue] = [
      "i64": .integer(.min), "dec": .decimal(12.5), "dbl": .double(-.infinity), "text": .string("a\u{0}\"ü"),
      "flag": .boolean(true), "day": .date(1e-30), "blob": .binary(Data([1, 2])), "uid": .uuid(UUID()),
      "link": .uri("https://example.org/?a=1"),
    ]
    let (owner, item) = (RecordID(entity: "Owner", key: 1), RecordID(entity: "Item", key: 2))
    let big = RecordID(entity: "BigItem", key: 3)
    let others: [String: RecordValue] = [
      "id": 9_007_199_254_740_993, "i16": -7, "i32": 7, "flt": 0.25, "thing": .transformed(Data([3])),
      "any": .attribute(.integer(7)), "place": .composite(["Latitude": 1.5, "inner": .composite(["word": "a"])]),
      "owner": .object(owner), "friends": .objects([item, big]), "row": .objects([big, item]),
    ]
    let values = plain.mapValues { RecordValue.attribute($0) }.merging(others) { $1 }
    var objects = [
      StoreDocument.Object(id: owner, values: ["items": .objects([item])]),
      StoreDocument.Object(id: item, values: values),
      StoreDocument.Object(
        id: big, values: ["boss": .object(big), "day": .attribute(.date(0)), "place": .composite([:])]),
    ]
    for (position, value) in plain.values.enumerated() {
      let id = RecordID(entity: "Item", key: Int64(10 + position))
      objects.append(StoreDocument.Object(id: id, values: ["any": .attribute(value)]))
    }
    let metadata = StoreMetadata(
      uuid: "9ECD24C8-A2FC-49F1-A4F6-D9A513D12374", versionHashes: try VersionHashes(of: model), identifiers: ["v"],
      entries: [
        "NSStoreType": .string("JSON"),
        "app": .dictionary([
          "day": .date(12.5), "data": .data(Data([4])), "list": .array([.real(0.5), .boolean(false)]),
        ]),
      ])
    let document = StoreDocument(metadata: metadata, objects: objects, lastKeys: ["Owner": 90])
    return try JSONStoreKind().bytes(of: document, model: model)
  }

  @Test("A JSON store with values of every type is valid, those of no type and keys beside an attribute id among them")
  func valuesOfAllTypes() throws {
    let checker = JSONSchema(try schema("store"))
    let document = try JSONDecoder().decode(JSONValue.self, from: Self.everyType())
    #expect(checker.faults(in: document) == [])
    let item = try #require(document["objects"]?["Item"]?.elements.first)
    guard case .object(let members) = item else { throw CocoaError(.coderInvalidValue) }
    #expect(
      Set(members.keys)
        == Set(EveryTypeModel.types.map { $0.0 } + ["$id", "id", "place", "owner", "friends", "row"]))
    #expect(item["$id"] == .integer(2) && item["id"] == .string("9007199254740993"))
    #expect(item["any"] == .object(["int64": .integer(7)]))
    #expect(item["place"]?["inner"] == .object(["word": .string("a")]))
    #expect(item["row"] == .array([.object(["BigItem": .integer(3)]), .integer(2)]))
    for (name, slip) in [
      ("$id", .string("2")), ("place", .object(["inner": .null])), ("any", .object(["int64": .null])),
      ("row", .array([.string("2")])), ("owner", .null),
    ] as [(String, JSONValue)] {
      let changed = JSONValue.object([
        "format": .integer(1), "metadata": document["metadata"] ?? .null,
        "objects": .object(["Item": .array([.object(members.merging([name: slip]) { $1 })])]),
      ])
      #expect(checker.faults(in: changed).count == 1, "\(name)")
    }
  }

  @Test("The output of a command is valid", arguments: CorpusSample.of(documents, atMost: 14))
  func document(_ name: String, _ command: String, _ status: Int32) throws {
    let workspace = try SampleFolder()
    try workspace.migrateByModelctl()
    let stores = [
      ("old", "Orders@v1", 5), ("new", "Orders@v4", 5), ("large", "Orders@v1", 3_000), ("family", "Family@v2", 5),
      ("foreign", "Todo@v2", 5), ("damaged", "Orders@v1", 5), ("other", "Orders@v1", 6),
    ]
    for (name, version, rows) in stores where command.contains("\(name).sqlite") {
      try workspace.makeStore("\(name).sqlite", version: version, rows: rows)
    }
    if command.contains("json") {
      try workspace.makeStore("old.json")
      let store = String(
        decoding: try Data(contentsOf: workspace.url.appendingPathComponent("old.json")), as: UTF8.self)
      for name in ["ours", "theirs"] {
        try workspace.write(store, to: "\(name).json")
        try workspace.edit("\(name).json", "\"name\": \"", "\"name\": \"\(name)")
      }
    }
    try workspace.write(#"{"entity": "Customer", "name": "Anna", "registrationDate": 12.5}"#, to: "objects.jsonl")
    if command.contains("damaged.sqlite") {
      try Damage.dangle(workspace.url.appendingPathComponent("damaged.sqlite").path)
    }
    try workspace.edit("Models/Todo.xcdatamodeld/v2.xcdatamodel/contents", "name=\"title\"", "name=\"heading\"")
    try workspace.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="A" parentEntity="B"><relationship name="b" toMany="YES" destinationEntity="A"/></entity>
      </model>
      """, to: "Broken/Broken.xcdatamodel/contents")
    try workspace.write(
      """
      <mappingModel source="v4" destination="v5">
        <entityMapping source="Customer" destination="Customer" policy="App.Policy"/>
      </mappingModel>
      """, to: "Bad.xml")
    try workspace.write(ShowTests.contents, to: "Everything/contents")
    for (version, type) in [("v0", "String"), ("v1", "Date")] {
      try workspace.write(
        """
        <model><entity name="A"><attribute name="x" attributeType="\(type)" optional="YES"/></entity></model>
        """, to: "Impossible.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    for (name, type) in [("base", "Date"), ("ours", "String"), ("theirs", "URI")] {
      try workspace.write(
        "<model><entity name=\"A\"><attribute name=\"a\" attributeType=\"\(type)\"/></entity></model>", to: name)
    }
    let result = try Modelctl.run(command.split(separator: " ").map(String.init) + ["--format", "json"], in: workspace)
    #expect(result.status == status, "\(result.standardError)")
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(result.standardOutput.utf8))
    #expect(JSONSchema(try schema(name)).faults(in: document) == [])
    let stated = try schema(name)["properties"]?["version"]?["const"]
    #expect(stated != nil && document["version"] == stated)
    if command.contains("large.sqlite") { #expect(result.standardOutput.contains("\"seconds\" : ")) }
  }

  @Test("Every schema is used, names its dialect, and describes every member")
  func schemas() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: JSONSchema.folder.path)
      .filter { $0.hasSuffix(".json") }.sorted()
    let all = Set(Self.documents.map(\.schema) + Self.files + Self.lines + ["init"])
    #expect(names == all.map { "\($0).schema.json" }.sorted())
    for name in all {
      let schema = try schema(name)
      #expect(schema["$schema"] == .string("https://json-schema.org/draft/2020-12/schema"))
      #expect(undescribed(schema, at: name) == [])
    }
  }

  @Test("The schemas refuse unknown content")
  func refusals() throws {
    let checker = JSONSchema(try schema("hash"))
    let document: JSONValue = .object([
      "version": .integer(2), "model": .null, "entities": .object(["A": .string("short")]), "more": .boolean(true),
    ])
    #expect(
      checker.faults(in: document) == [
        "$: has more as well", "$.entities.A: short is not ^[A-Za-z0-9+/]{43}=$", "$.model: null instead of string",
        "$.version: is not integer(1)", "$: lacks digest", "$: lacks checksum",
      ])
  }

  @Test("Rows are complete: every entity that can have rows is counted, also when the plan touches only the schema")
  func rows() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("staff.sqlite", version: "Staff@v2", rows: 4)
    try workspace.makeStore("company.sqlite", version: "Orders@v1", rows: 0)
    let result = try workspace.modelctl("migrate", "staff.sqlite", "company.sqlite", "--format", "json")
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(result.standardOutput.utf8))
    #expect(
      document["stores"]?.elements.map { $0["rows"] } == [
        .object(["Department": .integer(4), "Employee": .integer(4)]),
        .object([
          "Contact": .integer(0), "Customer": .integer(0), "Order": .integer(0), "Payment": .integer(0),
          "RowOfOrder": .integer(0), "Service": .integer(0),
        ]),
      ])
  }

  private func undescribed(_ schema: JSONValue, at place: String) -> [String] {
    guard case .object(let members)? = schema["properties"] else {
      return schema["items"].map { undescribed($0, at: "\(place)[]") } ?? []
    }
    return members.flatMap { name, member in
      (member["description"] == nil ? ["\(place).\(name)"] : []) + undescribed(member, at: "\(place).\(name)")
    }
  }
}
