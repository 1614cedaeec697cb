import ArgumentParser
import ModelKit

/// Lists which version is reached from which.
struct Matrix: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Tell which version is reached from which, and how.",
    usage: "modelctl matrix [<bundle> ...] [--model <path>] [--all] [<options>]",
    discussion: """
      EXAMPLES
        modelctl matrix
        modelctl matrix App/Model.xcdatamodeld --format markdown
        modelctl matrix --all              the way back to older versions too

      same: equal hashes. lightweight: inferred straight, as Core Data's
      automatic migration goes. staged: inferred through versions between.
      mapped: a mapping model is on the way. impossible: with the step that
      breaks and why. Core Data runs no mapping file, and modelctl no policy
      class of the app: a mapping model that only one of them runs says so.
      Rows are not asked; rehearse does that.
      """)

  @Argument(help: ArgumentHelp("Bundles, or folders with bundles; the whole project otherwise.", valueName: "bundle"))
  var bundles: [String] = []

  @Flag(name: .long, help: "The pairs from a newer version to an older one as well.")
  var all = false

  @Flag(name: .customLong("exit-code"), help: "Exit with 1 when a pair is impossible.")
  var exitCode = false

  @OptionGroup var mappings: MappingOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var output: FormatOptions<MatrixForm>
  @OptionGroup var color: ColorOption

  func validate() throws {
    if !bundles.isEmpty, !models.paths.isEmpty { throw ValidationError("--model names a bundle too; leave one out") }
  }

  func run() throws {
    let places = bundles.isEmpty ? [models] : bundles.map(ModelOptions.init(at:))
    var entries: [MatrixReport.Bundle] = []
    var unusableVersions: [VersionError] = []
    var missingVersions: [ModelFileError] = []
    for place in places {
      let workspace = try place.workspace(mappings: mappings).load()
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
      exitCode ? Console.standardError(ErrorMessage.text(error)) : Console.warn("\(error)")
    }
    let report = MatrixReport(entries)
    try output.write(.matrix) { form in
      switch form {
      case .text: PrintableText.escaped(report.text)
      case .json: try JSONText.encode(report)
      case .markdown: PrintableText.escaped(report.markdown)
      }
    }
    if exitCode, !unusableVersions.isEmpty { throw CommandError.unusableVersions(unusableVersions) }
    if exitCode, !missingVersions.isEmpty { throw CommandExit.failure }
    if exitCode, report.hasImpossible { throw CommandExit.findings }
  }
}

/// The forms of `matrix`.
enum MatrixForm: String, OutputForm {
  case text
  case json
  case markdown
}
