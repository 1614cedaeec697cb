import ArgumentParser

/// The output formats of a command.
protocol FormatOption: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The format without `--format`.
  static var text: Self { get }
  /// True if a command prints the paths of its results when all results go to files.
  static var namesFiles: Bool { get }
}

extension FormatOption {
  static var namesFiles: Bool { false }

  /// The formats as help and errors list them: `text, json or sarif`.
  static var list: String {
    let names = allCases.map(\.rawValue)
    return names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")"
  }

  /// An example of a format with a file: `json=FILE` if the command has JSON.
  static var example: String { "\((Self(rawValue: "json") ?? Array(allCases).last ?? text).rawValue)=FILE" }
}

/// The formats of most commands.
enum DocumentFormat: String, FormatOption {
  case text
  case json
}

/// An output format with its file.
struct OutputFormat<Form: FormatOption> {
  let form: Form
  /// The file, or nil for standard output.
  let file: String?

  init(form: Form, file: String?) { (self.form, self.file) = (form, file) }

  /// Parses a format, or `format=FILE`.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let name = parts.first, let form = Form(rawValue: name) else {
      throw ValidationError("expected \(Form.list)")
    }
    guard parts.dropFirst().first != "" else { throw ValidationError("name the file after the equals sign") }
    self.init(form: form, file: parts.dropFirst().first)
  }
}
