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

@Suite("Texts that are loaded into a store that is there")
struct StoreFillingTests {
  private let folder: TemporaryFolder
  private let version: LoadedVersion

  init() throws {
    folder = try TemporaryFolder()
    version = try LoadedVersion(bundle: "Shop", name: "v1", isCurrent: true, model: ShopModel.model)
  }

  private func load(
    _ text: String, _ name: String = "text.jsonl", into store: String = "shop.sqlite", matching matches: [String] = [],
    updates: Bool = false, version: LoadedVersion? = nil, kind: (any StoreKind)? = nil
  ) throws -> StoreLoading.Outcome {
    let path = folder.path(name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    var loading = StoreLoading(path, format: try #require(LoadFormat(of: path)), version: version ?? self.version)
    (loading.matches, loading.updates) = (matches.compactMap { LoadMatch($0) }, updates)
    return try loading.run(to: folder.path(store), kind: kind)
  }

  private func objects(
    _ store: String = "shop.sqlite", version other: LoadedVersion? = nil
  ) throws -> [String: [String: RecordValue]] {
    let place = folder.path(store)
    let version = other ?? self.version
    let mirror = try StoreMirror.of(place, versions: [version])
    let document = try StoreDocument(storeAt: mirror?.store ?? place, model: version.hierarchy)
    return Dictionary(uniqueKeysWithValues: document.objects.map { ("\($0.id)", $0.values) })
  }

  private func problems(_ body: () throws -> StoreLoading.Outcome) -> [String] {
    do {
      _ = try body()
      return []
    } catch LoadError.findings(let problems, _) {
      return problems.map { "\($0)".replacing("\(folder.url.path)/", with: "") }
    } catch {
      return ["\(error)"]
    }
  }

  private func makeShop() throws {
    let store = try ObjectStore.open(folder.path("shop.sqlite"), model: ShopModel.model)
    try store.write { transaction in
      let anna = try transaction.insert("Customer", ["email": "anna", "age": 30])
      _ = try transaction.insert("Member", ["email": "bert"])
      for note in ["a", "b"] {
        try transaction.insert("Order", ["note": .attribute(.string(note)), "customer": .object(anna)])
      }
    }
    try store.close()
  }

  @Test("New objects get the text's keys or the next ones; those that are there are problems, all of them")
  func insertion() throws {
    try makeShop()
    let outcome = try load(
      """
      {"entity": "Order", "id": 9, "note": "c", "customer": 2}
      {"entity": "Order", "note": "d", "customer": 40}
      {"entity": "Customer", "id": 40, "email": "carl"}
      """)
    #expect(outcome.inserted == ["Order": 2, "Customer": 1] && outcome.updated.isEmpty && !outcome.isNew)
    let all = try objects()
    #expect(all["Order 9"]?["customer"] == .object(RecordID(entity: "Member", key: 2)))
    #expect(all["Order 10"]?["customer"] == .object(RecordID(entity: "Customer", key: 40)))
    let found = problems {
      try load(
        """
        {"entity": "Order", "id": 1, "note": "e"}
        {"entity": "Customer", "id": 50, "email": "anna"}
        {"entity": "Order", "id": 60, "customer": 70}
        """)
    }
    #expect(
      found == [
        "text.jsonl:1:1: Order 1 already exists; update the objects that exist",
        "text.jsonl:2:1: a new Customer has the same email as Customer 1, which must be unique (Core Data error 133021)",
        "text.jsonl:3:1: customer of a new Order is Customer 70, which does not exist (Core Data error 133000)",
      ])
    #expect(try objects() == all)
    let error = #expect(throws: LoadError.self) { try load(#"{"entity": "Order", "id": 1, "note": "e"}"#) }
    #expect(error?.advice?.text == "update the objects that exist: --upsert")
  }

  @Test("--upsert changes the named properties, and keeps the others")
  func update() throws {
    try makeShop()
    let outcome = try load(
      """
      {"entity": "Customer", "id": 1, "age": 31, "orders": [2]}
      {"entity": "Order", "id": 1, "customer": 2}
      {"entity": "Order", "id": 3, "note": "c", "customer": 1}
      """, updates: true)
    #expect(outcome.inserted == ["Order": 1] && outcome.updated == ["Customer": 1, "Order": 1])
    let all = try objects()
    #expect(all["Customer 1"]?["email"] == "anna" && all["Customer 1"]?["age"] == 31)
    #expect(
      all["Customer 1"]?["orders"] == .objects([RecordID(entity: "Order", key: 2), RecordID(entity: "Order", key: 3)]))
    #expect(all["Member 2"]?["orders"] == .objects([RecordID(entity: "Order", key: 1)]))
    #expect(all["Order 1"]?["note"] == "a")
    _ = try load(#"{"entity": "Customer", "id": 1, "age": null}"#, updates: true)
    #expect(try objects()["Customer 1"]?["age"] == nil)
    #expect(
      problems { try load(#"{"entity": "Member", "id": 1, "email": "x"}"#, updates: true) } == [
        "text.jsonl:1:1: Customer 1, an object of another entity, has this key"
      ])
  }

  @Test("--upsert keeps properties that JSON does not name, also attributes with a default and composite attributes")
  func unnamed() throws {
    let address = Composite("Address") { Attribute("street", .string).optional() }
    var model = ManagedObjectModel {
      address
      Entity("Person") {
        Attribute("name", .string).optional()
        Attribute("addr", .composite(address)).optional()
        Attribute("age", .integer64).optional()
      }
    }
    let age = try #require(model.entities[0].attributes.firstIndex { $0.name == "age" })
    model.entities[0].attributes[age].defaultValue = .integer(18)
    let version = try LoadedVersion(bundle: "People", name: "v1", isCurrent: true, model: model)
    for kind in [nil] + StoreKinds.builtIn.map(Optional.some) {
      let store = "people.\(kind?.name ?? "sqlite")"
      _ = try load(
        #"{"entity": "Person", "id": 1, "name": "a", "age": 7, "addr": {"street": "s"}}"#, into: store,
        version: version, kind: kind)
      _ = try load(
        #"{"entity": "Person", "id": 1, "name": "b"}"# + "\n" + #"{"entity": "Person", "id": 2, "name": "c"}"#,
        into: store, updates: true, version: version)
      let all = try objects(store, version: version)
      let person = all["Person 1"]
      #expect(person?["name"] == "b" && person?["age"] == 7, "\(store)")
      #expect(person?["addr"] == .composite(["street": "s"]), "\(store)")
      #expect(all["Person 2"]?["age"] == nil && all["Person 2"]?["name"] == "c", "\(store)")
    }
  }

  @Test("--upsert leaves alone the elements of a composite attribute that JSON does not name")
  func unnamedElements() throws {
    let street = Composite("Street") {
      Attribute("name", .string).optional()
      Attribute("number", .integer16).optional()
    }
    let address = Composite("Address") {
      Attribute("city", .string).optional()
      Attribute("zip", .string).optional()
      Attribute("street", .composite(street)).optional()
    }
    let model = ManagedObjectModel {
      street
      address
      Entity("Person") { Attribute("addr", .composite(address)).optional() }
    }
    let version = try LoadedVersion(bundle: "People", name: "v1", isCurrent: true, model: model)
    for kind in [nil] + StoreKinds.builtIn.map(Optional.some) {
      let store = "people.\(kind?.name ?? "sqlite")"
      func loaded(_ addr: String, updates: Bool = true) throws -> RecordValue? {
        let text = #"{"entity": "Person", "id": 1, "addr": \#(addr)}"#
        _ = try load(text, into: store, updates: updates, version: version, kind: updates ? nil : kind)
        return try objects(store, version: version)["Person 1"]?["addr"]
      }
      let whole = #"{"city": "Ulm", "zip": "1", "street": {"name": "s", "number": 7}}"#
      var expected: [String: RecordValue] = [
        "city": "Ulm", "zip": "1", "street": .composite(["name": "s", "number": 7]),
      ]
      #expect(try loaded(whole, updates: false) == .composite(expected), "\(store)")
      expected["street"] = .composite(["name": "t", "number": 7])
      #expect(try loaded(#"{"street": {"name": "t"}}"#) == .composite(expected), "\(store)")
      expected["zip"] = nil
      #expect(try loaded(#"{"zip": null}"#) == .composite(expected), "\(store)")
      #expect(try loaded("{}") == .composite(expected), "\(store)")
      expected["street"] = nil
      #expect(try loaded(#"{"street": null}"#) == .composite(expected), "\(store)")
      #expect(try loaded("null") == nil, "\(store)")
    }
  }

  @Test("--upsert leaves elements alone also where objects exchange a unique value")
  func unnamedElementsOfUnique() throws {
    let place = Composite("Place") {
      Attribute("city", .string).optional()
      Attribute("zip", .string).optional()
    }
    let model = ManagedObjectModel {
      place
      Entity("Person") {
        Attribute("code", .string)
        Attribute("home", .composite(place)).optional()
        UniquenessConstraint("code")
      }
    }
    let version = try LoadedVersion(bundle: "People", name: "v1", isCurrent: true, model: model)
    for kind in [nil] + StoreKinds.builtIn.map(Optional.some) {
      let store = "unique.\(kind?.name ?? "sqlite")"
      func text(_ codes: [String], _ home: String) -> String {
        codes.enumerated().map { #"{"entity": "Person", "id": \#($0 + 1), "code": "\#($1)", "home": \#(home)}"# }
          .joined(separator: "\n")
      }
      _ = try load(text(["a", "b"], #"{"city": "Ulm", "zip": "1"}"#), into: store, version: version, kind: kind)
      _ = try load(text(["b", "a"], #"{"city": "Bonn"}"#), into: store, updates: true, version: version)
      let people = try objects(store, version: version)
      #expect([1, 2].map { people["Person \($0)"]?["code"] } == ["b", "a"], "\(store)")
      #expect(people["Person 2"]?["home"] == .composite(["city": "Bonn", "zip": "1"]), "\(store)")
    }
  }

  @Test("A match is of one object, its keys are names inside the text, and each of them is of one object")
  func ambiguousMatches() throws {
    _ = try load(
      """
      {"entity": "Tag", "id": 1, "name": "a"}
      {"entity": "Tag", "id": 2, "name": "a"}
      {"entity": "Tag", "id": 3, "name": "c"}
      {"entity": "Tag", "id": 4, "name": "d"}
      """)
    let all = try objects()
    #expect(
      problems { try load(#"{"entity": "Tag", "name": "a"}"#, matching: ["Tag.name"], updates: true) } == [
        "text.jsonl:1:1: 2 objects have this name: Tag 1, Tag 2; match by an attribute with unique values"
      ])
    #expect(
      problems { try load("name,friends\nb,a\n", "Tag.csv", matching: ["Tag.name"], updates: true) } == [
        "Tag.csv:2:1: friends links to “a”, a value of 2 objects: Tag 1, Tag 2; match by an attribute with unique values"
      ])
    let twice = #"{"entity": "Tag", "id": 9, "name": "c"}"# + "\n" + #"{"entity": "Tag", "id": 9, "name": "d"}"#
    #expect(
      problems { try load(twice, matching: ["Tag.name"], updates: true) }
        == ["text.jsonl:2:1: there are two objects Tag 9"])
    #expect(try objects() == all)
    let unvalued = #"{"entity": "Tag", "id": 3, "friends": [4]}"# + "\n" + #"{"entity": "Tag", "id": 4, "name": "d"}"#
    let outcome = try load(unvalued, matching: ["Tag.name"], updates: true)
    #expect(outcome.inserted == ["Tag": 1] && outcome.updated == ["Tag": 1])
    let after = try objects()
    #expect(after["Tag 3"] == all["Tag 3"])
    #expect(after["Tag 5"]?["friends"] == .objects([RecordID(entity: "Tag", key: 4)]))
  }

  @Test("An invalid match is refused, and the message names valid matches")
  func wrongMatches() throws {
    func message(_ matches: String...) -> String? {
      problems { try load("email\nanna\n", "Customer.csv", matching: matches) }.first
    }
    #expect(
      message("Custommer.email")?.hasPrefix(
        "the model has no attribute “Custommer.email”; nearest: Customer.email") == true)
    #expect(message("Tagg.email")?.contains("Tag.email") == false)
    #expect(
      message("Customer.email", "Customer.age")
        == "objects of Customer are already matched by email, and cannot be matched by age too; remove one of the two")
    var model = ShopModel.model
    model.entities[0].attributes[1].isTransient = true
    let version = try LoadedVersion(bundle: "Shop", name: "v1", isCurrent: true, model: model)
    let found = problems { try load("email\nanna\n", "Customer.csv", matching: ["Customer.age"], version: version) }
    #expect(
      found == [
        "objects cannot be matched by Customer.age, a derived, transient or composite attribute"
      ])
  }

  @Test("Contradictory ends of a link are a problem, in either order", arguments: [false, true])
  func contradictingEnds(isSwapped: Bool) throws {
    try makeShop()
    _ = try load(#"{"entity": "Tag", "id": 1, "name": "t", "orders": [1]}"#)
    let all = try objects()
    func problems(_ first: String, _ second: String) -> [String] {
      let text = (isSwapped ? [second, first] : [first, second]).joined(separator: "\n")
      return self.problems { try load(text, updates: true) }
    }
    let line = isSwapped ? 2 : 1
    #expect(
      problems(#"{"entity": "Tag", "id": 1, "orders": [1, 2]}"#, #"{"entity": "Order", "id": 2, "tags": []}"#)
        .contains { $0.hasPrefix("text.jsonl:\(line):1: orders of Tag 1 points to Order 2, whose tags is empty") })
    #expect(
      problems(#"{"entity": "Order", "id": 1, "next": 2}"#, #"{"entity": "Order", "id": 2, "former": null}"#)
        .contains { $0.hasPrefix("text.jsonl:\(line):1: next of Order 1 points to Order 2, whose former is empty") })
    #expect(
      problems(#"{"entity": "Order", "id": 1, "customer": 1}"#, #"{"entity": "Customer", "id": 1, "orders": [2]}"#)
        .contains {
          $0.hasPrefix(
            "text.jsonl:\(line):1: customer of Order 1 points to Customer 1, whose orders points to another object")
        })
    #expect(try objects() == all)
    #expect(
      problems(#"{"entity": "Tag", "id": 1, "orders": [1, 2]}"#, #"{"entity": "Order", "id": 2, "note": "n"}"#) == [])
    let tag = RecordID(entity: "Tag", key: 1)
    #expect(try objects()["Order 2"]?["tags"] == .objects([tag]))
  }

  @Test("Keys from 2^53 on keep all digits", arguments: LoadFormat.allCases)
  func longKeys(_ form: LoadFormat) throws {
    let (first, second) = (Int64(9_007_199_254_740_993), Int64(9_007_199_254_740_992))
    _ = try load(
      """
      {"entity": "Tag", "id": \(first), "name": "a", "friends": [\(second)]}
      {"entity": "Tag", "id": \(second), "name": "b"}
      {"entity": "Tag", "name": "c"}
      """, into: "keys.json", kind: JSONStoreKind())
    let all = try objects("keys.json")
    #expect(Set(all.keys) == ["Tag \(first)", "Tag \(second)", "Tag \(first + 1)"])
    #expect(all["Tag \(first)"]?["friends"] == .objects([RecordID(entity: "Tag", key: second)]))
    _ = try StoreLoading(folder.path("keys.json"), format: .json, version: version).run(to: folder.path("copy.sqlite"))
    #expect(try objects("copy.sqlite") == all)
    let text = try LoadTexts(folder.path("copy.sqlite"), version.hierarchy).write(form, to: folder)
    _ = try StoreLoading(text, format: form, version: version).run(to: folder.path("again.sqlite"))
    #expect(try objects("again.sqlite") == all)
  }

  @Test("Matched objects are found by a value; links are values, or keys where the text has keys")
  func matching() throws {
    try makeShop()
    _ = try load(
      "email,age\nbert,50\ndora,20\n", "Member.csv", matching: ["Customer.email"], updates: true)
    var all = try objects()
    #expect(all["Member 2"]?["age"] == 50 && all["Member 3"]?["email"] == "dora")
    _ = try load("note,customer\nnew,dora\nother,anna\n", "Order.csv", matching: ["Customer.email"])
    all = try objects()
    #expect(all["Order 3"]?["customer"] == .object(RecordID(entity: "Member", key: 3)))
    #expect(all["Order 4"]?["customer"] == .object(RecordID(entity: "Customer", key: 1)))
    _ = try load(
      """
      {"entity": "Order", "note": "k", "customer": 77}
      {"entity": "Customer", "id": 77, "email": "anna", "age": 33}
      """, matching: ["Customer.email"], updates: true)
    all = try objects()
    #expect(all["Order 5"]?["customer"] == .object(RecordID(entity: "Customer", key: 1)))
    #expect(all["Customer 1"]?["age"] == 33 && all["Customer 77"] == nil)
    #expect(
      problems { try load("note,customer\nx,nobody\n", "Order.csv", matching: ["Customer.email"]) }.first
        == "Order.csv:2:1: customer links to “nobody”, a value that no object has")
    #expect(
      problems {
        try load("email\nanna\nanna\n", "Customer.csv", matching: ["Customer.email"], updates: true)
      } == ["Customer.csv:3:1: another object of the text already matches Customer 1"])
    #expect(
      problems { try load("email\nanna\n", "Customer.csv", matching: ["Customer.mail"]) }
        == [
          "the model has no attribute “Customer.mail”; nearest: Customer.email"
        ])
  }

  @Test("A new store with matches has the same objects whichever way links are written")
  func matchingNew() throws {
    let outcome = try load(
      """
      {"entity": "Order", "note": "k", "customer": "anna"}
      {"entity": "Customer", "email": "anna"}
      """, into: "new.sqlite", matching: ["Customer.email"])
    #expect(outcome.isNew && outcome.inserted == ["Order": 1, "Customer": 1])
    #expect(try objects("new.sqlite")["Order 1"]?["customer"] == .object(RecordID(entity: "Customer", key: 1)))
  }

  @Test("Objects of one entity as a list, with --entity; a column that is not there is a default")
  func plainList() throws {
    let path = folder.path("list.json")
    try Data(#"[{"name": "x"}, {"name": "y", "id": 9}]"#.utf8).write(to: URL(fileURLWithPath: path))
    var loading = StoreLoading(path, format: .json, version: version)
    loading.entity = "Tag"
    #expect(try loading.run(to: folder.path("tags.sqlite")).inserted == ["Tag": 2])
    #expect(try Set(objects("tags.sqlite").keys) == ["Tag 10", "Tag 9"])
  }

  @Test("A store of another type is changed completely", arguments: StoreKinds.builtIn.map(\.name))
  func kinds(_ name: String) throws {
    try makeShop()
    let kind = try #require(StoreKinds.builtIn.first { $0.name == name })
    try StoreConversion(version).convert(folder.path("shop.sqlite"), to: folder.path("shop.other"), kind: kind)
    let before = try objects("shop.other")
    _ = try load(#"{"entity": "Tag", "id": 3, "name": "t"}"#, into: "shop.other")
    let after = try objects("shop.other")
    #expect(after["Tag 3"]?["name"] == "t" && after.filter { $0.key != "Tag 3" } == before)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("shop.other")))
    #expect(problems { try load(#"{"entity": "Order", "id": 90}"#, into: "shop.other") }.count == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("shop.other"))) == bytes)
  }

  @Test("A store of another version is named with its version")
  func otherVersion() throws {
    var old = ShopModel.model
    old.entities[0].attributes.removeLast()
    let first = try LoadedVersion(bundle: "Shop", name: "v0", isCurrent: false, model: old)
    try StoreCreator(of: first.hierarchy).create(at: folder.path("old.sqlite"))
    let path = folder.path("text.jsonl")
    try Data(#"{"entity": "Tag"}"#.utf8).write(to: URL(fileURLWithPath: path))
    let loading = StoreLoading(path, format: .jsonl, version: version, versions: [first, version])
    #expect(
      throws: ObjectStoreError.older(path: folder.path("old.sqlite"), version: "v0", wanted: "v1")
    ) { try loading.run(to: folder.path("old.sqlite")) }
  }
}
