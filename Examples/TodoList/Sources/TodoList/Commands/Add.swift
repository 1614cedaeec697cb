import ArgumentParser
import Foundation

/// Adds a to-do: `todo add "Buy milk" --due 2026-12-24 --priority 2`.
struct Add: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Add a to-do.")

  @Argument(help: "What is to be done.")
  var title: String

  @Option(
    help: ArgumentHelp("The day on which it is due, such as 2026-12-24.", valueName: "date"),
    transform: Todo.day)
  var due: Date?

  @Option(help: "What matters more has a higher one.")
  var priority: Int16 = 0

  @OptionGroup var options: StoreOptions

  func validate() throws {
    let isBlank = title.allSatisfy(\.isWhitespace)
    let isOneLine = title.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard !isBlank, isOneLine else { throw ValidationError("a to-do is one line of text") }
  }

  func run() async throws {
    try await options.withTodos { todos in
      let todo = try await todos.add(Todo(createdAt: .now, dueDate: due, priority: priority, title: title))
      try [todo].show()
    }
  }
}
