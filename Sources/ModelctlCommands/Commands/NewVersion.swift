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

        modelctl new-version --as-store old.sqlite
                                             the version that wrote a store, and
                                             that no file has any more

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

  @Option(
    name: .customLong("as-store"),
    help: ArgumentHelp("Make the version that wrote this store, which is missing here.", valueName: "store"))
  var store: StorePath?

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    if store != nil, restore != nil { throw ValidationError("--as-store and --restore exclude each other") }
  }

  func run() throws {
    let made = try store.map { try version(of: $0.text) } ?? copy()
    try made.write()
    let report = NewVersionReport(made)
    try output.write(text: report.text, document: report)
  }

  private func copy() throws -> NewModelVersion {
    let bundle = try models.onlyBundle()
    return try NewModelVersion(
      of: bundle, named: name, addsIdentifiers: renamingIdentifiers,
      restoration: restore.map { try restoration($0, bundle) })
  }

  /// The version that wrote a store; where the lock file says that it is the current one, whose file was edited, the
  /// edits go to a new one.
  private func version(of store: String) throws -> NewModelVersion {
    let missing = try MissingVersion(of: store, models)
    guard missing.isRecorded, missing.version.name == missing.bundle.currentVersionName else {
      return try NewModelVersion(
        recovering: missing.recovered.contents, like: missing.version, in: missing.bundle, named: name)
    }
    let former = try ModelDifference.likelyRenames(
      from: missing.recovered.model, to: missing.version.load().model)
    return try NewModelVersion(
      of: missing.bundle, named: name, addsIdentifiers: renamingIdentifiers,
      restoration: .init(revision: store, contents: missing.recovered.contents, former: former))
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
