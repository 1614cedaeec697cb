import Foundation
import GRDB
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("Objects as structs")
struct TypedObjectTests {
  let studio: StudioStore

  init() throws { studio = try StudioStore() }

  // MARK: Round trips

  @Test("A new object has the defaults of its model, an identifier and a version; the store agrees")
  func defaults() throws {
    let venture = try studio.venture()
    let record = try #require(try studio.store.objects([venture.savedID.record]).first)
    #expect(record["title"] == "untitled" && record["isOpen"] == true && record["level"] == 3)
    #expect(record["budget"] == .attribute(.decimal(Decimal(string: "19.99") ?? 0)))
    let read = try studio.read(venture)
    #expect(read.version?.number == 1 && read.stepCount == 0 && read.memo == nil && read.place == nil)
    #expect(read.size == 70_000 && read.factor == 0.5 && read.rate == 0.1)
    #expect(read.started == Date(timeIntervalSinceReferenceDate: 0))
  }

  @Test("A value of every type survives writing and reading")
  func values() throws {
    var venture = Venture(owner: try studio.anna().savedID)
    venture.title = "é 日本\n\u{301}"
    venture.code = .min
    venture.isOpen = false
    venture.budget = Decimal(string: "-123456.789") ?? 0
    (venture.rate, venture.factor, venture.level, venture.size) = (-1e300, 0.1, .min, .max)
    venture.deadline = Date(timeIntervalSinceReferenceDate: 0.25)
    venture.token = UUID()
    venture.site = URL(string: "https://example.org/a?b=c")
    venture.photo = Data(0...255)
    venture.palette = Data([1, 2, 3])
    venture.place = Place(street: "Elm", spot: Spot(latitude: 50.5, image: Data([9])))
    venture.default = "class"
    venture.version_ = "2.0"
    venture.memo = "not kept"
    let inserted = try studio.store.insert(venture)
    var expected = venture
    (expected.objectID, expected.version, expected.stepCount, expected.memo) =
      (inserted.objectID, inserted.version, 0, nil)
    #expect(inserted == expected)
    let record = try #require(try studio.store.objects([inserted.savedID.record]).first)
    #expect(record["palette"] == .transformed(Data([1, 2, 3])))
    var emptied = inserted
    (emptied.place, emptied.photo, emptied.palette, emptied.code) = (nil, nil, nil, nil)
    let saved = try studio.store.update(emptied)
    #expect(saved.place == nil && saved.photo == nil && saved.palette == nil && saved.code == nil)
    #expect(saved.site == inserted.site && saved.version?.number == 2)
  }

  @Test("Only changed properties are written")
  func changes() throws {
    var venture = try studio.read(studio.venture("a"))
    let unchanged = try studio.store.plan { try $0.update(venture) }
    #expect(unchanged.writes.isEmpty)
    venture.title = "other"
    venture.place = Place(street: "Elm")
    let saving = try studio.store.plan { try $0.update(venture) }
    #expect(saving.writes.updates.map(\.changed) == [["title", "place"]])
  }

  @Test("Data in an external file is read with the object, and is kept in its file until it changes")
  func externalData() throws {
    let large = Data(repeating: 7, count: 200_000)
    var venture = try studio.store.update(
      {
        var venture = try studio.read(studio.venture())
        venture.photo = large
        return venture
      }())
    let files = { try FileManager.default.contentsOfDirectory(atPath: ExternalData.folder(ofStore: studio.path)) }
    let before = try files()
    #expect(venture.photo == large && before.count == 1)
    venture.title = "other"
    venture = try studio.store.update(venture)
    #expect(try files() == before && venture.photo == large)
    let path = "\(ExternalData.folder(ofStore: studio.path))/\(before[0])"
    try FileManager.default.removeItem(atPath: path)
    let id = try venture.savedID
    #expect(throws: StoredObjectError.noFile(object: id.record, property: "photo", path: path)) {
      try studio.read(venture)
    }
  }

  @Test("A value that a struct cannot hold is an error with the object and the property")
  func misfits() throws {
    let venture = try studio.venture()
    let id = try venture.savedID.record
    try studio.execute("UPDATE ZVENTURE SET ZTITLE = NULL")
    #expect(throws: StoredObjectError.noValue(object: id, property: "title")) { try studio.read(venture) }
    try studio.execute("UPDATE ZVENTURE SET ZTITLE = 'a', ZLEVEL = 40000")
    #expect(throws: StoredObjectError.wrongValue(object: id, property: "level")) { try studio.read(venture) }
    try studio.execute("UPDATE ZVENTURE SET ZLEVEL = 4, ZLATITUDE = 1")
    #expect(throws: StoredObjectError.noValue(object: id, property: "place.street")) { try studio.read(venture) }
    try studio.execute("UPDATE ZVENTURE SET ZLATITUDE = NULL, ZOWNER = NULL")
    #expect(throws: StoredObjectError.noValue(object: id, property: "owner")) { try studio.read(venture) }
  }

  // MARK: Relationships

  @Test("An object that was read without its links keeps them, and edits add to the changes of others")
  func notLoaded() throws {
    var venture = try studio.read(studio.venture("a", "b"))
    #expect(!venture.steps.isLoaded && venture.steps.ids == nil)
    venture.title = "other"
    venture = try studio.store.update(venture)
    #expect(try studio.store.related(\.steps, of: venture).map(\.title) == ["a", "b"])
    let steps = try studio.store.related(\.steps, of: venture)
    let c = try studio.store.insert(Step(title: "c"))
    venture.steps.insert(try c.savedID, at: 1)
    venture.steps.remove(try steps[0].savedID)
    venture = try studio.store.update(venture)
    #expect(try studio.store.related(\.steps, of: venture).map(\.title) == ["c", "b"])
    venture.steps.move(try c.savedID, to: 1)
    venture = try studio.store.update(venture)
    #expect(try studio.store.related(\.steps, of: venture).map(\.title) == ["b", "c"])
    #expect(venture.stepCount == 2)
    venture.steps.set([try steps[0].savedID])
    venture = try studio.store.update(venture)
    #expect(try studio.store.related(\.steps, of: venture).map(\.title) == ["a"])
    #expect(try studio.store.related(\.venture, of: studio.store.get(c.savedID)) == nil)
  }

  @Test("Loaded rows are not written again, and a copy that is inserted does not take them away")
  func loaded() throws {
    let venture = try studio.venture("a", "b")
    var graph = try studio.store.fetch(FetchRequest<Venture>(), including: "steps")
    #expect(graph.objects[0].steps.ids?.count == 2)
    #expect(try studio.store.plan { try $0.update(graph.objects[0]) }.writes.isEmpty)
    var copy = graph.objects[0]
    copy.objectID = nil
    try studio.store.insert(copy)
    graph = try studio.store.fetch(FetchRequest<Venture>(), including: "steps")
    #expect(graph.objects.map { $0.steps.ids?.count } == [2, 0])
    #expect(graph.objects[0].objectID == venture.objectID)
  }

  @Test("The edits of a list equal the store's result, in any order")
  func edits() throws {
    let venture = try studio.venture("a", "b", "c")
    let d = try studio.store.insert(Step(title: "d"))
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<60 {
      let graph = try studio.store.fetch(FetchRequest<Venture>(), including: "steps")
      var changed = try #require(graph.objects.first)
      let all = try studio.store.fetch(Step.self).map { try $0.savedID }
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let id = try #require(all.randomElement(using: &generator))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: changed.steps.remove(id)
        case 1: changed.steps.insert(id)
        case 2: changed.steps.insert(id, at: Int.random(in: -1...4, using: &generator))
        default: changed.steps.set(all.shuffled(using: &generator).prefix(2))
        }
      }
      let expected = changed.steps.ids
      try studio.store.update(changed)
      let found = try studio.store.related(\.steps, of: venture).map { try $0.savedID }
      #expect(found == expected)
    }
    #expect(try studio.store.count(Step.self) == 4 && d.objectID != nil)
  }

  @Test("Both sides of a many-to-many relationship change; a list literal is the complete list")
  func manyToMany() throws {
    let (anna, venture) = (try studio.anna(), try studio.read(studio.venture()))
    var changed = venture
    changed.reviewers = [try anna.savedID]
    try studio.store.update(changed)
    #expect(try studio.store.related(\.reviews, of: anna).map(\.objectID) == [venture.objectID])
  }

  // MARK: Inheritance

  @Test("A fetch of the parent gives parents, whose identifiers find the complete objects")
  func inheritance() throws {
    let boss = try studio.store.insert(Employee(name: "Boss"))
    var emil = Employee(name: "Emil", salary: 20)
    emil.mentor = boss.objectID
    emil = try studio.store.insert(emil)
    try studio.store.insert(Person(name: "Anna"))
    let people = try studio.store.fetch(Person.self)
    #expect(people.map(\.name) == ["Boss", "Emil", "Anna"])
    #expect(people.map { $0.objectID?.record.entity } == ["Employee", "Employee", "Person"])
    #expect(people.map { $0.objectID.flatMap { ObjectID<Employee>($0) } } == [boss.objectID, emil.objectID, nil])
    var parent = people[1]
    parent.name = "Erna"
    try studio.store.update(parent)
    let whole: Employee = try studio.store.get(emil.savedID)
    #expect(whole.name == "Erna" && whole.salary == 20 && whole.mentor == boss.objectID)
    let venture = try studio.store.insert(Venture(owner: try emil.savedID.superobject))
    #expect(venture.owner == people[1].objectID)
    var only = FetchRequest<Person>()
    only.includesSubentities = false
    #expect(try studio.store.fetch(only).map(\.name) == ["Anna"])
    let anna = try ObjectID<Employee>(uri: people[0].savedID.uri)
    #expect(try studio.store.get(anna).name == "Boss")
  }

  // MARK: Identifiers

  @Test("An identifier is written as in Core Data and read again; an invalid identifier is refused")
  func uris() throws {
    let venture = try studio.venture()
    let id = try venture.savedID
    #expect(id.uri == "x-coredata://\(studio.store.identity.uuid)/Venture/p1" && "\(id)" == "Venture 1")
    #expect(try ObjectID<Venture>(uri: id.uri) == id)
    for text in [
      "", "x-coredata://A/Step/p1", "x-coredata://A/Venture/1", "x-coredata://A/Venture/p", "x-coredata:///Venture/p1",
      "x-coredata://A/Venture/p-1", "x-coredata://A/Venture/p1/", "http://A/Venture/p1",
      "x-coredata://A/Venture/p99999999999999999999",
    ] {
      #expect(throws: StoredObjectError.noIdentifier(text, entity: "Venture")) { try ObjectID<Venture>(uri: text) }
    }
  }

  @Test("An object of another store is refused wherever it is named")
  func otherStore() throws {
    let other = try StudioStore()
    let venture = try studio.read(studio.venture("a"))
    _ = try other.venture("b")
    let stranger = try other.anna().savedID
    let refusal = StoredObjectError.otherStore(id: stranger.uri, store: studio.path)
    #expect(refusal.code == 133_010)
    #expect(
      "\(refusal)"
        == "\(stranger.uri) is an object of another store than \(studio.path); use the identifier with its own store")
    #expect(throws: refusal) { try studio.store.get(stranger) }
    #expect(throws: refusal) { try studio.store.delete(stranger) }
    #expect(throws: refusal) { try studio.store.insert(Venture(owner: stranger)) }
    var changed = venture
    changed.owner = stranger
    #expect(throws: refusal) { try studio.store.update(changed) }
    changed = venture
    changed.reviewers.remove(stranger)
    #expect(throws: refusal) { try studio.store.update(changed) }
    #expect(throws: StoredObjectError.self) { try other.store.update(venture) }
    #expect(throws: StoredObjectError.self) { try studio.store.fetch(Venture.self) { $0.owner == stranger } }
    #expect(throws: StoredObjectError.self) { try studio.store.fetch(Venture.self, where: "owner IN %@", [stranger]) }
    #expect(try studio.store.count(Venture.self) == 1)
  }
}
