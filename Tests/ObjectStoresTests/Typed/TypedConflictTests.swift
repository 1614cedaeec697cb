import ModelDescription
import ObjectStores
import StoreRows
import Testing

@Suite("Structs that another process saved, and types of another model")
struct TypedConflictTests {
  let studio: StudioStore

  init() throws { studio = try StudioStore() }

  @Test("A stale object is not saved; each policy decides whose properties are kept, also unchanged properties")
  func conflicts() throws {
    let other = try studio.another()
    for (policy, title, level) in [
      (MergePolicy.propertiesOfMine, "mine", Int16(9)), (.propertiesOfStore, "mine", 9), (.overwrite, "mine", 3),
      (.rollback, "untitled", 9),
    ] {
      var mine = try studio.read(studio.venture("a"))
      var theirs: Venture = try other.get(mine.savedID)
      theirs.level = 9
      try other.update(theirs)
      mine.title = "mine"
      #expect(try studio.codes { try studio.store.update(mine) } == [133_020])
      #expect(try studio.codes { try studio.store.delete(mine) } == [133_020])
      let saved = try studio.store.update(mine, merging: policy)
      #expect(saved.title == title && saved.level == level, "\(policy)")
      #expect(try studio.store.related(\.steps, of: saved).count == 1)
    }
  }

  @Test("A deleted object cannot be read, changed or deleted, and the error reports it")
  func deletedMeanwhile() throws {
    var venture = try studio.read(studio.venture())
    try studio.another().delete(venture.savedID)
    venture.title = "other"
    #expect(try studio.codes { try studio.store.update(venture) } == [133_020])
    #expect(try studio.codes { try studio.store.delete(venture) } == [133_020])
    #expect(throws: StoredObjectError.notFound(id: try venture.savedID.uri)) { try studio.read(venture) }
  }

  @Test("An object is inserted once and updated after that; two with one unique value become one by a policy")
  func savedTwice() throws {
    var venture = try studio.read(studio.venture())
    venture.code = 5
    venture = try studio.store.update(venture)
    #expect(throws: StoredObjectError.alreadySaved(id: try venture.savedID.uri)) {
      try studio.store.insert(venture)
    }
    var new = Venture(owner: venture.owner)
    #expect(throws: StoredObjectError.notSaved(entity: "Venture")) { try studio.store.update(new) }
    #expect(throws: StoredObjectError.notSaved(entity: "Venture")) { try studio.store.delete(new) }
    (new.code, new.title) = (5, "twin")
    #expect(try studio.codes { try studio.store.insert(new) } == [133_021])
    let twin = try studio.store.insert(new, merging: .propertiesOfMine)
    #expect(twin.objectID == venture.objectID && twin.title == "twin")
    #expect(try studio.store.count(Venture.self) == 1)
  }

  @Test("A struct is stale after a save: save the result of the save next, or the same struct in one transaction")
  func savedFromOneReading() throws {
    var mine = try studio.read(studio.venture())
    mine.title = "first"
    var saved = try studio.store.update(mine)
    mine.title = "second"
    #expect(try studio.codes { try studio.store.update(mine) } == [133_020])
    #expect(try studio.codes { try studio.store.delete(mine) } == [133_020])
    #expect(try studio.read(mine) == saved && saved.title == "first")
    saved.title = "third"
    #expect(try studio.store.update(saved).title == "third")
    #expect(try studio.store.update(mine, merging: .propertiesOfMine).title == "second")
    var twice = try studio.read(mine)
    let version = try #require(twice.version?.number)
    try studio.store.write { transaction in
      twice.title = "fourth"
      try transaction.update(twice)
      twice.level = 8
      try transaction.update(twice)
    }
    let last = try studio.read(twice)
    #expect(last.title == "fourth" && last.level == 8 && last.version?.number == version + 1)
  }

  @Test("A new object can be linked to and changed in the transaction in which it is inserted")
  func inTransaction() throws {
    let saved = try studio.store.write { transaction in
      let anna = try transaction.insert(Person(name: "Anna"))
      var venture = try transaction.insert(Venture(owner: anna.savedID))
      #expect(venture.version?.number == nil && venture.title == "untitled")
      venture.title = "changed"
      venture.steps.insert(try transaction.insert(Step(title: "a")).savedID)
      try transaction.update(venture)
      #expect(try transaction.fetch(Venture.self) { $0.owner.name == "Anna" }.map(\.title) == ["changed"])
      #expect(try transaction.related(\.steps, of: venture).count == 1)
      return venture
    }
    #expect(try studio.read(saved).title == "changed")
    #expect(try studio.store.write { try $0.delete(Venture.self) { $0.title == "changed" } } == 1)
    #expect(try studio.store.count(Step.self) == 0)
  }

  @Test("Types of another definition of the entity are refused by name, and nothing is decoded")
  func otherDefinition() throws {
    var model = StudioModel.model
    let position = try #require(model.entities.firstIndex { $0.name == "Step" })
    model.entities[position].attributes[1].type = .string
    model.entities[position].attributes[1].defaultValue = nil
    let changed = try StudioStore(model: model)
    let refusal = StoredObjectError.otherDefinition(entity: "Step", path: changed.path, isKnown: true)
    #expect(throws: refusal) { try changed.store.fetch(Step.self) }
    #expect(throws: refusal) { try changed.store.insert(Step(title: "a")) }
    let venture = try changed.venture()
    #expect(throws: refusal) { try changed.store.related(\.steps, of: venture) }
    #expect(throws: refusal) { try changed.store.fetch(FetchRequest<Venture>(), including: "steps") }
    let none = try StudioStore(model: ManagedObjectModel { Entity("Other") })
    #expect(throws: StoredObjectError.otherDefinition(entity: "Step", path: none.path, isKnown: false)) {
      try none.store.count(Step.self)
    }
  }
}
