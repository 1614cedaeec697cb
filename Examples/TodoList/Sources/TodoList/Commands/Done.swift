import ArgumentParser
import ModelKit

/// Marks a to-do as done: `todo done 3`.
struct Done: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Mark a to-do as done.")

  @Argument(help: "Its number in the list.")
  var number: Int64

  @OptionGroup var options: StoreOptions

  func run() async throws {
    try await options.withTodos { todos in
      let todo = try await todos.update(todos.todo(number).savedID) { $0.isDone = true }
      try [todo].show()
    }
  }
}
