import ArgumentParser
import ModelKit

/// The services that a project uses.
struct SetupOptions: ParsableArguments {
  @Flag(help: "A workflow for GitHub Actions.")
  var github = false

  @Flag(help: "A job for GitLab.")
  var gitlab = false

  @Flag(name: .customLong("pre-commit"), help: "A hook for the program pre-commit.")
  var preCommit = false

  @Flag(help: "Git shows and merges models by what they mean: .gitattributes, and two keys of this clone.")
  var git = false

  @Option(
    name: .long,
    help: ArgumentHelp("The repository that CI takes modelctl from; otherwise fill it in.", valueName: "url"))
  var source: String?

  @Option(
    name: .customLong("migrated-by"),
    help: ArgumentHelp(
      "Who migrates the stores of users: coreData in the app, or modelctl, as in a server. Written to .modelctl.json.",
      valueName: "reader"))
  var migratedBy: ReaderArgument?

  /// What is asked for, of this folder.
  func request() throws -> ProjectSetup.Request {
    ProjectSetup.Request(services: services, source: try source.map(SetupSource.init), migratedBy: migratedBy?.reader)
  }

  var services: [SetupService] {
    let wanted: [(Bool, SetupService)] = [
      (github, .github), (gitlab, .gitlab), (preCommit, .preCommit), (git, .git),
    ]
    return wanted.filter(\.0).map(\.1)
  }
}

/// Who migrates stores, as an option says it.
enum ReaderArgument: String, ExpressibleByArgument, CaseIterable {
  case coreData
  case modelctl

  var reader: MigrationReader { self == .coreData ? .coreData : .modelctl }
}
