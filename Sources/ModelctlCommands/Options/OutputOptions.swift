import ArgumentParser
import Foundation
import ModelKit

/// The output formats of most commands, and their files.
typealias OutputOptions = FormatOptions<DocumentFormat>

/// The output formats of a command, and their files.
struct FormatOptions<Form: FormatOption>: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Print \(Form.list), or write a file with \(Form.example). You can repeat this option.", valueName: "format"),
    transform: OutputFormat.init)
  var format: [OutputFormat<Form>] = []

  var files: [String] { format.compactMap(\.file) }

  func validate() throws {
    guard format.filter({ $0.file == nil }).count <= 1 else {
      throw ValidationError(
        "only one --format can go to standard output; give each other format a file, as in \(Form.example)")
    }
    let paths = files.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    if let again = paths.indices.first(where: { paths[..<$0].contains(paths[$0]) }) {
      throw ValidationError("only one --format can go to \(files[again]); give each format its own file")
    }
  }

  /// Checks that each result can be written to its file, before the command does anything.
  func check() throws {
    for file in files where !OutputPath.isPipe(file) {
      if let reason = ReportOption.refusal(at: file) {
        throw CommandError.unwritable(path: file, reason: reason, advice: "name another file")
      }
    }
  }

  /// Writes a result in each given format, files first, or as text to standard output if no format is given.
  ///
  /// - Parameter coloring: the colours of the text on standard output, or nil for text without colours.
  func write(_ coloring: TextColoring? = nil, _ content: (Form) throws -> String) throws {
    try writeFiles { form in Data(try content(form).utf8) }
    guard let form = standardOutputForm else { return }
    try Console.standardOutput(try content(form), form == .text ? coloring : nil)
  }

  /// Writes a result with formats that are not all text.
  func writeData(_ content: (Form) throws -> Data) throws {
    try writeFiles(content)
    if let form = standardOutputForm { try Console.standardOutput(try content(form)) }
  }

  /// The format for standard output, or nil if all results go to files.
  private var standardOutputForm: Form? { format.isEmpty ? .text : format.first { $0.file == nil }?.form }

  var printsText: Bool { standardOutputForm?.rawValue == "text" }

  private func writeFiles(_ content: (Form) throws -> Data) throws {
    for format in format {
      guard let file = format.file else { continue }
      let content = try TextWidth.$current.withValue(TextWidth.standard) { try content(format.form) }
      // The command itself may have created a file at this path.
      try OutputPath.check(file)
      do {
        try FileReplacement.write(content, to: file)
      } catch {
        throw CommandError.unwritable(file, error)
      }
    }
    guard Form.namesFiles, standardOutputForm == nil else { return }
    for file in files { Console.standardError("\(file): written\n") }
  }
}

extension FormatOptions<DocumentFormat> {
  func write(text: @autoclosure () -> String, document: some Encodable, coloring: TextColoring? = nil) throws {
    try write(coloring) { form in
      switch form {
      case .text: PrintableText.escaped(text())
      case .json: try JSONText.encode(document)
      }
    }
  }

  /// Writes a document about stores that a command changed, and lists the properties that only a Mac can verify.
  ///
  /// - Parameter isWritten: false if the command wrote nothing.
  func write(
    text: @autoclosure () -> String, document: some Encodable, afterWriting stores: [String], isWritten: Bool = true
  ) throws {
    try CommandError.afterWriting(stores, isWritten: isWritten) { try write(text: text(), document: document) }
    UnprovedKinds(of: stores).show()
  }

  /// Writes a document in the other given formats, if its text is already printed.
  func writeRest(text: @autoclosure () -> String, document: some Encodable) throws {
    try write { form in
      switch form {
      case .text: printsText ? "" : PrintableText.escaped(text())
      case .json: try JSONText.encode(document)
      }
    }
  }

  var isForPrograms: Bool { format.contains { $0.form == .json } }
}

/// The style of the text that a command prints.
struct StyleOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Colour the text; auto does it only on a terminal.", valueName: "when"))
  var color = TextStyle.Color.auto

  @Flag(
    help:
      "Print text for a screen reader: words instead of signs, and no wrapped lines. MODELCTL_PLAIN=1 does the same for every command."
  )
  var plain = false

  @Flag(name: .shortAndLong, help: "Print no notes and no progress; warnings and errors remain.")
  var quiet = false

  /// The style from the options and the environment.
  var style: TextStyle { TextStyle(color: color, isPlain: isPlain, isQuiet: quiet) }

  /// True for plain text, which suits a screen reader.
  var isPlain: Bool { plain || TextStyle.isPlainByDefault }
}

/// The style of all text that the program prints.
struct TextStyle: Sendable {
  enum Color: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Colours on a terminal that has colours, unless `NO_COLOR` or a similar variable is set.
    case auto
    case always
    case never
  }

  var color = Color.auto
  var isPlain = TextStyle.isPlainByDefault
  var isQuiet = false

  /// The current style.
  @TaskLocal static var current = TextStyle()

  /// True if the environment sets plain text.
  static var isPlainByDefault: Bool { ProcessInfo.processInfo.environment["MODELCTL_PLAIN"] == "1" }
}

/// The properties of written stores that only a Mac can verify.
struct UnprovedKinds {
  private var notes: Set<String> = []

  init(of paths: [String] = []) { for path in paths { add(path) } }

  mutating func add(_ path: String) {
    if let note = UnprovedKindText.text(of: StoreKinds.kind(ofFile: path)) { notes.insert(note) }
  }

  /// Prints the properties on standard error, once per store type.
  func show() { for note in notes.sorted() { Console.note(note) } }
}
