import ArgumentParser
import ModelKit

/// Compares the schema of a model with an export of its container.
struct CloudKitDiff: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare the CloudKit schema of a model with an export or a model.",
    usage: "modelctl cloudkit diff <model> <export> [--exit-code] [<options>]",
    discussion: """
      EXAMPLES
        modelctl cloudkit diff v3 cloudkit/schema.ckdb
        modelctl cloudkit diff v2 v3                what you deploy for v3
        modelctl cloudkit diff Notes@v3 schema.ckdb --format json

      modelctl lists the record types and fields that production lacks. Index words,
      permissions, roles and other record types do not matter.
      """)

  @Argument(help: ArgumentHelp("The model, or the earlier one of two models.", valueName: "model"))
  var model: String

  @Argument(help: ArgumentHelp("An export of the schema, or the later model.", valueName: "export"))
  var other: String

  @Flag(name: .customLong("exit-code"), help: "Exit with 1 if you have something to deploy.")
  var exitCode = false

  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Model options") var configuration: ConfigurationOption
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  func run() throws {
    let workspace = models.workspace
    let first = try workspace.mirroredSchema(model, configuration: configuration.configuration)
    let report: CloudKitDifference
    var next: String?
    if Workspace.isCloudKitExport(other) {
      let export = try Workspace.cloudKitExport(at: other)
      let comparison = SchemaComparison(first.schema, with: export.schema)
      report = CloudKitDifference(comparison, of: first.schema, model: first.name, export: other)
      let given = GivenOptions.current.model + GivenOptions.current.configuration
      let unproved = comparison.missesUnproved ? " --unproved" : ""
      if comparison.misses {
        next =
          "modelctl cloudkit schema \(ShellWord(model).text)\(given)\(unproved) --merge \(ShellWord(path: other).text)"
      }
    } else {
      let later = try workspace.mirroredSchema(other, configuration: configuration.configuration)
      let comparison = SchemaComparison(later.schema, with: first.schema.schema(unproved: true))
      report = CloudKitDifference(comparison, of: later.schema, model: later.name, export: first.name)
    }
    try output.write(text: report.text(next: next), document: report)
    if exitCode, !report.isComplete { throw CommandExit.findings }
  }
}
