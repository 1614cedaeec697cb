import ArgumentParser
import Foundation
import ModelKit

/// In which forms a command gives its result, and where.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "text or json; json=FILE writes into a file. Can be given more than once.", valueName: "format"))
  var format: [OutputFormat] = []

  func validate() throws {
    guard format.filter({ $0.file == nil }).count <= 1 else {
      throw ValidationError("Only one --format can go to standard output; give the others a file, as in json=FILE.")
    }
  }

  /// Gives a document in every form asked for, files first; as text on standard output when none is.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(text: @autoclosure () -> String, document: some Encodable) throws {
    let formats = format.isEmpty ? [OutputFormat(form: .text, file: nil)] : format
    for format in formats.sorted(by: { $0.file != nil && $1.file == nil }) {
      let content = format.form == .text ? text() : try JSONText.encode(document)
      guard let file = format.file else {
        try Console.standardOutput(content)
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
