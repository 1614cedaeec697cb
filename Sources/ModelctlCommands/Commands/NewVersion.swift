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

      Every entity, attribute and relationship of the copy that has no renaming
      identifier gets its own name as one. That changes no hash; it makes a
      later rename keep its data. A single .xcdatamodel becomes a bundle.
      """)

  @Argument(help: "The new version's name; the next one in the bundle's pattern otherwise.")
  var name: String?

  @Flag(name: .customLong("no-identifiers"), help: "Add no renaming identifiers: copy byte for byte.")
  var noIdentifiers = false

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
      of: bundle, named: name, addsIdentifiers: !noIdentifiers, restoration: restore.map { try restoration($0, bundle) }
    )
    try made.write()
    let report = NewVersionReport(made)
    try output.write(text: report.text, document: report)
  }

  /// What the current version was, and what looks renamed since.
  private func restoration(_ revision: String, _ bundle: ModelBundle) throws -> NewModelVersion.Restoration {
    let version = try bundle.currentVersion()
    var (restoration, former) = try NewModelVersion.Restoration.read(revision, of: version)
    restoration.former = try ModelDifference.likelyRenames(from: former.model, to: version.load().model)
    if noIdentifiers {
      for (element, identifier) in restoration.former.sorted(by: { "\($0.key)" < "\($1.key)" }) {
        Console.warn("\(element) looks renamed; without the renaming identifier “\(identifier)” its data would be lost")
      }
    }
    return restoration
  }
}
