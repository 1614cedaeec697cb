import Foundation
import ModelKit

/// Gives what came of many stores in every form asked for: JSON line by line as it comes, text at the end.
struct FleetOutput {
  private let formats: [OutputFormat<DocumentForm>]
  private var files: [String: FileHandle] = [:]

  /// Opens the files.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  init(_ options: OutputOptions) throws {
    formats = options.format.isEmpty ? [OutputFormat(form: .text, file: nil)] : options.format
    for path in formats.compactMap(\.file) {
      try OutputPlace.check(path)
      do {
        try Data().write(to: URL(fileURLWithPath: path))
        files[path] = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      } catch {
        throw CommandError.unwritable(path, error)
      }
    }
  }

  /// Gives one store.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(_ store: FleetStoreReport) throws { try writeLine(store) }

  /// Gives the counts.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(_ report: FleetReport) throws {
    try writeLine(report)
    for format in formats where format.form == .text { try write(PrintableText.escaped(report.text), to: format.file) }
  }

  private func writeLine(_ document: some Encodable) throws {
    for format in formats where format.form == .json { try write(try JSONText.line(document), to: format.file) }
  }

  private func write(_ text: String, to file: String?) throws {
    guard let file, let handle = files[file] else { return try Console.standardOutput(text) }
    do {
      try handle.write(contentsOf: Data(text.utf8))
    } catch {
      throw CommandError.unwritable(file, error)
    }
  }
}
