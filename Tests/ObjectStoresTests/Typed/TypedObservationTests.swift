import ObjectStores
import StoreRows
import TestSupport
import Testing

@Suite("Observing objects of a type", .timeLimit(.minutes(30)))
struct TypedObservationTests {
  let studio: StudioStore
  let steps: Repository<Step>

  init() throws {
    studio = try StudioStore()
    steps = studio.store.repository(of: Step.self)
  }

  @Test("The objects are delivered immediately, and after each save that changed them")
  func results() async throws {
    var long = steps.observe(sort: [.descending(\.minutes)], limit: 2) { $0.minutes > 10 }.makeAsyncIterator()
    #expect(try await long.next() == [])
    let first = try await steps.add(Step(title: "first", minutes: 20))
    #expect(try await long.next() == [first])
    // What does not belong to the result is no news.
    try await steps.add(Step(title: "short", minutes: 5))
    let other = try studio.another().repository(of: Step.self)
    let second = try await other.add(Step(title: "second", minutes: 30))
    #expect(try await long.next() == [second, first])
    let changed = try await other.update(first.savedID) { $0.minutes = 40 }
    #expect(try await long.next() == [changed, second])
    try await steps.delete(second)
    #expect(try await long.next() == [changed])
  }

  @Test("All objects, those of a predicate, and those of a request are observed")
  func requests() async throws {
    var all = steps.observe().makeAsyncIterator()
    var some = steps.observe(where: "title BEGINSWITH %@", "f", sort: [.ascending(\.title)], limit: 1)
      .makeAsyncIterator()
    var related = studio.store.observe(FetchRequest<Step> { $0.venture.title == "ship" }).makeAsyncIterator()
    #expect(try await all.next() == [])
    #expect(try await some.next() == [])
    #expect(try await related.next() == [])
    let venture = try studio.venture("first", "five")
    #expect(try await all.next()?.map(\.title) == ["first", "five"])
    #expect(try await some.next()?.map(\.title) == ["first"])
    try await studio.store.repository(of: Venture.self).update(venture.savedID) { $0.title = "ship" }
    #expect(try await related.next()?.map(\.title) == ["first", "five"])
  }

  @Test("A predicate that is none, and a type of another model, end with the mistake")
  func mistakes() async throws {
    var wrong = steps.observe(where: "title ==").makeAsyncIterator()
    await #expect(throws: RecordRequestError.self) { try await wrong.next() }
    var unknown = steps.observe(where: "length > 5").makeAsyncIterator()
    await #expect(throws: RecordRequestError.self) { try await unknown.next() }
    let shop = try ShopStore()
    var foreign = shop.store.repository(of: Step.self).observe().makeAsyncIterator()
    await #expect(throws: StoredObjectError.self) { try await foreign.next() }
  }

  @Test("Leaving the loop ends the observation")
  func ends() async throws {
    for try await found in steps.observe() {
      #expect(found == [])
      break
    }
    try studio.store.close()
  }
}
