import ArgumentParser
import ModelKit

/// Prints a model as plain text.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print a model, one line an entity or property.",
    usage: "modelctl show [<model>] [--model <path>] [--textconv]",
    discussion: """
      EXAMPLES
        modelctl show                    the current version of the bundle here
        modelctl show v1
        modelctl show store.sqlite       the model inside a store
      """)

  @Argument(help: ArgumentHelp("The model; the current version otherwise.", valueName: "model"))
  var argument: String?

  @Flag(help: "For git: everything in the model and no name; a file that is no model as it is.")
  var textconv = false

  @OptionGroup var models: ModelOptions

  func run() throws {
    if textconv, let argument { return try convert(argument) }
    let (name, file) = try models.resolve(argument)
    try Console.standardOutput(PrintableText.escaped(ModelReport(name: name, model: file.model).text))
    for note in file.notes { Console.note("\(note)") }
  }

  /// Git stops with an error when its converter fails, as on a file with conflict markers; that file is shown as it is.
  private func convert(_ path: String) throws {
    if let model = try? models.resolve(path).file.model {
      return try Console.standardOutput(PrintableText.escaped(CompleteModelText(model).text))
    }
    do {
      try Console.standardOutput(String(decoding: try FileBytes.read(path), as: UTF8.self))
    } catch ModelFileError.empty {
      return
    }
  }
}
