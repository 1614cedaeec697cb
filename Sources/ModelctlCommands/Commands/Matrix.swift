import ArgumentParser
import ModelKit

/// Lists the versions that can migrate to each other.
struct Matrix: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "List which versions can migrate to which, and how.",
    usage: "modelctl matrix [<bundle> ...] [--downgrades] [<options>]",
    discussion: """
      EXAMPLES
        modelctl matrix
        modelctl matrix App/Model.xcdatamodeld --format markdown
        modelctl matrix --downgrades              downgrades to older versions too

      VERDICTS
        same         equal hashes: the store opens as it is
        lightweight  Core Data infers the migration directly
        staged       Core Data infers it in several steps
        mapped       a mapping model is on the path
        impossible   no path; the list names the step that fails, and the reason

      Core Data cannot run a mapping file, and modelctl cannot run a policy class of
      your app. If only one of them can run a mapping model, the list names it.
      matrix does not test rows; for that, use modelctl rehearse.
      """)

  @Argument(
    help: ArgumentHelp("Bundles, or folders with bundles (default: all bundles of the project).", valueName: "bundle"))
  var bundles: [String] = []

  @Flag(name: .customLong("downgrades"), help: "List downgrades too, from a newer to an older version.")
  var all = false

  @Flag(
    name: .customLong("exit-code"),
    help: "Exit with 1 if a pair is impossible, and with 2 if modelctl cannot read a version.")
  var exitCode = false

  @OptionGroup(title: "Mapping options") var mappings: MappingOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var output: FormatOptions<MatrixFormat>
  @OptionGroup(title: "Output options") var style: StyleOptions

  func validate() throws {
    if !bundles.isEmpty, !models.paths.isEmpty {
      throw ValidationError("--model names a bundle too; remove one of the two")
    }
  }

  func run() throws {
    let sources = bundles.isEmpty ? [models] : bundles.map(ModelOptions.init(at:))
    var entries: [MatrixReport.Bundle] = []
    var unusableVersions: [VersionError] = []
    var missingVersions: [ModelFileError] = []
    for source in sources {
      let workspace = try source.workspace(mappings: mappings).load()
      unusableVersions += workspace.failures
      missingVersions += workspace.bundles.compactMap(\.currentVersionError)
      for versions in try workspace.bundlesVersions() {
        let mappable = workspace.mergesBundles ? versions + workspace.versions : versions
        let (written, unusable) = try workspace.mappings(among: mappable)
        let matrix = MigrationMatrix(of: versions, mappings: written, unusable: unusable)
        entries.append(MatrixReport.Bundle(matrix, verdicts: matrix.verdicts(includingDowngrades: all)))
      }
    }
    for error in missingVersions {
      exitCode ? Console.standardError(ErrorMessage.text(error)) : Console.warn(error.sentence)
    }
    let report = MatrixReport(entries)
    try output.write(.matrix) { form in
      switch form {
      case .text: PrintableText.escaped(report.text)
      case .json: try JSONText.encode(report)
      case .markdown: PrintableText.escaped(report.markdown)
      case .mermaid: PrintableText.escaped(report.mermaid)
      }
    }
    if exitCode, !unusableVersions.isEmpty { throw CommandError.unusableVersions(unusableVersions) }
    if exitCode, !missingVersions.isEmpty { throw CommandExit.failure }
    if exitCode, report.hasImpossible { throw CommandExit.findings }
  }
}

/// The formats of `matrix`.
enum MatrixFormat: String, FormatOption {
  case text
  case json
  case markdown
  case mermaid
}
