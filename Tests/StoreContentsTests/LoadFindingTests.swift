import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreContents
import StoreRows
import TestSupport
import Testing

/// A text and its findings.
struct LoadCase: CustomTestStringConvertible, Sendable {
  let name: String
  var file = "text.jsonl"
  /// The text; each replacement character becomes a byte that is not UTF-8.
  let text: String
  let messages: [String]

  var testDescription: String { name }

  var bytes: Data {
    Data(
      text.unicodeScalars.flatMap { scalar -> [UInt8] in
        scalar == "\u{FFFD}" ? [0xFF] : Array(String(Character(scalar)).utf8)
      })
  }
}

@Suite("Texts that cannot be loaded")
struct LoadFindingTests {
  /// A model with a property of each kind.
  static let model: ManagedObjectModel = {
    var person = EntityDescription(name: "Person")
    person.attributes = [
      AttributeDescription(name: "name", type: .string, isOptional: false),
      AttributeDescription(name: "age", type: .integer16, isOptional: true),
      AttributeDescription(name: "big", type: .integer64, isOptional: true),
      AttributeDescription(name: "sum", type: .decimal, isOptional: true),
      AttributeDescription(name: "born", type: .date, isOptional: true),
      AttributeDescription(name: "photo", type: .binary, isOptional: true),
      AttributeDescription(name: "token", type: .uuid, isOptional: true),
      AttributeDescription(name: "isNice", type: .boolean, isOptional: true),
      AttributeDescription(name: "code", type: .string, isOptional: true),
    ]
    person.attributes[1].validation.maximum = .integer(150)
    person.uniquenessConstraints = [["code"]]
    var manager = EntityDescription(name: "Manager")
    manager.superentityName = "Person"
    var team = EntityDescription(name: "Team")
    team.attributes = [AttributeDescription(name: "title", type: .string, isOptional: true)]
    var thing = EntityDescription(name: "Thing")
    thing.isAbstract = true
    func link(
      _ name: String, _ destination: String, _ inverse: String, isToMany: Bool = false, least: Int = 0,
      isOptional: Bool = true
    ) -> RelationshipDescription {
      var made = RelationshipDescription(
        name: name, destinationEntityName: destination, isOptional: isOptional, minCount: least,
        maxCount: isToMany ? 3 : 1, isOrdered: false, deleteRule: .nullify)
      (made.inverseName, made.inverseEntityName) = (inverse, destination)
      return made
    }
    person.relationships = [link("team", "Team", "members", isOptional: false), link("leads", "Team", "leader")]
    team.relationships = [link("members", "Person", "team", isToMany: true), link("leader", "Manager", "leads")]
    return ManagedObjectModel(entities: [person, manager, team, thing])
  }()

  static let team = #"{"entity": "Team", "id": 1}"#

  static func person(_ rest: String) -> String {
    "\(team)\n" + #"{"entity": "Person", "id": 1, "name": "Anna", "team": 1, "# + rest + "}\n"
  }

  static let cases: [LoadCase] = [
    LoadCase(
      name: "unknown entity", text: #"{"entity": "person", "id": 1}"#,
      messages: [#"text.jsonl:1:12: the model has no entity “person”; nearest: Person"#]),
    LoadCase(
      name: "abstract entity", text: #"{"entity": "Thing", "id": 1}"#,
      messages: ["text.jsonl:1:12: Thing is abstract, so it cannot have objects; use one of its subentities"]),
    LoadCase(
      name: "no entity", text: #"{"id": 1}"#,
      messages: [
        "text.jsonl:1:1: the object does not name its entity; add “entity”, or name the entity of all objects"
      ]),
    LoadCase(
      name: "unknown property", text: #"{"entity": "Team", "id": 1, "Title": "A"}"#,
      messages: ["text.jsonl:1:29: Team has no property “Title”; nearest: title"]),
    LoadCase(
      name: "duplicate key", text: "\(team)\n\(team)\n",
      messages: ["text.jsonl:2:1: there are two objects Team 1"]),
    LoadCase(
      name: "key of another entity of the family",
      text: "\(team)\n" + #"{"entity": "Person", "id": 4, "name": "a", "team": 1}"# + "\n"
        + #"{"entity": "Manager", "id": 4, "name": "b", "team": 1}"#,
      messages: ["text.jsonl:3:1: there are two objects Person 4"]),
    LoadCase(
      name: "key that is no number", text: #"{"entity": "Team", "id": "x"}"#,
      messages: ["text.jsonl:1:26: id must be a whole number that no other Team has"]),
    LoadCase(
      name: "key with too many digits", text: #"{"entity": "Team", "id": 9223372036854775807}"#,
      messages: ["text.jsonl:1:26: id must be a whole number that no other Team has"]),
    LoadCase(
      name: "link to nowhere", text: #"{"entity": "Person", "id": 1, "name": "a", "team": 7}"#,
      messages: ["text.jsonl:1:1: team of a new Person is Team 7, which does not exist (Core Data error 133000)"]),
    LoadCase(
      name: "list to nowhere", text: #"{"entity": "Team", "id": 1, "members": [9]}"#,
      messages: ["text.jsonl:1:1: members of a new Team is Person 9, which does not exist (Core Data error 133000)"]),
    LoadCase(
      name: "link to an object of another entity",
      text: person(#""age": 3"#) + #"{"entity": "Team", "id": 2, "leader": 1}"#,
      messages: ["text.jsonl:3:1: leader of a new Team is Manager 1, which does not exist (Core Data error 133000)"]),
    LoadCase(
      name: "link to a named entity that is another",
      text: #"{"entity": "Team", "id": 1, "members": [{"Manager": 1}]}"# + "\n"
        + #"{"entity": "Person", "id": 1, "name": "Anna", "team": 1}"#,
      messages: ["text.jsonl:1:1: members of a new Team is Manager 1, which does not exist (Core Data error 133000)"]),
    LoadCase(
      name: "both sides say other things",
      text: "\(team)\n" + #"{"entity": "Team", "id": 2, "members": [1]}"# + "\n"
        + #"{"entity": "Person", "id": 1, "name": "a", "team": 1}"#,
      messages: [
        "text.jsonl:2:1: members of a new Team points to Person 1, whose team points to another object (Core Data error 1550)"
      ]),
    LoadCase(
      name: "missing mandatory value and link", text: #"{"entity": "Person", "id": 1}"#,
      messages: [
        "text.jsonl:1:1: a new Person has no name, and name is not optional (Core Data error 1570)",
        "text.jsonl:1:1: a new Person has no team, and team is not optional (Core Data error 1570)",
      ]),
    LoadCase(
      name: "a link twice", text: #"{"entity": "Team", "id": 1, "members": [1, 1]}"#,
      messages: ["text.jsonl:1:44: members links to 1 twice"]),
    LoadCase(
      name: "wrong types",
      text: person(#""age": "x", "sum": 1.5, "isNice": 1, "born": "yesterday", "photo": "?", "token": "1""#),
      messages: [
        "text.jsonl:2:65: “x” is not a valid value of age, which has the type Integer 16",
        "text.jsonl:2:77: “1.5” is not a valid value of sum, which has the type Decimal: a decimal number must be a "
          + "text to keep every digit; write it in quotes",
        "text.jsonl:2:92: “1” is not a valid value of isNice, which has the type Boolean",
        "text.jsonl:2:103: “yesterday” is not a valid value of born, which has the type Date",
        "text.jsonl:2:125: “?” is not a valid value of photo, which has the type Binary",
        "text.jsonl:2:139: “1” is not a valid value of token, which has the type UUID",
      ]),
    LoadCase(
      name: "out of the type's range", text: person(#""age": 40000"#),
      messages: ["text.jsonl:2:65: “40000” is not a valid value of age, which has the type Integer 16"]),
    LoadCase(
      name: "out of the model's range", text: person(#""age": 151"#),
      messages: ["text.jsonl:2:1: age of a new Person is above 150 (Core Data error 1610)"]),
    LoadCase(
      name: "a whole number that no double holds", text: person(#""big": 9223372036854775807"#),
      messages: [
        "text.jsonl:2:65: “9223372036854775807” is not a valid value of big: whole numbers from 2^53 on must be "
          + "texts, so that they keep every digit; write it in quotes"
      ]),
    LoadCase(
      name: "a whole number that another double is next to", text: person(#""big": -9007199254740993"#),
      messages: [
        "text.jsonl:2:65: “-9007199254740993” is not a valid value of big: whole numbers from 2^53 on must be texts"
      ]),
    LoadCase(
      name: "more digits than any whole number has", text: person(#""big": 99999999999999999999"#),
      messages: ["text.jsonl:2:65: “99999999999999999999” is not a valid value of big, which has the type Integer 64"]),
    LoadCase(
      name: "400 digits in a text", text: person(#""sum": ""# + String(repeating: "9", count: 400) + "\""),
      messages: [
        "text.jsonl:2:65: “\(String(repeating: "9", count: 40))” is not a valid value of sum, which has the type Decimal"
      ]),
    LoadCase(
      name: "two of one unique value",
      text: person(#""code": "x""#) + #"{"entity": "Person", "id": 2, "name": "b", "team": 1, "code": "x"}"#,
      messages: [
        "text.jsonl:3:1: a new Person has the same code as Person 1, which must be unique (Core Data error 133021)"
      ]),
    LoadCase(
      name: "too many objects in a list",
      text: team + "\n"
        + (1...4).map { #"{"entity": "Person", "id": \#($0), "name": "n", "team": 1}"# }.joined(separator: "\n"),
      messages: ["text.jsonl:1:1: a new Team has 4 objects in members, but may have at most 3 (Core Data error 1590)"]
    ),
    LoadCase(
      name: "a table without mandatory columns", file: "Person.csv", text: "id,age\n1,5\n",
      messages: [
        "Person.csv:2:1: a new Person has no name, and name is not optional (Core Data error 1570)",
        "Person.csv:2:1: a new Person has no team, and team is not optional (Core Data error 1570)",
      ]),
    LoadCase(
      name: "a key twice in a table", file: "Team.csv", text: "id,title\n1,A\n1,B\n",
      messages: ["Team.csv:3:1: there are two objects Team 1"]),
    LoadCase(
      name: "a key of 400 digits in a table", file: "Team.csv",
      text: "id,title\n" + String(repeating: "9", count: 400) + ",A\n",
      messages: ["Team.csv:2:1: id must be a whole number that no other Team has"]),
    LoadCase(
      name: "a link twice in a table", file: "Team.csv", text: "id,members\n1,3 3\n",
      messages: ["Team.csv:2:3: members links to 3 twice"]),
    LoadCase(
      name: "wrong types in a table", file: "Person.csv",
      text: "id,name,age,big,born,photo,token,isNice,team\n1,A,40000,\(String(repeating: "9", count: 400)),"
        + "2026-02-30,?,12,yes,Person:1\n",
      messages: [
        "Person.csv:2:5: “40000” is not a valid value of age, which has the type Integer 16",
        "Person.csv:2:11: “\(String(repeating: "9", count: 40))” is not a valid value of big, which has the type Integer 64",
        "Person.csv:2:412: “2026-02-30” is not a valid value of born, which has the type Date",
        "Person.csv:2:423: “?” is not a valid value of photo, which has the type Binary",
        "Person.csv:2:425: “12” is not a valid value of token, which has the type UUID",
        "Person.csv:2:428: “yes” is not a valid value of isNice, which has the type Boolean",
        "Person.csv:2:432: team links to objects of Team, and Person is not one of them",
      ]),
  ]

  private func run(
    _ text: LoadCase, into folder: TemporaryFolder, entity: String? = nil, existing: Bool = false,
    model: ManagedObjectModel = Self.model
  ) throws -> [String] {
    let path = folder.path(text.file)
    try text.bytes.write(to: URL(fileURLWithPath: path))
    let version = try LoadedVersion(bundle: "", name: "v1", isCurrent: true, model: model)
    let place = folder.path("store.sqlite")
    if existing { try StoreCreator(of: version.hierarchy).create(at: place) }
    let form = try #require(LoadFormat(of: path))
    var loading = StoreLoading(path, format: form, version: version)
    loading.entity = entity
    var messages: [String] = []
    do {
      _ = try loading.run(to: place)
    } catch LoadError.findings(let problems, more: 0) {
      messages = problems.map(\.description)
    } catch {
      messages = ["\(error)"]
    }
    if !messages.isEmpty {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      if existing {
        let rows = try StoreDocument(storeAt: place, model: version.hierarchy).objects
        #expect(rows.isEmpty)
      } else {
        #expect(names.sorted() == [text.file], "\(text.name)")
      }
    }
    return messages.map { $0.replacing("\(folder.url.path)/", with: "") }
  }

  @Test(
    "Every problem of an object has its line, in a new store and in one that is there", arguments: cases, [false, true])
  func problems(_ text: LoadCase, existing: Bool) throws {
    let found = try run(text, into: TemporaryFolder(), existing: existing)
    for (message, wanted) in zip(found, text.messages) {
      #expect(message.hasPrefix(wanted), "\(message)\n\(wanted)")
    }
    #expect(found.count == text.messages.count, "\(found)")
  }

  static let structures: [LoadCase] = [
    LoadCase(
      name: "half a line", text: #"{"entity": "Team", "#,
      messages: ["text.jsonl:1:20: not well-formed JSON: expected a key in double quotes"]),
    LoadCase(
      name: "trailing bytes", text: team + " x",
      messages: ["text.jsonl:1:29: not well-formed JSON: the text continues after its end"]),
    LoadCase(
      name: "half a surrogate", text: #"{"entity": "Team", "title": "\ud800"}"#,
      messages: ["text.jsonl:1:36: not well-formed JSON: half of a surrogate pair"]),
    LoadCase(
      name: "no UTF-8 in a key twice", text: #"{"entity": "Team", "id": 1, "id": 2}"#,
      messages: ["text.jsonl:1:29: the key “id” is there twice; remove one of the two"]),
    LoadCase(
      name: "400 digits", text: #"{"entity": "Team", "id": "# + String(repeating: "9", count: 400) + "}",
      messages: ["text.jsonl:1:426: not well-formed JSON: this is not a number"]),
    LoadCase(
      name: "depth", file: "text.json", text: "[" + String(repeating: "[", count: 10_000),
      messages: ["text.json:1:66: lists and objects are nested more than 64 deep"]),
    LoadCase(
      name: "half a document", file: "text.json",
      text:
        #"{"format": 1, "metadata": {"NSStoreUUID": "x", "NSStoreModelVersionHashes": {}}, "objects": {"Team": [{"id": 1}"#,
      messages: ["text.json:1:112: not well-formed JSON: expected a comma or a closing bracket"]),
    LoadCase(
      name: "something behind a list", file: "text.json", text: "[] x",
      messages: ["text.json:1:4: not well-formed JSON: the text continues after its end"]),
    LoadCase(
      name: "an object that is no store", file: "text.json", text: #"{"entity": "Team"}"#,
      messages: ["text.json:1:2: the key “entity” is unknown; "]),
    LoadCase(
      name: "a store without metadata", file: "text.json", text: #"{"format": 1, "objects": {}}"#,
      messages: ["text.json:1:1: the key “metadata” is missing"]),
    LoadCase(
      name: "a store of another model", file: "text.json",
      text: #"{"format": 1, "metadata": {"NSStoreUUID": "x", "NSStoreModelVersionHashes": {}}, "objects": {}}"#,
      messages: [
        "text.json:1:15: the store is not of version v1, and no known version has its hashes; see the nearest version"
      ]),
    LoadCase(
      name: "an empty table", file: "Team.csv", text: "",
      messages: ["Team.csv:1:1: the file is empty; name the columns in the first line"]),
    LoadCase(
      name: "an unknown column", file: "Team.csv", text: "id,Title\n1,A\n",
      messages: ["Team.csv:1:4: Team has no property “Title”; nearest: title"]),
    LoadCase(
      name: "a column twice", file: "Team.csv", text: "id,title,title\n",
      messages: ["Team.csv:1:10: the header names the column “title” twice; remove one of the two"]),
    LoadCase(
      name: "a table of no entity", file: "team.csv", text: "id\n1\n",
      messages: ["team.csv:1:1: the model has no entity “team”; nearest: Team"]),
    LoadCase(
      name: "a missing field", file: "Team.csv", text: "id,title\n1\n",
      messages: [
        "Team.csv:2:1: the row has 1 field, and the header 2; quote fields that contain the delimiter or a line break"
      ]),
    LoadCase(
      name: "a quote that nothing closes", file: "Team.csv", text: "id,title\n1,\"A\n2,B\n",
      messages: ["Team.csv:2:3: the quote that opens here is not closed; write a quote inside a field as \"\""]),
    LoadCase(
      name: "a quote in a field", file: "Team.csv", text: "id,title\n1,A\"B\n",
      messages: [
        "Team.csv:2:4: a quote is in the middle of a field; put the field in quotes, and write a quote inside it as \"\""
      ]),
    LoadCase(
      name: "a delimiter that none is", file: "Team.csv", text: "id|title\n1|A\n",
      messages: ["Team.csv:1:1: Team has no property “id|title”; nearest: title"]),
    LoadCase(
      name: "a table that is cut in its last row", file: "Team.csv", text: "id,title\n1,A\n2",
      messages: ["Team.csv:3:1: the row has 1 field, and the header 2; quote fields"]),
    LoadCase(
      name: "a byte order mark alone", file: "Team.csv", text: "\u{FEFF}",
      messages: ["Team.csv:1:1: the file is empty; name the columns in the first line"]),
    LoadCase(
      name: "NUL in a line", text: "{\"entity\": \"Team\", \"id\": 1, \"title\": \"A\u{0}\"}",
      messages: ["text.jsonl:1:40: not well-formed JSON: a string contains a control character"]),
    LoadCase(
      name: "no UTF-8 in a table", file: "Team.csv", text: "id,title\n1,A\u{FFFD}\u{FFFD}B\n",
      messages: ["Team.csv:2:3: the text is not UTF-8"]),
    LoadCase(
      name: "no UTF-8 in a header", file: "Team.csv", text: "id,\u{FFFD}title\n1,A\n",
      messages: ["Team.csv:1:4: the text is not UTF-8"]),
    LoadCase(
      name: "no UTF-8 in a line",
      text: "\(team)\n{\"entity\": \"Team\", \"id\": 2, \"title\": \"A\u{FFFD}\"}",
      messages: ["text.jsonl:2:40: not well-formed JSON: the text is not UTF-8"]),
    LoadCase(
      name: "no UTF-8 in a list", file: "text.json",
      text: "[\(team),\n{\"entity\": \"Team\", \"id\": 2, \"title\": \"A\u{FFFD}\"}]",
      messages: ["text.json:2:40: not well-formed JSON: the text is not UTF-8"]),
  ]

  @Test(
    "Byte order marks, three delimiters, both ends of a line, and NUL in a field are read",
    arguments: [
      ("Team.csv", "\u{FEFF}id,title\n1,A\n", "A"), ("Team.csv", "id\ttitle\n1\tA\n", "A"),
      ("Team.csv", "id;title\r\n1;A,B\r\n", "A,B"), ("Team.csv", "id,title\n1,A\u{0}B\n", "A\u{0}B"),
      ("text.jsonl", "\u{FEFF}" + #"{"entity": "Team", "id": 1, "title": "A"}"#, "A"),
      ("text.json", "\u{FEFF}" + #"[{"entity": "Team", "id": 1, "title": "A"}]"#, "A"),
    ])
  func accepted(file: String, text: String, title: String) throws {
    let folder = try TemporaryFolder()
    #expect(try run(LoadCase(name: "", file: file, text: text, messages: []), into: folder) == [])
    let rows = try StoreDocument(storeAt: folder.path("store.sqlite"), model: EntityHierarchy(Self.model)).objects
    #expect(rows.count == 1 && rows.first?.values["title"] == .attribute(.string(title)))
  }

  @Test("An incomplete text ends immediately, with its line", arguments: structures)
  func structure(_ text: LoadCase) throws {
    let found = try run(text, into: TemporaryFolder())
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(text.messages[0]) == true, "\(found)")
  }

  @Test("Values of a table: swapped columns, numbers and links that are none")
  func table() throws {
    let text = LoadCase(
      name: "", file: "Person.csv",
      text: "id;name;age;team;isNice\r\n1;Anna;x;y;yes\r\n2;\"B\"\"b\";7;1;true\r\n", messages: [])
    #expect(
      try run(text, into: TemporaryFolder()) == [
        "Person.csv:2:8: “x” is not a valid value of age, which has the type Integer 16",
        "Person.csv:2:10: “y” is not a valid value of team, which has the type link",
        "Person.csv:2:12: “yes” is not a valid value of isNice, which has the type Boolean",
        "Person.csv:3:1: team of a new Person is Team 1, which does not exist (Core Data error 133000)",
      ])
  }

  @Test("Elements of composite attributes: their columns are named, and their decimal numbers need quotes, too")
  func composite() throws {
    let address = Composite("Address") {
      Attribute("street", .string).optional()
      Attribute("fee", .decimal).optional()
    }
    let model = ManagedObjectModel {
      address
      Entity("Person") {
        Attribute("addr", .composite(address)).optional()
        Attribute("age", .integer16).optional()
      }
    }
    let table = LoadCase(name: "", file: "Person.csv", text: "id,addr\n1,x\n", messages: [])
    #expect(
      try run(table, into: TemporaryFolder(), model: model) == [
        "Person.csv:1:4: “addr” is a composite attribute of Person, and its elements are columns; write addr.street, "
          + "addr.fee"
      ])
    let lines = LoadCase(
      name: "", text: #"{"entity": "Person", "addr": {"street": "a", "fee": 1.10}}"# + "\n", messages: [])
    let found = try run(lines, into: TemporaryFolder(), model: model)
    #expect(
      found.count == 1 && found[0].hasSuffix("write it in quotes") && found[0].contains("not a valid value of fee"))
    let sound = LoadCase(name: "", file: "Person.csv", text: "addr.street,addr.fee\na,1.10\n", messages: [])
    #expect(try run(sound, into: TemporaryFolder(), model: model) == [])
  }

  @Test("At most 100 problems are listed, and how many more there are")
  func many() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Team.csv")
    try Data(("id,leader\n" + (1...250).map { "\($0),x\n" }.joined()).utf8).write(to: URL(fileURLWithPath: path))
    let version = try LoadedVersion(bundle: "", name: "v1", isCurrent: true, model: Self.model)
    do {
      _ = try StoreLoading(path, format: .csv, version: version).run(to: folder.path("store.sqlite"))
      Issue.record("nothing is wrong")
    } catch let error as LoadError {
      let lines = error.description.split(separator: "\n")
      #expect(lines.count == 101 && lines.last == "and 150 more; 250 errors, nothing was loaded")
    }
  }
}
