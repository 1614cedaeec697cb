import ArgumentParser
import Foundation
import ModelKit

/// Draws a model, or the changes between two models.
struct DrawDiagram: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagram",
    abstract: "Draw a model, or the changes between two models.",
    usage: "modelctl diagram [<model>] [<destination>] [--entity <name>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl diagram v1                     Mermaid, for Markdown files
        modelctl diagram v1 v2 --format html=changes.html
        modelctl diagram --format svg=model.svg --format dbml=model.dbml
        modelctl diagram --entity Order         Order and the entities linked to it

      If you give two models, the diagram shows the destination with the removed
      elements: thick lines are added, dashed lines removed, dotted lines changed.
      Words repeat each meaning. The format html is one page with the diagram and
      all facts in words. svg, png and the diagram in html need Graphviz. If you
      prefer text, use modelctl show or modelctl diff --plain.
      """)

  @Argument(help: ModelOptions.argumentHelp)
  var argument: String?

  @Argument(help: ArgumentHelp("The destination model, to draw the changes between both.", valueName: "destination"))
  var destination: String?

  @Option(
    name: .customLong("entity"), parsing: .singleValue,
    help: ArgumentHelp(
      "Draw only this entity and the entities linked to it. You can repeat this option.", valueName: "name"))
  var entities: [String] = []

  @Flag(help: "With two models, draw only the changed entities and the entities linked to them.")
  var changed = false

  @Flag(help: "Print HTML, as with --format html.")
  var html = false

  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var output: FormatOptions<DiagramFormat>
  @OptionGroup(title: "Output options") var style: StyleOptions

  func validate() throws {
    if changed, destination == nil { throw ValidationError("--changed needs two models; name the newer model too") }
    if html, output.format.contains(where: { $0.file == nil }) {
      throw ValidationError("--html prints to standard output; give the other --format a file")
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

/// A diagram for the given formats.
///
/// It starts Graphviz if a format needs it.
struct Drawing {
  let diagram: Diagram
  /// The part of the diagram that pages show first, or nil if there is no part.
  var part: Diagram?
  /// Makes the page for a diagram.
  ///
  /// If there is a part, the first picture is the part, and the second picture is the complete diagram.
  let page: (DiagramPage.Picture, DiagramPage.Picture?) -> DiagramPage

  /// Draws a model.
  ///
  /// - Parameter entities: the entities to draw, with their linked entities, or an empty set for all entities.
  static func model(_ model: Workspace.NamedModel, _ entities: [String]) throws(CommandError) -> Drawing {
    let diagram = try focused(Diagram(name: model.name, model: model.hierarchy), on: entities)
    let names = entities.isEmpty ? nil : Set(diagram.nodes.map(\.name))
    let report = ModelReport(name: model.name, model: model.hierarchy.model, entities: names)
    return Drawing(diagram: diagram) { picture, _ in DiagramPage(diagram, report: report, picture: picture) }
  }

  /// Draws the changes between two models.
  ///
  /// - Parameters:
  ///   - entities: the entities to draw, with their linked entities, or an empty set for all entities.
  ///   - onlyChanged: true to draw only changed entities, with their linked entities.
  static func difference(
    _ models: ComparedModels, _ entities: [String], onlyChanged: Bool
  ) throws(CommandError) -> Drawing {
    let (source, destination) = (models.source, models.destination)
    let diagram = try focused(Diagram(from: source.name, to: destination.name, models.step), on: entities)
    let report = entities.isEmpty ? models.report : models.report.focused(on: Set(diagram.nodes.map(\.entity)))
    let shown = onlyChanged ? diagram.changedPart : diagram
    let part = shown.changedPart
    let isPart = !part.nodes.isEmpty && part != shown
    return Drawing(diagram: shown, part: isPart ? part : nil) { picture, whole in
      DiagramPage(shown, report: report, picture: picture, whole: whole)
    }
  }

  private static func focused(_ diagram: Diagram, on entities: [String]) throws(CommandError) -> Diagram {
    guard !entities.isEmpty else { return diagram }
    let known = diagram.nodes.map(\.name)
    for entity in entities { try CommandError.checkEntity(entity, of: diagram.title, among: known) }
    return diagram.focused(on: Set(entities))
  }

  /// Writes the diagram in each format.
  ///
  /// - Throws: ``CommandError``, and `Graphviz.DrawingError` if a format needs the picture.
  func write(to output: FormatOptions<DiagramFormat>) throws {
    try output.writeData { form in
      switch form {
      case .mermaid: Data(mermaid().utf8)
      case .dot: Data(DOTDiagram(diagram).text.utf8)
      case .dbml: Data(DBMLDiagram(diagram).text.utf8)
      case .svg: Data(try drawn().text.utf8)
      case .png: try Graphviz.draw(DOTDiagram(diagram), as: .png)
      case .html: Data(try finishedPage().text.utf8)
      }
    }
  }

  private func mermaid() -> String {
    let mermaid = MermaidDiagram(diagram)
    if let limit = mermaid.limit {
      Console.warn("\(limit), so GitHub shows an error; draw fewer entities with --entity NAME")
    }
    return mermaid.text
  }

  private func drawn() throws(Graphviz.DrawingError) -> SVGDiagram { try Self.drawn(diagram) }

  private static func drawn(_ diagram: Diagram) throws(Graphviz.DrawingError) -> SVGDiagram {
    let data = try Graphviz.draw(DOTDiagram(diagram), as: .svg)
    guard let svg = SVGDiagram(drawn: String(decoding: data, as: UTF8.self), of: diagram) else {
      throw .failed(reason: "its output is not SVG")
    }
    return svg
  }

  /// The page, which is also complete without its pictures.
  private func finishedPage() throws(Graphviz.DrawingError) -> DiagramPage {
    guard let part else { return page(try Self.picture(of: diagram), nil) }
    let first = try Self.picture(of: part)
    guard case .drawn = first else { return page(first, nil) }
    return page(first, try Self.picture(of: diagram))
  }

  private static func picture(of diagram: Diagram) throws(Graphviz.DrawingError) -> DiagramPage.Picture {
    do {
      return .drawn(try drawn(diagram))
    } catch .interrupted {
      throw .interrupted
    } catch {
      Console.warn("the page has no picture: \(error.sentence)")
      return .missing(CaughtError(error))
    }
  }
}

/// The formats of `diagram`.
enum DiagramFormat: String, FormatOption {
  case mermaid
  case dot
  case dbml
  case svg
  case png
  case html

  static let namesFiles = true

  static var text: DiagramFormat { .mermaid }
}
