import ArgumentParser
import ModelKit

/// Checks mapping models against the models.
struct MappingCheck: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check mapping models against their versions.",
    usage: "modelctl mapping check [<mapping> ...] [--model <path>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl mapping check                    all mapping models of the project
        modelctl mapping check Old.xcmappingmodel --policy App.OldPolicy=default

      Reports models that changed after you made the mapping, missing or unknown
      entities and properties, expressions of the wrong type, and policy classes
      without a replacement. Exits with 1 if there are findings.
      """)

  @Argument(help: ArgumentHelp("Mapping models (default: all mapping models of the project).", valueName: "mapping"))
  var paths: [String] = []

  @OptionGroup var policies: PolicyOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var style: StyleOptions

  var reserved: ReservedFiles { ReservedFiles(sources: paths) }

  func run() throws {
    let configured = try Project.here.configuration()
    let given = try policies.replacements()
    let replacements = configured.policies.overridden(by: given)
    var findings: [Finding] = []
    var hasErrors = false
    let search = try Project.here.search()
    let paths = self.paths.isEmpty ? search.mappings(near: models.paths) : self.paths
    if paths.isEmpty {
      let folders = ErrorMessage.folderList(search.mappingFolders(near: models.paths))
      Console.note("there is no mapping model below \(folders); write one: modelctl mapping new --help")
    }
    let versions = VersionIndex(try models.workspace.load().versions)
    var used: [(model: MappingModel, destination: EntityHierarchy)] = []
    for reading in UnmatchedMappingModel.all(at: paths, replacing: replacements) {
      do {
        let loaded = try MappingInspection(reading, among: versions)
        for note in loaded.notes { Console.note(note.description) }
        findings += try loaded.findings()
        used.append((loaded.model, loaded.destination.hierarchy))
      } catch {
        hasErrors = true
        Console.standardError(ErrorMessage.text(error))
      }
    }
    // A typing error in a name would leave a policy without its replacement.
    if self.paths.isEmpty, !hasErrors, let path = configured.path {
      for name in configured.policies.unused(among: used) {
        hasErrors = true
        Console.standardError("error: \(path): no mapping model uses \(name); remove its replacement\n")
      }
    }
    let report = FindingReport(findings, sourceLines: SourceLocation.sourceLines(at: findings.compactMap(\.location)))
    if !hasErrors || paths.count > 1 { try output.write(text: report.text, document: report, coloring: .findings) }
    if hasErrors { throw CommandExit.failure }
    let found = findings.isEmpty ? "no findings" : Quantity.text(findings.count, "finding")
    Console.standardError("\(Quantity.text(paths.count, "mapping model")) checked: \(found)\n")
    if findings.contains(where: \.severity.isFailure) { throw CommandExit.findings }
  }
}
