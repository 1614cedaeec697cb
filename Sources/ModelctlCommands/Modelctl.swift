import ArgumentParser

/// The root command, which only leads to the others.
struct Modelctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    // Every command says its name: ArgumentParser has the type described otherwise, a millisecond at each start.
    commandName: "modelctl",
    abstract: "Version Core Data models and migrate Core Data stores.",
    usage: """
      modelctl <subcommand> ...
      modelctl --version
      """,
    discussion: """
      EXAMPLES
        modelctl status store.sqlite     which version wrote it, what it needs
        modelctl diff v1 v2              what changed between two versions
        modelctl plan store.sqlite       the SQL that a migration would run
        modelctl migrate store.sqlite    run it; no data is lost unasked
        modelctl check                   the rules about the models here
        modelctl init                    guard the models of this project

      A MODEL is a version name looked up in the bundles here (v1), its number
      where only one has it (1), Bundle@v1, Bundle for its current version, a
      path to a bundle, a version or a contents file, a .mom or .momd,
      REV:path of git, or a store, which may hold its own model.
      A bundle's name means the bundle also where a version has it, which is
      Bundle@Bundle then, or a folder, which is ./Bundle.

      EXIT CODES
        0    fine
        1    findings, or differences that were asked about
        2    could not run: bad input, no such model, refused, failed
        64   wrong usage
        130  interrupted; the store is as it was
      """,
    subcommands: [
      Init.self, Show.self, DrawDiagram.self, Hash.self, Diff.self, Log.self, Status.self, Plan.self, Migrate.self,
      Mapping.self,
      Check.self,
      Lock.self, NewVersion.self, Edit.self, Export.self, Generate.self, Merge.self, Matrix.self, Rehearse.self,
      Create.self, Verify.self, Rescue.self, Query.self, Update.self, Delete.self, History.self, Convert.self,
      Extract.self,
      Anonymize.self, Dump.self, Load.self,
    ])

  static let version = "0.1.0"
}

/// A command that does something: what they all take.
protocol ModelctlCommand: ParsableCommand {
  /// Whether what it prints is coloured.
  var color: ColorOption { get }
}
