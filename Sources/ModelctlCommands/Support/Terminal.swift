import Foundation
import ModelKit

/// What the streams lead to, and what the environment asks of what is written there.
enum Terminal {
  /// The fewest and the most columns that sentences are broken at.
  private static let bounds = 40...120

  /// The columns to break sentences at: those of the terminal, within bounds; 80 if standard output is a file or
  /// a pipe. Plain text has no broken lines.
  static var textWidth: Int {
    if TextStyle.current.isPlain { return .max }
    guard isOutput else { return TextWidth.standard }
    let asked = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let columns = asked ?? TerminalSize.columns ?? TextWidth.standard
    return min(max(columns, bounds.lowerBound), bounds.upperBound)
  }

  enum Stream {
    case output
    case error

    fileprivate var isTerminal: Bool { isatty(self == .output ? STDOUT_FILENO : STDERR_FILENO) != 0 }
  }

  static var isOutput: Bool { Stream.output.isTerminal }

  /// True when somebody at a terminal can answer what is asked there.
  static var isAnswered: Bool { isatty(STDIN_FILENO) != 0 && isOutput }

  /// True when text on a stream is coloured.
  ///
  /// `--color` decides; then `NO_COLOR` (no-color.org), `CLICOLOR_FORCE` and `CLICOLOR` (bixense.com/clicolors); then
  /// whether the stream is a terminal that is not dumb.
  static func hasColors(_ stream: Stream) -> Bool {
    switch TextStyle.current.color {
    case .always: true
    case .never: false
    case .auto: hasColorsByItself(stream)
    }
  }

  private static func hasColorsByItself(_ stream: Stream) -> Bool {
    let environment = environment
    guard environment["NO_COLOR", default: ""].isEmpty else { return false }
    guard ["", "0"].contains(environment["CLICOLOR_FORCE", default: ""]) else { return true }
    return environment["CLICOLOR"] != "0" && !isDumb(environment) && stream.isTerminal
  }

  /// True when standard error is a terminal on which a line may be drawn again.
  ///
  /// Neither is done where `TERM` is `dumb` or missing, nor where `NO_COLOR` is set: who wants no colour often reads with
  /// a voice, for which a line that changes is noise.
  static var canRedraw: Bool {
    let environment = environment
    return Stream.error.isTerminal && !isDumb(environment) && environment["NO_COLOR", default: ""].isEmpty
  }

  /// True for a terminal that shows text and nothing else.
  private static func isDumb(_ environment: [String: String]) -> Bool {
    ["", "dumb"].contains(environment["TERM", default: "dumb"])
  }

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
