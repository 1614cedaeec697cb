import ArgumentParser
import ModelKit

/// Makes a new version of a model.
struct NewVersion: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-version",
    abstract: "Copy the current version; make the copy current.",
    usage: "modelctl new-version [<name>] [--restore <rev>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl new-version                 v7 after v6, Model 3 after Model 2
        modelctl new-version "Model 3" --model App/Model.xcdatamodeld
        modelctl new-version --restore 1.0   the current version was shipped
                                             and then edited: the edits go to
                                             the new one, it gets its bytes of
                                             tag 1.0 back

      The copy is the same byte for byte; only what --restore finds renamed gets
      a renaming identifier. A single .xcdatamodel becomes a bundle.
      """)

  @Argument(help: "The new version's name; the next one in the bundle's pattern otherwise.")
  var name: String?

  @Flag(help: "Give everything without a renaming identifier its own name as one, for renaming by hand later.")
  var renamingIdentifiers = false

  @Option(
    name: .long,
    help: ArgumentHelp("Give the copied version back what it was in a revision of git.", valueName: "rev"))
  var restore: String?

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func run() throws {
    let bundle = try models.onlyBundle()
    let made = try NewModelVersion(
      of: bundle, named: name, addsIdentifiers: renamingIdentifiers,
      restoration: restore.map { try restoration($0, bundle) })
    try made.write()
    let report = NewVersionReport(made)
    try output.write(text: report.text, document: report)
  }

  /// What the current version was, and what looks renamed since.
  private func restoration(_ revision: String, _ bundle: ModelBundle) throws -> NewModelVersion.Restoration {
    let version = try bundle.currentVersion()
    var (restoration, former) = try NewModelVersion.Restoration.read(revision, of: version)
    restoration.former = try ModelDifference.likelyRenames(from: former.model, to: version.load().model)
    if version.form != .contents, !renamingIdentifiers {
      for (element, identifier) in restoration.former.sorted(by: { "\($0.key)" < "\($1.key)" }) {
        Console.warn("\(element) looks renamed; without the renaming identifier “\(identifier)” its data would be lost")
      }
      restoration.former = [:]
    }
    return restoration
  }
}
