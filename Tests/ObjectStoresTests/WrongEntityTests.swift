import ModelDescription
import ObjectStores
import StoreRows
import TestSupport
import Testing

@Suite("An object that is named by an entity of its family that it is not of")
struct WrongEntityTests {
  @Test("It is not there: nothing is read, changed, deleted or taken out of a list by that name")
  func records() throws {
    let shop = try ShopStore()
    let anna = try shop.customer()
    let (item, order) = try shop.store.write { transaction in
      let item = try transaction.insert("Item", ["title": .text("pen")])
      return (item, try transaction.insert("Order", ["customer": .object(anna), "items": .objects([item])]))
    }
    let wrong = RecordID(entity: "Tag", key: item.key)
    #expect(try shop.record(wrong) == nil)
    #expect(try shop.store.objects([wrong, item]).map(\.id) == [item])
    let changes: [(StoreTransaction) throws -> Void] = [
      { try $0.delete(wrong) }, { try $0.update(wrong, ["title": .text("ink")]) },
      { try $0.update(wrong, ["orders": .objects([order])]) },
    ]
    for change in changes {
      let problems = try shop.problems(change)
      #expect(problems.map(\.code) == [133_020])
      #expect(problems.map(\.description) == ["\(wrong) does not exist any more"])
    }
    #expect(try shop.problems { try $0.remove(wrong, from: "items", of: order) } == [])
    #expect(try shop.store.links(along: "items", of: order) == [item])
    #expect(try shop.record(item)?.version == 1 && shop.record(item)?["title"] == .text("pen"))
  }

  @Test("The name of an entity above its own means it")
  func parents() throws {
    let shop = try ShopStore()
    let item = try shop.store.write { try $0.insert("Item", ["title": .text("pen")]) }
    let parent = RecordID(entity: "Thing", key: item.key)
    #expect(try shop.record(parent)?.id == item)
    #expect(try shop.problems { try $0.update(parent, ["title": .text("ink")]) } == [])
    #expect(try shop.record(item)?["title"] == .text("ink"))
    #expect(try shop.problems { try $0.delete(parent) } == [])
    #expect(try shop.record(item) == nil)
  }

  @Test("A typed identifier with such a key finds no object, and deletes and links nothing")
  func identifiers() throws {
    let studio = try StudioStore()
    let anna = try studio.anna()
    let id = ObjectID<Employee>(key: try anna.savedID.record.key, in: studio.store)
    #expect(throws: StoredObjectError.notFound(id: id.uri)) { try studio.store.get(id) }
    #expect(try studio.codes { try studio.store.delete(id) } == [133_020])
    #expect(try studio.codes { try studio.store.insert(Venture(owner: id.superobject)) } == [133_000, 1570])
    #expect(try studio.store.get(anna.savedID) == anna)
    #expect(try studio.store.count(Venture.self) == 0)
    let emil = try studio.store.insert(Employee(name: "Emil"))
    let person = ObjectID<Person>(key: try emil.savedID.record.key, in: studio.store)
    #expect(try studio.store.get(person).name == "Emil")
    try studio.store.delete(person)
    #expect(try studio.store.count(Employee.self) == 0)
  }
}
