import ArgumentParser
import ModelKit

/// The services that a project uses.
struct SetupOptions: ParsableArguments {
  @Flag(help: "Add a workflow for GitHub Actions.")
  var github = false

  @Flag(help: "Add a job for GitLab.")
  var gitlab = false

  @Flag(name: .customLong("pre-commit"), help: "Add a hook for the program pre-commit.")
  var preCommit = false

  @Flag(
    help:
      "Let git diff and merge models by their content: write .gitattributes, and set two keys of this clone's configuration."
  )
  var git = false

  @Flag(help: "Add a section for coding agents to AGENTS.md, and to CLAUDE.md if it exists.")
  var agents = false

  @Option(
    name: .customLong("modelctl-url"),
    help: ArgumentHelp(
      "Let CI get modelctl from this repository (default: a placeholder that you fill in).", valueName: "url"))
  var source: String?

  @Option(
    name: .customLong("migrated-by"),
    help: ArgumentHelp(
      "Set who migrates the stores of your users: coreData (your app) or modelctl (as in a server). init writes the choice to .modelctl.json.",
      valueName: "reader"))
  var migratedBy: ReaderArgument?

  @Option(
    name: .customLong("cloudkit"),
    help: ArgumentHelp(
      "Check the models against this export of your CloudKit schema (.ckdb). init writes its path to .modelctl.json.",
      valueName: "export"))
  var export: String?

  /// The setup of this folder.
  func request() throws -> ProjectSetup.Request {
    if let export { _ = try Workspace.cloudKitExport(at: export) }
    var request = ProjectSetup.Request(
      services: services, source: try source.map(SetupSource.init), migratedBy: migratedBy?.reader)
    request.cloudKitExport = export
    return request
  }

  var services: [SetupService] {
    let wanted: [(Bool, SetupService)] = [
      (github, .github), (gitlab, .gitlab), (preCommit, .preCommit), (git, .git), (agents, .agents),
    ]
    return wanted.filter(\.0).map(\.1)
  }
}

/// The reader of stores as an option value.
enum ReaderArgument: String, ExpressibleByArgument, CaseIterable {
  case coreData
  case modelctl

  var reader: MigrationReader { self == .coreData ? .coreData : .modelctl }
}
