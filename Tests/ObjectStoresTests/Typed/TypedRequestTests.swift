import Foundation
import MappingModels
import ObjectStores
import StoreRows
import Testing

@Suite("Requests for structs")
struct TypedRequestTests {
  let studio: StudioStore

  init() throws {
    studio = try StudioStore()
    for (position, name) in ["Zoë", "anna", "Bert"].enumerated() {
      try studio.store.write { transaction in
        let owner = try transaction.insert(Person(name: name, initial: position == 1 ? nil : String(name.prefix(1))))
        var venture = Venture(code: Int64(position + 1), owner: try owner.savedID)
        venture.title = "v\(position + 1)"
        venture.isOpen = position != 2
        venture.budget = Decimal(position * 10)
        venture.started = Date(timeIntervalSinceReferenceDate: Double(100 - position))
        if position == 1 { venture.place = Place(street: "Elm") }
        for minutes in 0..<position {
          venture.steps.insert(
            try transaction.insert(Step(title: "s\(minutes)", minutes: Int32(minutes * 30))).savedID)
        }
        try transaction.insert(venture)
      }
    }
  }

  private func titles(_ condition: (Venture.Properties) -> ObjectCondition) throws -> [String] {
    try studio.store.fetch(Venture.self, where: condition).map(\.title)
  }

  @Test("A condition on properties is the tree that the text of a predicate gives, and finds the same")
  func conditions() throws {
    let cases: [(String, (Venture.Properties) -> ObjectCondition, [String])] = [
      ("isOpen == YES", { $0.isOpen == true }, ["v1", "v2"]),
      ("code != 2", { $0.code != 2 }, ["v1", "v3"]),
      ("code > 1 AND code <= 3 AND isOpen == YES", { $0.code > 1 && $0.code <= 3 && $0.isOpen == true }, ["v2"]),
      ("code < 2 OR code >= 3", { $0.code < 2 || $0.code >= 3 }, ["v1", "v3"]),
      ("NOT (code == 1)", { !($0.code == 1) }, ["v2", "v3"]),
      ("owner.initial == nil", { $0.owner.initial == nil }, ["v2"]),
      ("owner.initial != nil", { $0.owner.initial != nil }, ["v1", "v3"]),
      (
        "owner.name CONTAINS[cd] 'OE'", { $0.owner.name.contains("OE", [.caseInsensitive, .diacriticInsensitive]) },
        ["v1"]
      ),
      ("owner.name ==[c] 'ANNA'", { $0.owner.name.equals("ANNA", .caseInsensitive) }, ["v2"]),
      ("owner.name BEGINSWITH 'B'", { $0.owner.name.hasPrefix("B") }, ["v3"]),
      ("owner.name ENDSWITH 'a'", { $0.owner.name.hasSuffix("a") }, ["v2"]),
      ("owner.name LIKE 'B*t'", { $0.owner.name.isLike("B*t") }, ["v3"]),
      ("owner.name MATCHES '[a-z]+'", { $0.owner.name.matches("[a-z]+") }, ["v2"]),
      ("code IN {1, 3}", { $0.code.isIn([1, 3]) }, ["v1", "v3"]),
      ("code BETWEEN {2, 3}", { $0.code.isBetween(2, 3) }, ["v2", "v3"]),
      ("place.street == 'Elm'", { $0.place.street == "Elm" }, ["v2"]),
      ("steps.@count > 1", { $0.steps.count > 1 }, ["v3"]),
      ("steps.@count == 0", { $0.steps.isEmpty }, ["v1"]),
      (
        "SUBQUERY(steps, $member1, $member1.minutes >= 30).@count > 0",
        { $0.steps.contains { $0.minutes >= 30 } }, ["v3"]
      ),
      ("title == owner.name", { $0.title == $0.owner.name }, []),
    ]
    for (text, condition, expected) in cases {
      let typed = FetchRequest<Venture>(where: condition)
      #expect(try typed.predicate == FetchRequest<Venture>(where: text).predicate, "\(text)")
      #expect(try studio.store.fetch(typed).map(\.title) == expected, "\(text)")
      #expect(try studio.store.fetch(Venture.self, where: text).map(\.title) == expected, "\(text)")
      #expect(try studio.store.count(Venture.self, where: condition) == expected.count)
    }
    #expect(try titles { $0.steps.sum(\.minutes) == 30 } == ["v3"])
    #expect(try titles { $0.budget > 5 && $0.budget < 15 } == ["v2"])
    #expect(try titles { $0.started < Date(timeIntervalSinceReferenceDate: 99) } == ["v3"])
    #expect(try titles { venture in venture.owner.ventures.contains { $0.code == venture.code } }.count == 3)
  }

  @Test("Objects are fetched by a linked object, typed and as an argument")
  func links() throws {
    let bert = try #require(try studio.store.fetch(Person.self, where: "name == %@", "Bert").first)
    let id = try bert.savedID
    #expect(try titles { $0.owner == id } == ["v3"])
    #expect(try titles { $0.owner != id } == ["v1", "v2"])
    #expect(try titles { $0.owner == nil } == [])
    #expect(try studio.store.fetch(Venture.self, where: "owner == %@", id).map(\.title) == ["v3"])
    #expect(try studio.store.count(Venture.self, where: "owner IN %@", [id]) == 1)
  }

  @Test("Sort keys by property and by text, over relationships, with limit and offset")
  func sorting() throws {
    var request = FetchRequest<Venture>()
    request.sort = [.ascending(\.owner.name)]
    #expect(try studio.store.fetch(request).map(\.title) == ["v3", "v1", "v2"])
    request.sort = [.ascending(\.owner.name, .standard)]
    #expect(try studio.store.fetch(request).map(\.title) == ["v2", "v3", "v1"])
    request.sort = [.descending("owner.initial"), .descending(\.code)]
    #expect(try studio.store.fetch(request).map(\.title) == ["v1", "v3", "v2"])
    (request.limit, request.offset) = (1, 1)
    #expect(try studio.store.fetch(request).map(\.title) == ["v3"])
    #expect(try studio.store.count(request) == 3)
    var titles: [String] = []
    try studio.store.read { try $0.forEach(request) { titles.append($0.title) } }
    #expect(titles == ["v3"])
    request.sort = [.ascending("nothing")]
    #expect(throws: RecordRequestError.self) { try studio.store.fetch(request) }
  }

  @Test("Included objects are fetched too; other objects are nil or an error, never a query")
  func graphs() throws {
    var request = FetchRequest<Venture>()
    request.sort = [.descending(\.code)]
    let graph = try studio.store.fetch(request, including: "owner", "steps.venture")
    let venture = graph.objects[0]
    #expect(graph[venture.owner]?.name == "Bert")
    #expect(try graph.required(venture.owner).name == "Bert")
    #expect(graph[venture.steps]?.map(\.title) == ["s0", "s1"])
    let steps = try graph.required(venture.steps)
    #expect(graph[steps[0].venture]?.title == "v3")
    #expect(graph[graph.objects[2].steps] == [])
    let plain = try studio.store.fetch(request, including: "steps")
    let owner = plain.objects[0].owner
    #expect(plain[owner] == nil)
    #expect(throws: StoredObjectError.notIncluded(owner.record)) { try plain.required(owner) }
    #expect(plain[plain.objects[0].reviewers] == nil)
    #expect(throws: StoredObjectError.notLoaded(entity: "Person")) { try plain.required(plain.objects[0].reviewers) }
    #expect(throws: RecordRequestError.self) { try studio.store.fetch(request, including: "step") }
    #expect(throws: RecordRequestError.self) { try studio.store.fetch(request, including: "steps.") }
  }

  @Test("One object can be at the ends of relationships of two types")
  func twoTypes() throws {
    let boss = try studio.store.insert(Employee(name: "Boss"))
    var pupil = Employee(name: "Emil")
    pupil.mentor = boss.objectID
    try studio.store.insert(pupil)
    var venture = Venture(owner: try boss.savedID.superobject)
    venture.code = 9
    try studio.store.insert(venture)
    let ventures = try studio.store.fetch(FetchRequest<Venture>(where: { $0.code == 9 }), including: "owner")
    #expect(ventures[ventures.objects[0].owner]?.name == "Boss")
    let people = try studio.store.fetch(FetchRequest<Employee>(where: { $0.mentor != nil }), including: "mentor")
    #expect(people[people.objects[0].mentor]?.salary == 10)
    #expect(people[people.objects[0].mentor?.superobject] == nil)
  }

  @Test("A mistake in the text of a predicate is an error with its place")
  func mistakes() throws {
    #expect(throws: RecordRequestError.self) { try studio.store.fetch(Venture.self, where: "code ==") }
    #expect(throws: RecordRequestError.self) { try studio.store.fetch(Venture.self, where: "cod == 1") }
    #expect(throws: RecordRequestError.self) { try studio.store.count(Venture.self, where: "started == 'x'") }
    #expect(throws: RecordRequestError.self) { try studio.store.count(Venture.self, where: "code == %@") }
  }
}
