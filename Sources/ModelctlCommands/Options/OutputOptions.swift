import ArgumentParser
import Foundation
import ModelKit

/// In which forms a command gives its result, and where.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp("text or json; with =FILE into a file. Can be given more than once.", valueName: "format[=file]"))
  var format: [OutputFormat] = []

  /// Gives a document in every form asked for; as text on standard output when none is.
  func write(text: @autoclosure () -> String, document: some Encodable) throws {
    for format in format.isEmpty ? [OutputFormat(form: .text, file: nil)] : format {
      let content = format.form == .text ? text() : try JSONText.encode(document)
      guard let file = format.file else {
        Console.standardOutput(content)
        continue
      }
      do {
        try Data(content.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
      } catch {
        throw CommandError.unwritable(path: file, reason: error.localizedDescription)
      }
    }
  }

  /// True when some result goes to programs.
  var isForPrograms: Bool { format.contains { $0.form == .json } }
}

/// A form of output with the file it goes to.
struct OutputFormat: ExpressibleByArgument {
  enum Form: String, CaseIterable {
    case text
    case json
  }

  let form: Form
  /// Nil for standard output.
  let file: String?

  init(form: Form, file: String?) {
    self.form = form
    self.file = file
  }

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    guard let form = parts.first.flatMap(Form.init) else { return nil }
    self.init(form: form, file: parts.count == 2 ? parts[1] : nil)
  }
}
