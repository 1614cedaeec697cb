import ArgumentParser
import ModelKit

/// Prints a model as plain text.
struct Show: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print a model as text, with one fact per line.",
    usage: """
      modelctl show [<model>] [--entity <name> ...] [--brief] [<options>]
      modelctl show --textconv <file>
      """,
    discussion: """
      EXAMPLES
        modelctl show                    the current version of your bundle
        modelctl show v1 --brief         one line per entity
        modelctl show v2 --entity Order --entity Customer
        modelctl show store.sqlite       the model inside a store
        modelctl show v1 --format json

      The text suits a screen reader: every line is a sentence with a full stop, and
      no sign, position or colour has a meaning. To draw a model, use modelctl
      diagram.

      FORMS OF A MODEL
        v1                           a version of a bundle in the project
        1                            its number, if only one version has it
        Orders@v1                    version v1 of the bundle Orders
        Orders                       the current version of the bundle Orders
        App/Orders.xcdatamodeld      the path of a bundle, an .xcdatamodel, a
                                     contents file, a .mom or a .momd
        1.0:App/Orders.xcdatamodeld  a path in a git revision
        store.sqlite                 the model inside a store
        "Orders@v1 + Staff@v2"       the union of versions that your app merges

      If a version or a folder has the name of a bundle, the name means the bundle.
      Write Orders@Orders for the version, and ./Orders for the folder.
      """)

  @Argument(
    help: ArgumentHelp("The model, in one of the forms above (default: the current version).", valueName: "model"))
  var argument: String?

  @Option(
    name: .customLong("entity"), parsing: .singleValue,
    help: ArgumentHelp("Print only this entity. You can repeat this option.", valueName: "name"))
  var entities: [String] = []

  @Flag(help: "Print one line per entity.")
  var brief = false

  @Flag(
    help:
      "Print a model or a store for git diff: all its facts, and no file name. Print any other file unchanged.")
  var textconv = false

  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  func validate() throws {
    if textconv, brief || !entities.isEmpty || !output.format.isEmpty {
      throw ValidationError("--textconv prints the complete model as text; remove --entity, --brief and --format")
    }
    if brief, output.isForPrograms { throw ValidationError("--brief shortens text only; remove it, or --format json") }
  }

  func run() throws {
    if textconv, let argument { return try Console.standardOutput(models.workspace.comparableText(ofFileAt: argument)) }
    let (name, file) = try models.workspace.model(argument)
    let report = ModelReport(name: name, model: file.model, entities: try wanted(in: file.model, name))
    try output.write(text: brief ? report.briefText : report.text, document: report, coloring: .model)
    for note in file.notes { Console.note("\(note)") }
  }

  /// The names of the given entities, or nil for all entities.
  private func wanted(in model: ManagedObjectModel, _ name: String) throws -> Set<String>? {
    guard !entities.isEmpty else { return nil }
    let known = model.entities.map(\.name)
    for entity in entities { try CommandError.checkEntity(entity, of: name, among: known) }
    return Set(entities)
  }
}
