import ArgumentParser
import ModelKit

struct NewVersion: ResultCommand {
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
                                             that no file has any more, under
                                             the name that the lock file has

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
    let report = try store.map { try recover($0.text) } ?? make(copy())
    try output.write(text: report.text, document: report)
  }

  private func copy() throws -> NewModelVersion {
    try models.workspace.newVersion(named: name, addsIdentifiers: renamingIdentifiers, restoring: restore)
  }

  private func make(_ version: NewModelVersion, isUnrecorded: Bool = false) throws -> NewVersionReport {
    try version.write()
    return NewVersionReport(version, isUnrecorded: isUnrecorded)
  }

  private func recover(_ store: String) throws -> NewVersionReport {
    try models.workspace.checkSingle()
    let missing = try models.workspace.load().missingVersion(of: store)
    switch try missing.repair(named: name, addsIdentifiers: renamingIdentifiers, from: store) {
    case .made(let version, let isUnrecorded): return try make(version, isUnrecorded: isUnrecorded)
    case .restored(let version):
      try version.write()
      try? EditOptions.record?.keep(version.edited, before: version.contents, of: version.version.filePath)
      return NewVersionReport(version, store: store)
    }
  }
}
