import ArgumentParser
import Foundation

/// A to-do list in a Core Data store: `todo add`, `list`, `done`, `remove`, `watch`.
@main
struct TodoList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo", abstract: "A to-do list in a Core Data store.",
    subcommands: [Add.self, List.self, Done.self, Remove.self, Watch.self], defaultSubcommand: List.self)

  /// Runs a command; what it cannot do is said in one sentence, with exit code 2.
  static func main() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      // Help and wrong usage are the parser's.
      guard exitCode(for: error) == .failure else { exit(withError: error) }
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(withError: ExitCode(2))
    }
  }
}
