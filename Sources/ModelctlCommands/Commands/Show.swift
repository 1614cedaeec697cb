import ArgumentParser
import ModelKit

/// Prints a model as plain text.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print a model, one line an entity or property.",
    usage: "modelctl show [<model>] [--model <path>]",
    discussion: """
      EXAMPLES
        modelctl show                    the current version of the bundle here
        modelctl show v1
        modelctl show store.sqlite       the model inside a store
      """)

  @Argument(help: ArgumentHelp("The model; the current version otherwise.", valueName: "model"))
  var argument: String?

  @OptionGroup var models: ModelOptions

  func run() throws {
    let (name, file) = try models.resolve(argument)
    try Console.standardOutput(ModelReport(name: name, model: file.model).text)
    for note in file.notes { Console.note("\(note)") }
  }
}
