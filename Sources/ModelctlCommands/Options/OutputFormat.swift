import ArgumentParser

/// A form of output with the file it goes to.
struct OutputFormat<Form: OutputForm> {
  let form: Form
  /// Nil for standard output.
  let file: String?

  init(form: Form, file: String?) {
    self.form = form
    self.file = file
  }

  /// Takes a form, or `form=FILE`.
  ///
  /// - Throws: `ValidationError` that lists the forms of this command.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let name = parts.first, let form = Form(rawValue: name) else {
      throw ValidationError("give \(Form.list).")
    }
    guard parts.dropFirst().first != "" else { throw ValidationError("name the file after the equals sign.") }
    self.init(form: form, file: parts.dropFirst().first)
  }
}
