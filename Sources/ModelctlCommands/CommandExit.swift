import ArgumentParser
import ModelKit

/// The exit codes of every command; 0 and 64 (wrong usage) are ArgumentParser's own.
enum CommandExit {
  /// Findings, or differences that were asked about.
  static let findings = ExitCode(1)
  /// The command could not run: bad input, no such model, refused, failed.
  static let failure = ExitCode(2)
  /// Ctrl-C; nothing was changed.
  static let interrupted = ExitCode(130)

  static func code(for error: any Error) -> ExitCode {
    switch error {
    case StoreError.interrupted, StoreCreationError.interrupted, Graphviz.DrawingError.interrupted: interrupted
    default: failure
    }
  }

  /// The code of several, where being interrupted matters most.
  static func code(for errors: [any Error]) -> ExitCode {
    let codes = errors.map(code(for:))
    return codes.contains(interrupted) ? interrupted : codes.first ?? .success
  }
}
