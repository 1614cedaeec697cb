import ArgumentParser

/// Shows the list after each change: `todo watch`.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the list, and again after each change, whichever program made it.")

  @OptionGroup var options: StoreOptions

  func run() async throws {
    try await options.withTodos { todos in
      for try await list in todos.observe(where: nil, sort: Todo.order) {
        try list.show(end: "--\n")
      }
    }
  }
}
