import ArgumentParser
import ModelKit

/// Removes a to-do: `todo remove 3`.
struct Remove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Remove a to-do.")

  @Argument(help: "Its number in the list.")
  var number: Int64

  @OptionGroup var options: StoreOptions

  func run() async throws {
    try await options.withTodos { todos in
      try await todos.delete(todos.todo(number))
    }
  }
}
