import AtomicStores
import Foundation
import ModelFiles
import ObjectStores
import PersistentStores
import StoreMigration
import StoreRows
import TestSupport
import Testing

@Suite("Repositories and asynchronous forms")
struct RepositoryTests {
  let studio: StudioStore
  let steps: Repository<Step>

  init() throws {
    studio = try StudioStore()
    steps = studio.store.repository(of: Step.self)
  }

  @Test("Objects are added, got, fetched, counted, updated and deleted")
  func all() async throws { try await check(steps, in: studio.store) }

  @Test(
    "A store of another type has the same repositories, and keeps their saves",
    arguments: StoreKinds.builtIn.map(\.name))
  func otherKinds(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("studio")
    var options = OpeningOptions()
    options.kindOfMissing = StoreKinds.builtIn.first { $0.name == name }
    let store = try await ObjectStore.open(path, model: StudioModel.model, options: options)
    try await check(store.repository(of: Step.self), in: store)
    let anna = try await store.repository(of: Person.self).add(Person(name: "Anna"))
    var venture = Venture(owner: try anna.savedID)
    venture.deadline = Date(timeIntervalSinceReferenceDate: 0.25)
    (venture.token, venture.site, venture.photo) = (UUID(), URL(string: "https://example.org/a?b=c"), Data(0...255))
    venture.place = Place(street: "Elm", spot: Spot(latitude: 50.5, image: Data([9])))
    let saved = try await store.repository(of: Venture.self).add(venture)
    try store.close()
    #expect(StoreKinds.kind(ofFile: path)?.name == name)
    let again = try await ObjectStore.open(path, model: StudioModel.model)
    #expect(again.opening == .opened)
    #expect(try await again.repository(of: Step.self).fetch().map(\.title) == ["second"])
    let read = try await again.repository(of: Venture.self).get(saved.savedID)
    #expect(read.deadline == venture.deadline && read.token == venture.token && read.site == venture.site)
    #expect(read.photo == venture.photo && read.place == venture.place && read.budget == saved.budget)
    #expect(try await again.repository(of: Person.self).fetch { $0.name == "Anna" }.map(\.objectID) == [read.owner])
    try again.close()
  }

  private func check(_ steps: Repository<Step>, in store: ObjectStore) async throws {
    let first = try await steps.add(Step(title: "first", minutes: 5))
    let id = try first.savedID
    try await steps.add(Step(title: "second", minutes: 50))
    #expect(try await steps.get(id) == first)
    #expect(try await steps.fetch().map(\.title) == ["first", "second"])
    #expect(try await steps.fetch(where: "minutes > %@", 10).map(\.title) == ["second"])
    #expect(
      try await steps.fetch(sort: [.descending(\.minutes)], limit: 1) { $0.minutes > 0 }.map(\.title) == ["second"])
    #expect(try await steps.fetch(where: nil, sort: [.descending(\.title)]).map(\.title) == ["second", "first"])
    #expect(try await steps.count() == 2)
    #expect(try await steps.count { $0.title == "first" } == 1)
    #expect(try await steps.count(where: "title == 'none'") == 0)
    let updated = try await steps.update(id) { $0.minutes += 1 }
    #expect(updated.minutes == 6 && updated.version?.number == 2)
    #expect(try await steps.get(ObjectID(key: id.record.key, in: store)) == updated)
    try await steps.update(id) { _ in }
    #expect(try await steps.get(id).version?.number == 2)
    await #expect(throws: SaveError.self) { try await steps.delete(first) }
    try await steps.delete(updated)
    await #expect(throws: StoredObjectError.notFound(id: id.uri)) { try await steps.get(id) }
    await #expect(throws: StoredObjectError.notFound(id: id.uri)) { try await steps.update(id) { $0.minutes = 1 } }
    await #expect(throws: SaveError.self) { try await steps.delete(id) }
  }

  @Test("An error in an update takes everything back")
  func failure() async throws {
    struct Stop: Error {}
    let id = try await steps.add(Step(title: "first")).savedID
    await #expect(throws: Stop.self) {
      try await steps.update(id) {
        $0.title = "other"
        throw Stop()
      }
    }
    #expect(try await steps.get(id).title == "first")
  }

  @Test("Concurrent updates of many tasks are not lost, and readers see complete saves")
  func concurrency() async throws {
    let (first, second) = (try await steps.add(Step(title: "a")), try await steps.add(Step(title: "b")))
    let ids = [try first.savedID, try second.savedID]
    let store = studio.store
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await store.write { transaction in
            for id in ids {
              var step = try transaction.get(id)
              step.minutes += 1
              try transaction.update(step)
            }
          }
        }
        group.addTask {
          let minutes = try await store.read { try $0.fetch(Step.self).map(\.minutes) }
          #expect(Set(minutes).count == 1)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await steps.fetch().map(\.minutes) == [50, 50])
  }

  @Test("A cancelled task saves nothing; a save that has begun is complete")
  func cancellation() async throws {
    let steps = steps
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await steps.add(Step(title: "never"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let store = studio.store
    let late = Task {
      try await store.write { transaction in
        try transaction.insert(Step(title: "late"))
        try transaction.insert(Step(title: "late"))
      }
    }
    // The closure does not run in the task, so that it is the task itself that is cancelled.
    late.cancel()
    let isSaved = (try? await late.value) != nil
    try await steps.add(Step(title: "after"))
    #expect(try await steps.fetch(where: "title == 'after'").count == 1)
    #expect(try await steps.fetch(where: "title == 'late'").count == (isSaved ? 2 : 0))
    #expect(try await steps.fetch(where: "title == 'never'").isEmpty)
  }

  @Test("A store is opened without a thread that waits, and refuses as the other form does")
  func opening() async throws {
    let folder = try TemporaryFolder()
    let store = try await ObjectStore.open(folder.path("new.sqlite"), model: StudioModel.model)
    #expect(store.opening == .created)
    var options = OpeningOptions()
    options.createsMissing = false
    let missing = folder.path("none.sqlite")
    await #expect(throws: ObjectStoreError.missing(path: missing)) {
      try await ObjectStore.open(missing, model: StudioModel.model, options: options)
    }
    let version = try LoadedVersion(bundle: "Studio", name: "v1", isCurrent: true, model: StudioModel.model)
    let request = MigrationRequest(path: folder.path("new.sqlite"), versions: [version], destination: version)
    #expect(try await ObjectStore.open(request).opening == .opened)
  }
}
