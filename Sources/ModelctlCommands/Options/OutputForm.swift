import ArgumentParser

/// The forms in which a command can give its result.
protocol OutputForm: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The form of a command that was asked for none.
  static var text: Self { get }
  /// True if a command prints where its results are when all of them go to files.
  static var namesFiles: Bool { get }
}

extension OutputForm {
  static var namesFiles: Bool { false }

  /// The forms as help and errors list them: `text, json or sarif`.
  static var list: String {
    let names = allCases.map(\.rawValue)
    return names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")"
  }

  /// How a form is given with a file: `json=FILE`, where there is JSON.
  static var example: String { "\((Self(rawValue: "json") ?? Array(allCases).last ?? text).rawValue)=FILE" }
}

/// The forms of most commands.
enum DocumentForm: String, OutputForm {
  case text
  case json
}

/// A form of output with the file it goes to.
struct OutputFormat<Form: OutputForm> {
  let form: Form
  /// Nil for standard output.
  let file: String?

  init(form: Form, file: String?) { (self.form, self.file) = (form, file) }

  /// Takes a form, or `form=FILE`.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let name = parts.first, let form = Form(rawValue: name) else { throw ValidationError("expected \(Form.list)") }
    guard parts.dropFirst().first != "" else { throw ValidationError("name the file after the equals sign") }
    self.init(form: form, file: parts.dropFirst().first)
  }
}
