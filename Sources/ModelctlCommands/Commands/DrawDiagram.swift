import ArgumentParser
import Foundation
import ModelKit

/// Pictures a model, or what changed between two.
struct DrawDiagram: ModelctlCommand {
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

  @Argument(help: "A newer model, to picture what changed.")
  var latter: String?

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
    if changed, latter == nil { throw ValidationError("--changed is for two models; name the newer one too") }
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
    try drawing().write(to: output)
  }

  private func drawing() throws -> Drawing {
    guard let argument, let latter else { return try picture(of: models.resolveHierarchy(argument)) }
    let (old, new) = try models.resolveHierarchies(argument, latter)
    return try difference(old, new)
  }

  private func picture(of source: NamedModel) throws -> Drawing {
    let diagram = try focused(Diagram(name: source.name, model: source.hierarchy))
    let names = entities.isEmpty ? nil : Set(diagram.nodes.map(\.name))
    let report = ModelReport(name: source.name, model: source.hierarchy.model, entities: names)
    return Drawing(diagram: diagram) { picture, _ in DiagramPage(diagram, report: report, picture: picture) }
  }

  private func difference(_ old: NamedModel, _ new: NamedModel) throws -> Drawing {
    let difference = ModelDifference(from: old.hierarchy, to: new.hierarchy)
    let diagram = try focused(Diagram(from: old.name, old.hierarchy, to: new.name, new.hierarchy, difference))
    var report = DifferenceReport(from: old.name, old.hierarchy, to: new.name, new.hierarchy, difference)
    if !entities.isEmpty { report = report.focused(on: Set(diagram.nodes.map(\.entity))) }
    let shown = changed ? diagram.changedPart : diagram
    let part = shown.changedPart
    let isPart = !part.nodes.isEmpty && part != shown
    return Drawing(diagram: shown, part: isPart ? part : nil) { picture, whole in
      DiagramPage(shown, report: report, picture: picture, whole: whole)
    }
  }

  private func focused(_ diagram: Diagram) throws -> Diagram {
    guard !entities.isEmpty else { return diagram }
    let known = diagram.nodes.map(\.name)
    for entity in entities { try CommandError.checkEntity(entity, of: diagram.title, among: known) }
    return diagram.focused(on: Set(entities))
  }
}
