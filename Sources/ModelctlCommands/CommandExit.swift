import ArgumentParser
import ModelKit

/// The exit codes of all commands.
///
/// ArgumentParser itself uses 0 and 64 (wrong usage).
enum CommandExit {
  /// There are findings, or differences.
  static let findings = ExitCode(1)
  /// The command could not run: bad input, an unknown model, a refusal, or a failure.
  static let failure = ExitCode(2)
  /// You pressed Ctrl-C, and nothing changed.
  static let interrupted = ExitCode(130)

  static func code(for error: any Error) -> ExitCode {
    switch error {
    case StoreError.interrupted, StoreCreationError.interrupted, Graphviz.DrawingError.interrupted: interrupted
    default: failure
    }
  }

  /// The exit code for several errors, with interruptions first.
  static func code(for errors: [any Error]) -> ExitCode {
    let codes = errors.map(code(for:))
    return codes.contains(interrupted) ? interrupted : codes.first ?? .success
  }
}
