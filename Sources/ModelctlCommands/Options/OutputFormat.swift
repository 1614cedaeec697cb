import ArgumentParser

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
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let form = parts.first.flatMap(Form.init) else { return nil }
    let file = parts.dropFirst().first
    guard file != "" else { return nil }
    self.init(form: form, file: file)
  }
}
