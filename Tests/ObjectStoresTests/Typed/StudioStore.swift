import Foundation
import GRDB
import ModelDescription
import ObjectStores
import StoreRows
import TestSupport

/// An open store of ventures, for tests of generated types.
final class StudioStore {
  let folder: TemporaryFolder
  let store: ObjectStore
  var path: String { folder.path("studio.sqlite") }

  init(model: ManagedObjectModel = StudioModel.model) throws {
    folder = try TemporaryFolder()
    store = try ObjectStore.open(folder.path("studio.sqlite"), model: model)
  }

  func another() throws -> ObjectStore { try ObjectStore.open(path, model: StudioModel.model) }

  func anna() throws -> Person { try store.insert(Person(name: "Anna")) }

  /// A venture of a new person, with steps of these titles.
  func venture(_ titles: String...) throws -> Venture {
    let owner = try store.insert(Person(name: "Anna", initial: "A"))
    return try store.write { transaction in
      var venture = Venture(owner: try owner.savedID)
      for title in titles {
        let step = try transaction.insert(Step(title: title, minutes: Int32(title.utf8.count)))
        venture.steps.insert(try step.savedID)
      }
      return try transaction.insert(venture)
    }
  }

  /// The venture as a new read gives it.
  func read(_ venture: Venture) throws -> Venture { try store.get(venture.savedID) }

  func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// The numbers of the problems that keep a write from being saved; empty when it was.
  func codes(_ body: () throws -> Void) throws -> [Int] {
    do {
      try body()
      return []
    } catch let error as SaveError {
      return error.blockers.map(\.code)
    }
  }
}
