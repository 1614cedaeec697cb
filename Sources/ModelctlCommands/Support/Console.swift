import ArgumentParser
import Foundation
import ModelKit
import Synchronization

/// The two streams of the program: data goes to standard output, everything else to standard error.
enum Console {
  /// Writes data as it is.
  static func standardOutput(_ text: String) throws(CommandError) { try standardOutput(Data(text.utf8)) }

  /// Writes words about files, in which nothing acts that a name brings along.
  static func words(_ text: String) throws(CommandError) { try standardOutput(PrintableText.escaped(text)) }

  /// Writes bytes as they are.
  static func standardOutput(_ data: Data) throws(CommandError) {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      throw .unwritable("standard output", error)
    }
  }

  /// Writes bytes as they are; when nobody reads any more the program ends without a word, as SIGPIPE ends others.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``, and the code of a program that SIGPIPE ended.
  static func standardOutputWhileRead(_ data: Data) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
      if cause.domain == NSPOSIXErrorDomain, cause.code == Int(EPIPE) { throw ExitCode(128 + SIGPIPE) }
      throw CommandError.unwritable("standard output", error)
    }
  }

  /// Writes a finished text, with its colours where standard output has any.
  static func standardOutput(_ text: String, _ coloring: TextColoring?) throws(CommandError) {
    guard let coloring, Terminal.hasColors(.output) else { return try standardOutput(text) }
    try standardOutput(coloring.colored(text))
  }

  /// Writes a message; one that cannot be written is lost, there is nowhere else to say it.
  static func standardError(_ text: String) {
    let text = PrintableText.escaped(text)
    let shown = Terminal.hasColors(.error) ? TextColoring.messages.colored(text) : text
    try? FileHandle.standardError.write(contentsOf: Data(shown.utf8))
  }

  /// Writes a line in place of the one that stands on the terminal.
  static func redraw(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(PrintableText.escaped(line))".utf8))
  }

  /// Says what a workspace reports while it is read, the same once.
  @Sendable static func show(_ notice: WorkspaceNotice) {
    let text = "\(notice)"
    guard shown.withLock({ $0.insert(text).inserted }) else { return }
    notice.isWarning ? warn(text) : note(text)
  }

  private static let shown = Mutex<Set<String>>([])

  /// Warns of bundles that name a current version which is not there.
  static func warn(ofCurrentVersionsIn bundles: [ModelBundle]) {
    for error in bundles.compactMap(\.currentVersionError) { warn(ErrorLine.text(error)) }
  }

  static func warn(_ text: String) { standardError("warning: \(text)\n") }

  static func note(_ text: String) { standardError("note: \(text)\n") }
}
