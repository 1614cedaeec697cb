import Foundation
import ModelKit

/// What the streams lead to, and what the environment asks of what is written there.
enum Terminal {
  /// The fewest and the most columns that sentences are broken at.
  private static let bounds = 40...120

  /// The columns to break sentences at: those of the terminal, within bounds; 80 where standard output is none.
  static var textWidth: Int {
    guard isOutput else { return TextWidth.standard }
    let asked = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let columns = asked ?? TerminalSize.columns ?? TextWidth.standard
    return min(max(columns, bounds.lowerBound), bounds.upperBound)
  }

  /// True when standard output is a terminal.
  static var isOutput: Bool { isatty(STDOUT_FILENO) != 0 }

  /// True when standard error is a terminal on which a line may be drawn again.
  ///
  /// Neither is done where `TERM` is `dumb` or missing, nor where `NO_COLOR` is set: who wants no colour often reads with
  /// a voice, for which a line that changes is noise.
  static var canRedraw: Bool {
    let terminal = environment["TERM", default: "dumb"]
    return isatty(STDERR_FILENO) != 0 && !terminal.isEmpty && terminal != "dumb"
      && environment["NO_COLOR", default: ""].isEmpty
  }

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
