import ArgumentParser
import Foundation
import ModelKit

extension Repository<Todo> {
  /// The to-do with a number of the list.
  func todo(_ number: Int64) async throws -> Todo {
    do {
      return try await get(ObjectID(key: number, in: store))
    } catch StoredObjectError.notFound {
      throw MissingTodo(number: number)
    }
  }
}

/// No to-do has the number.
struct MissingTodo: Error, CustomStringConvertible {
  let number: Int64

  var description: String { "there is no to-do \(number); todo list shows the numbers" }
}

/// Where the list is kept.
struct StoreOptions: ParsableArguments {
  @Option(help: "The store, which is made when it is missing, and migrated when it is of an older version.")
  var store = "todo.sqlite"

  /// Opens the store, does something with its to-dos, and closes it.
  func withTodos(_ body: (Repository<Todo>) async throws -> Void) async throws {
    guard let model = Bundle.module.url(forResource: "Todo", withExtension: "xcdatamodeld") else {
      throw CocoaError(.fileNoSuchFile)
    }
    let store = try await ObjectStore.open(store, model: Workspace(at: model.path).load())
    defer { try? store.close() }
    if case .migrated(let old, let new, _) = store.opening {
      FileHandle.standardError.write(Data("\(store.path): migrated from \(old) to \(new)\n".utf8))
    }
    try await body(store.repository(of: Todo.self))
  }
}
