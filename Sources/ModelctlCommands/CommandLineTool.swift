import ArgumentParser
import Foundation

/// The program: parses its arguments, runs one command, and turns errors into words and an exit code.
public enum CommandLineTool {
  /// Runs the program and ends the process.
  public static func main() -> Never {
    let command: any ParsableCommand
    do {
      command = try Modelctl.parseAsRoot()
    } catch {
      Modelctl.exit(withError: error)
    }
    do {
      var command = command
      try command.run()
    } catch where Modelctl.exitCode(for: error) != .failure || error is ExitCode {
      Modelctl.exit(withError: error)
    } catch {
      Console.standardError("error: \(error)\n")
      exit(CommandExit.code(for: error).rawValue)
    }
    exit(ExitCode.success.rawValue)
  }
}
