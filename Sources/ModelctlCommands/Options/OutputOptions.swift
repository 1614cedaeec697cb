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
      "Print \(Form.list), or write a file with \(Form.example). You can repeat this option.", valueName: "format"),
    transform: OutputFormat.init)
  var format: [OutputFormat<Form>] = []

  var files: [String] { format.compactMap(\.file) }

  func validate() throws {
    guard format.filter({ $0.file == nil }).count <= 1 else {
      throw ValidationError(
        "only one --format can go to standard output; give each other format a file, as in \(Form.example)")
    }
    let places = files.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    if let again = places.indices.first(where: { places[..<$0].contains(places[$0]) }) {
      throw ValidationError("only one --format can go to \(files[again]); give each format its own file")
    }
  }

  /// Makes sure that results can be written into their files, before anything is done that they are about.
  func check() throws {
    for file in files where !OutputPlace.isPipe(file) {
      if let reason = ReportOption.refusal(at: file) {
        throw CommandError.unwritable(path: file, reason: "\(reason); name another file")
      }
    }
  }

  /// Gives a result in every form asked for, files first; as text on standard output when none is.
  ///
  /// - Parameter coloring: the colours of the text on standard output, nil for none.
  func write(_ coloring: TextColoring? = nil, _ content: (Form) throws -> String) throws {
    try writeFiles { form in Data(try content(form).utf8) }
    guard let form = standardOutputForm else { return }
    try Console.standardOutput(try content(form), form == .text ? coloring : nil)
  }

  /// Gives a result whose forms are not all text.
  func writeData(_ content: (Form) throws -> Data) throws {
    try writeFiles(content)
    if let form = standardOutputForm { try Console.standardOutput(try content(form)) }
  }

  /// The form that goes to standard output, nil for none.
  private var standardOutputForm: Form? { format.isEmpty ? .text : format.first { $0.file == nil }?.form }

  var printsText: Bool { standardOutputForm?.rawValue == "text" }

  private func writeFiles(_ content: (Form) throws -> Data) throws {
    for format in format {
      guard let file = format.file else { continue }
      let content = try TextWidth.$current.withValue(TextWidth.standard) { try content(format.form) }
      // The command itself may have made something there.
      try OutputPlace.check(file)
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

extension FormatOptions<DocumentForm> {
  func write(text: @autoclosure () -> String, document: some Encodable, coloring: TextColoring? = nil) throws {
    try write(coloring) { form in
      switch form {
      case .text: TextStyle.shown(text())
      case .json: try JSONText.encode(document)
      }
    }
  }

  /// Gives a document about stores that a command has worked on, and says what only a Mac can prove of them.
  ///
  /// - Parameter isWritten: false where nothing was written after all.
  func write(
    text: @autoclosure () -> String, document: some Encodable, afterWriting stores: [String], isWritten: Bool = true
  ) throws {
    try CommandError.afterWriting(stores, isWritten: isWritten) { try write(text: text(), document: document) }
    UnprovedKinds(of: stores).show()
  }

  /// Gives a document whose text has been printed as it came in the other forms that were asked for.
  func writeRest(text: @autoclosure () -> String, document: some Encodable) throws {
    try write { form in
      switch form {
      case .text: printsText ? "" : TextStyle.shown(text())
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

  /// The style that the options and the environment ask for.
  var style: TextStyle { TextStyle(color: color, isPlain: isPlain, isQuiet: quiet) }

  /// True for text that is read aloud.
  var isPlain: Bool { plain || TextStyle.isPlainByDefault }
}

/// The style of all text that the program prints.
struct TextStyle: Sendable {
  enum Color: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// On a terminal that has colours, unless `NO_COLOR` or its like is set.
    case auto
    case always
    case never
  }

  var color = Color.auto
  var isPlain = TextStyle.isPlainByDefault
  var isQuiet = false

  /// The style in force.
  @TaskLocal static var current = TextStyle()

  /// True if the environment asks for text that is read aloud.
  static var isPlainByDefault: Bool { ProcessInfo.processInfo.environment["MODELCTL_PLAIN"] == "1" }

  /// A text as a reader gets it: control characters written out, and in plain text words instead of signs.
  static func shown(_ text: String) -> String {
    let text = PrintableText.escaped(text)
    return current.isPlain ? text.replacing(" → ", with: " to ").replacing("→", with: " to ") : text
  }
}

/// What only a Mac can prove of the stores that a command wrote.
struct UnprovedKinds {
  private var notes: Set<String> = []

  /// Takes stores that were written.
  init(of paths: [String] = []) { for path in paths { add(path) } }

  /// Takes one more store that was written.
  mutating func add(_ path: String) {
    if let note = UnprovedKindText.text(of: StoreKinds.kind(ofFile: path)) { notes.insert(note) }
  }

  /// Says it on standard error, once a kind.
  func show() { for note in notes.sorted() { Console.note(note) } }
}
