import ArgumentParser
import ModelKit

/// Prints a model as plain text.
struct Show: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print a model, one fact a line, to read or to hear.",
    usage: """
      modelctl show [<model>] [--entity <name> ...] [--brief] [<options>]
      modelctl show --textconv <file>
      """,
    discussion: """
      EXAMPLES
        modelctl show                    the current version of the bundle here
        modelctl show v1 --brief         a line an entity
        modelctl show v2 --entity Order --entity Customer
        modelctl show store.sqlite       the model inside a store
        modelctl show v1 --format json

      Every line ends in a full stop, where a voice pauses. No sign, place or
      colour carries a meaning. modelctl diagram draws pictures.
      """)

  @Argument(help: ArgumentHelp("The model; the current version otherwise.", valueName: "model"))
  var argument: String?

  @Option(
    name: .customLong("entity"), parsing: .singleValue,
    help: ArgumentHelp("Only this entity. Can be given more than once.", valueName: "name"))
  var entities: [String] = []

  @Flag(help: "A line an entity.")
  var brief = false

  @Flag(
    help:
      "For git: everything in the model and no name, or the objects of a store; a file that is neither as it is.")
  var textconv = false

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    if textconv, brief || !entities.isEmpty || !output.format.isEmpty {
      throw ValidationError("--textconv prints everything as text; leave --entity, --brief and --format out")
    }
    if brief, output.isForPrograms { throw ValidationError("--brief is for reading; leave it out with --format json") }
  }

  func run() throws {
    if textconv, let argument { return try Console.standardOutput(models.workspace.comparableText(ofFileAt: argument)) }
    let (name, file) = try models.workspace.model(argument)
    let report = ModelReport(name: name, model: file.model, entities: try wanted(in: file.model, name))
    try output.write(text: brief ? report.briefText : report.text, document: report, coloring: .model)
    for note in file.notes { Console.note("\(note)") }
  }

  /// The names of the entities asked for, nil when all are.
  private func wanted(in model: ManagedObjectModel, _ name: String) throws -> Set<String>? {
    guard !entities.isEmpty else { return nil }
    let known = model.entities.map(\.name)
    for entity in entities { try CommandError.checkEntity(entity, of: name, among: known) }
    return Set(entities)
  }
}
