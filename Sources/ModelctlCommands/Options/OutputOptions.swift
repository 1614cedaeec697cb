import ArgumentParser
import Foundation
import ModelKit

/// In which forms most commands give their result, and where.
typealias OutputOptions = FormatOptions<DocumentForm>

/// In which forms a command gives its result, and where.
struct FormatOptions<Form: OutputForm>: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "\(Form.list); \(Form.example) writes into a file. Can be given more than once.", valueName: "format"),
    transform: OutputFormat.init)
  var format: [OutputFormat<Form>] = []

  func validate() throws {
    guard format.filter({ $0.file == nil }).count <= 1 else {
      throw ValidationError(
        "Only one --format can go to standard output; give the others a file, as in \(Form.example).")
    }
    let files = format.compactMap(\.file)
    let places = files.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    if let again = places.indices.first(where: { places[..<$0].contains(places[$0]) }) {
      throw ValidationError("Only one --format can go to \(files[again]); give each a file of its own.")
    }
  }

  /// Gives a result in every form asked for, files first; as text on standard output when none is.
  ///
  /// - Parameter content: the result in a form.
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(_ content: (Form) throws -> String) throws {
    try writeData { form in Data(try content(form).utf8) }
  }

  /// Gives a result whose forms are not all text.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func writeData(_ content: (Form) throws -> Data) throws {
    let formats = format.isEmpty ? [OutputFormat(form: .text, file: nil)] : format
    for format in formats.sorted(by: { $0.file != nil && $1.file == nil }) {
      guard let file = format.file else {
        try Console.standardOutput(try content(format.form))
        continue
      }
      let content = try TextWidth.$current.withValue(TextWidth.standard) { try content(format.form) }
      do {
        try FileReplacement.write(content, to: file)
      } catch {
        throw CommandError.unwritable(file, error)
      }
    }
  }
}

extension FormatOptions<DocumentForm> {
  /// Gives a document as text and as JSON.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(text: @autoclosure () -> String, document: some Encodable) throws {
    try write { form in
      switch form {
      case .text: PrintableText.escaped(text())
      case .json: try JSONText.encode(document)
      }
    }
  }

  /// True when some result goes to programs.
  var isForPrograms: Bool { format.contains { $0.form == .json } }
}
