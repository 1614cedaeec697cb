import ArgumentParser
import Foundation
import ModelKit

/// The program, which parses its arguments, runs one command, and prints errors with an exit code.
public enum CommandLineTool {
  /// Runs the program and ends the process.
  public static func main() -> Never {
    // A limit on the size of files causes an error, as a full disk does, and does not end the program.
    signal(SIGXFSZ, SIG_IGN)
    // ArgumentParser's own --version would be accepted and listed by every subcommand, and `create` has a different
    // option.
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["--version"] { printVersion() }
    var command: any ParsableCommand
    do {
      command = try parsed(arguments)
    } catch {
      end(with: error)
    }
    SQLiteMemory.stopCounting()
    SQLiteFiles.refusePipes()
    let style = (command as? any ModelctlCommand)?.style.style ?? TextStyle()
    GivenOptions.$current.withValue(GivenOptions(of: command)) {
      TextStyle.$current.withValue(style) { run(&command) }
    }
  }

  /// Parses a subcommand alone, which takes half the time of the complete command tree.
  ///
  /// The complete tree prints the help and all errors, except the error for an unknown command.
  private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    let subcommand = Modelctl.configuration.subcommands.first { $0.configuration.commandName == arguments.first }
    if let subcommand, subcommand.configuration.subcommands.isEmpty,
      let command = try? subcommand.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == subcommand
    {
      return command
    }
    if let objection = SubcommandCheck.objection(to: arguments) {
      Console.standardError(
        "error: \(ownVoice(objection.message))\n  See '\(objection.path) --help' for more information.\n")
      exit(ExitCode.validationFailure.rawValue)
    }
    return try Modelctl.parseAsRoot(arguments)
  }

  private static func run(_ command: inout any ParsableCommand) -> Never {
    RunningPrograms.endWithThisProgram()
    do {
      if let command = command as? any ResultCommand { try command.checkOutputPaths() }
      try TextWidth.$isSpoken.withValue(TextStyle.current.isPlain) {
        try TextWidth.$current.withValue(Terminal.textWidth) { try command.run() }
      }
    } catch let error where error is ExitCode || Modelctl.exitCode(for: error) != .failure {
      end(with: error)
    } catch {
      Console.standardError(ErrorMessage.text(error))
      exit(CommandExit.code(for: error).rawValue)
    }
    exit(ExitCode.success.rawValue)
  }

  /// Ends as ArgumentParser does, but with an error that begins like all errors of this program.
  private static func end(with error: any Error) -> Never {
    let message = Modelctl.fullMessage(for: error)
    guard Modelctl.exitCode(for: error) == .validationFailure, message.hasPrefix(parserPrefix) else {
      Modelctl.exit(withError: error)
    }
    Console.standardError("error: \(ownVoice(String(message.dropFirst(parserPrefix.count))))\n")
    exit(ExitCode.validationFailure.rawValue)
  }

  /// A message of ArgumentParser in the style of this program: with a lower-case letter first, and “quotation marks”.
  private static func ownVoice(_ message: String) -> String {
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard var first = lines.first, first.first?.isUppercase == true, first.dropFirst().first?.isLowercase == true else {
      return message
    }
    first = first.prefix(1).lowercased() + first.dropFirst()
    if first.hasSuffix("."), !first.dropLast().contains(".") { first.removeLast() }
    lines[0] = withoutFarSuggestion(first).replacing(/(^|[\s(])'([^']*)'/) { "\($0.1)“\($0.2)”" }
    return lines.joined(separator: "\n")
  }

  /// The message about an unknown option without a suggestion that is not similar to it.
  private static func withoutFarSuggestion(_ message: String) -> String {
    guard let match = message.firstMatch(of: /'-*([^']*)'\. Did you mean '-*([^']*)'\?$/),
      NearNames.close(to: "\(match.1)", among: ["\(match.2)"]).isEmpty, let end = message.range(of: ". Did you mean")
    else { return message }
    return String(message[..<end.lowerBound])
  }

  private static let parserPrefix = "Error: "

  private static func printVersion() -> Never {
    do {
      try Console.standardOutput("\(Modelctl.version)\n")
    } catch {
      Console.standardError(ErrorMessage.text(error))
      exit(CommandExit.failure.rawValue)
    }
    exit(ExitCode.success.rawValue)
  }
}
