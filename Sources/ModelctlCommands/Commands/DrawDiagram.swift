import ArgumentParser
import ModelKit

/// Pictures a model, or what changed between two.
struct DrawDiagram: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagram",
    abstract: "Picture a model, or what changed between two.",
    usage: "modelctl diagram [<model>] [<latter>] [--entity <name> ...] [<options>]",
    discussion: """
      EXAMPLES
        modelctl diagram v1                     Mermaid, for Markdown files
        modelctl diagram v1 v2 --format html=changes.html
        modelctl diagram --format svg=model.svg --format dbml=model.dbml
        modelctl diagram --entity Order         it and what it is linked to

      Of two models the newer one is drawn with what is gone: thick lines are
      added, dashed ones removed, dotted ones changed, and words say so too.
      html is one page with the picture and everything in words; svg, png and
      the page's picture need Graphviz. modelctl show and diff --plain tell
      the same without a picture.
      """)

  @Argument(help: ArgumentHelp("The model; the current version otherwise.", valueName: "model"))
  var argument: String?

  @Argument(help: ArgumentHelp("A newer model, to picture what changed.", valueName: "latter"))
  var destination: String?

  @Option(
    name: .customLong("entity"), parsing: .singleValue,
    help: ArgumentHelp("Only this entity and what it is linked to. Can be given more than once.", valueName: "name"))
  var entities: [String] = []

  @Flag(help: "Of two models only what changed and what it is linked to.")
  var changed = false

  @Flag(help: "Short for --format html.")
  var html = false

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: FormatOptions<DiagramForm>
  @OptionGroup var color: ColorOption

  func validate() throws {
    if changed, destination == nil { throw ValidationError("--changed is for two models; name the newer one too") }
    if html, output.format.contains(where: { $0.file == nil }) {
      throw ValidationError("--html goes to standard output; give the other --format a file")
    }
  }

  func run() throws {
    var output = output
    if html { output.format.append(OutputFormat(form: .html, file: nil)) }
    if output.format.contains(where: { $0.form == .png && $0.file == nil }), Terminal.isOutput {
      throw CommandError.pictureOnTerminal
    }
    guard let argument, let destination else {
      return try Drawing.model(models.workspace.namedModel(argument), entities).write(to: output)
    }
    let models = try models.workspace.compared(argument, destination)
    try Drawing.difference(models, entities, onlyChanged: changed).write(to: output)
  }
}
