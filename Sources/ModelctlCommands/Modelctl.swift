import ArgumentParser

/// The root command, which contains all other commands.
struct Modelctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    // Each command gives its name: without it, ArgumentParser describes the type, which takes a millisecond at each
    // start.
    commandName: "modelctl",
    abstract: "Version Core Data models and migrate Core Data stores.",
    usage: """
      modelctl <subcommand> ...
      modelctl --version
      """,
    discussion: """
      EXAMPLES
        modelctl init                    guard the models of a project
        modelctl check                   check them against the rules
        modelctl status store.sqlite     show which version wrote a store
        modelctl plan store.sqlite       print the SQL of its migration
        modelctl migrate store.sqlite    run it; data loss needs your permission

      A <model> is a version (v1), a file or a store: modelctl help show
      Exit codes: 0 success, 1 findings or differences, 2 failure, 64 wrong usage,
      130 interrupted (the store is unchanged).
      """,
    groupedSubcommands: [
      CommandGroup(name: "Guard", subcommands: [Init.self, Check.self, Lock.self, NewVersion.self, Diff.self]),
      CommandGroup(
        name: "Migrate",
        subcommands: [
          Status.self, Plan.self, Migrate.self, Verify.self, Rescue.self, Rehearse.self, Matrix.self, Mapping.self,
        ]),
      CommandGroup(
        name: "Data",
        subcommands: [
          Query.self, Update.self, Delete.self, History.self, Create.self, Load.self, Dump.self, Convert.self,
          Extract.self, Anonymize.self,
        ]),
      CommandGroup(
        name: "Models",
        subcommands: [
          Show.self, DrawDiagram.self, Log.self, Hash.self, Edit.self, Export.self, Generate.self, Merge.self,
          CloudKit.self,
        ]),
    ])

  static let version = "0.1.0"
}

/// A command that does something.
protocol ModelctlCommand: ParsableCommand {
  /// The style of the text that the command prints.
  var style: StyleOptions { get }
}
