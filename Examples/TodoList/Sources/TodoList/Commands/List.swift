import ArgumentParser

/// Shows the list: `todo list --open`.
struct List: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show the list.")

  @Flag(help: "Leave out what is done.")
  var open = false

  @OptionGroup var options: StoreOptions

  func run() async throws {
    try await options.withTodos { todos in
      try await todos.fetch(where: open ? "isDone == NO" : nil, sort: Todo.order).show()
    }
  }
}
