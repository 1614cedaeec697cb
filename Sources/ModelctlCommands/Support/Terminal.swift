import Foundation
import ModelKit

/// The terminal of the standard streams, with the settings in the environment.
enum Terminal {
  /// The least and the greatest width for line breaks in sentences.
  private static let bounds = 40...120

  /// The width for line breaks in sentences: the width of the terminal within bounds, or 80 for a file or a pipe.
  ///
  /// Plain text has no line breaks in sentences.
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

  /// True if a user at a terminal can answer questions.
  static var isAnswered: Bool { isatty(STDIN_FILENO) != 0 && isOutput }

  /// True if text on a stream has colours.
  ///
  /// `--color` decides first, then `NO_COLOR` (no-color.org), then `CLICOLOR_FORCE` and `CLICOLOR`
  /// (bixense.com/clicolors). Without them, a terminal that is not dumb has colours.
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

  /// True if standard error is a terminal on which modelctl may redraw a line.
  ///
  /// It is false if `TERM` is `dumb` or missing, or if `NO_COLOR` is set. Many users of `NO_COLOR` listen to a screen
  /// reader, and a line that changes is noise for them.
  static var canRedraw: Bool {
    if TextStyle.current.isPlain { return false }
    let environment = environment
    return Stream.error.isTerminal && !isDumb(environment) && environment["NO_COLOR", default: ""].isEmpty
  }

  /// True for a terminal that can only show text.
  private static func isDumb(_ environment: [String: String]) -> Bool {
    ["", "dumb"].contains(environment["TERM", default: "dumb"])
  }

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
