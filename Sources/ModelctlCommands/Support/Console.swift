import ArgumentParser
import Foundation
import ModelKit
import Synchronization

/// The two streams of the program: data on standard output, and everything else on standard error.
enum Console {
  /// Writes a text as its bytes.
  static func standardOutput(_ text: String) throws(CommandError) { try standardOutput(Data(text.utf8)) }

  /// Writes words about files, and escapes control characters in their names.
  static func words(_ text: String) throws(CommandError) { try standardOutput(PrintableText.escaped(text)) }

  /// Writes bytes without changes to a file or a pipe; on a terminal, control characters of values are escaped.
  static func standardOutput(_ data: Data) throws(CommandError) { try write(shown(data)) }

  private static func write(_ data: Data) throws(CommandError) {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      throw .unwritable("standard output", error)
    }
  }

  /// Bytes as standard output receives them.
  private static func shown(_ data: Data) -> Data {
    guard Terminal.isOutput else { return data }
    return Data(PrintableText.escaped(String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")).utf8)
  }

  /// Writes the next bytes of a long output.
  ///
  /// If the reader of the pipe has ended, the program ends without a message, as after SIGPIPE.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:advice:)``, and the exit code of a program that SIGPIPE ended.
  static func standardOutputWhileRead(_ data: Data) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: shown(data))
    } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
      if cause.domain == NSPOSIXErrorDomain, cause.code == Int(EPIPE) { throw ExitCode(128 + SIGPIPE) }
      throw CommandError.unwritable("standard output", error)
    }
  }

  /// Writes a complete text, with colours if standard output has colours.
  static func standardOutput(_ text: String, _ coloring: TextColoring?) throws(CommandError) {
    guard let coloring, Terminal.hasColors(.output) else { return try standardOutput(text) }
    try write(Data(coloring.colored(text).utf8))
  }

  /// Writes a message.
  ///
  /// If standard error cannot be written, the message is lost.
  static func standardError(_ text: String) {
    let text = PrintableText.escaped(shortened(text))
    let shown = Terminal.hasColors(.error) ? TextColoring.messages.colored(text) : text
    try? FileHandle.standardError.write(contentsOf: Data(shown.utf8))
  }

  /// The text with an end for each line that a file made megabytes long.
  private static func shortened(_ text: String) -> String {
    guard text.utf8.count > lineLimit else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let rest = line.dropFirst(lineLimit)
      return rest.isEmpty ? String(line) : "\(line.prefix(lineLimit))… (\(Quantity.text(rest.count, "more character")))"
    }.joined(separator: "\n")
  }

  private static let lineLimit = 10_000

  /// Replaces the last line on the terminal.
  static func redraw(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(PrintableText.escaped(line))".utf8))
  }

  /// Prints the reports of a workspace, each once.
  @Sendable static func show(_ notice: WorkspaceNotice) {
    let text = "\(notice)"
    guard shown.withLock({ $0.insert(text).inserted }) else { return }
    notice.isWarning ? warn(text) : note(text)
  }

  private static let shown = Mutex<Set<String>>([])

  /// Warns about bundles whose current version does not exist.
  static func warn(ofCurrentVersionsIn bundles: [ModelBundle]) {
    for error in bundles.compactMap(\.currentVersionError) { warn(error.sentence) }
  }

  static func warn(_ text: String) { standardError("warning: \(text)\n") }

  /// Prints a note, unless the style is quiet.
  static func note(_ text: String) {
    if !TextStyle.current.isQuiet { standardError("note: \(text)\n") }
  }
}
