import ArgumentParser
import Foundation

/// The program: parses its arguments, runs one command, and turns errors into words and an exit code.
public enum CommandLineTool {
  /// Runs the program and ends the process.
  public static func main() -> Never {
    var command: any ParsableCommand
    do {
      command = try Modelctl.parseAsRoot()
    } catch {
      Modelctl.exit(withError: error)
    }
    do {
      try command.run()
    } catch let error where error is ExitCode || error is CleanExit || error is ValidationError {
      Modelctl.exit(withError: error)
    } catch {
      Console.standardError(ErrorMessage.text(error))
      exit(CommandExit.code(for: error).rawValue)
    }
    exit(ExitCode.success.rawValue)
  }
}
