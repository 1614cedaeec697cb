import ArgumentParser
import ModelKit

struct NewVersion: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-version",
    abstract: "Copy the current version and make the copy current.",
    usage: "modelctl new-version [<name>] [--restore <rev>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl new-version                 v7 after v6, Model 3 after Model 2
        modelctl new-version "Model 3" --model App/Model.xcdatamodeld
        modelctl new-version --restore 1.0   undo edits of a released version
        modelctl new-version --as-store old.sqlite

      The copy is identical, byte for byte. A single .xcdatamodel becomes a bundle.
      If you edited the current version after its release, use --restore: the edits
      move to the new version, and the released version gets its bytes of that
      revision back. Elements that look renamed get a renaming identifier.
      If the version that wrote a store is missing, use --as-store. modelctl writes
      this version, under the name in the lock file if it is recorded there.
      This command does not change the lock file; to record a release, use lock.
      """)

  @Argument(help: "The name of the new version (default: the next name in the bundle's pattern).")
  var name: String?

  @Flag(
    help:
      "Give each element without a renaming identifier its own name as identifier, so that you can rename it by hand.")
  var renamingIdentifiers = false

  @Option(
    name: .long,
    help: ArgumentHelp("Restore the copied version from this git revision.", valueName: "rev"))
  var restore: String?

  @Option(
    name: .customLong("as-store"),
    help: ArgumentHelp("Write the missing version that wrote this store.", valueName: "store"))
  var store: StorePath?

  @Flag(
    name: [.customLong("dry-run"), .customShort("n")], help: "Check everything, print the result, and write nothing.")
  var dryRun = false

  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  func validate() throws {
    if store != nil, restore != nil { throw ValidationError("--as-store and --restore exclude each other") }
  }

  func run() throws {
    let report = try store.map { try recover($0.text) } ?? make(copy())
    if dryRun { Console.note("--dry-run: modelctl wrote nothing") }
    try output.write(text: report.text, document: report)
  }

  private func copy() throws -> NewModelVersion {
    try models.workspace.newVersion(named: name, addsIdentifiers: renamingIdentifiers, restoring: restore)
  }

  private func make(_ version: NewModelVersion, isUnrecorded: Bool = false) throws -> NewVersionReport {
    if !dryRun { try version.write() }
    return NewVersionReport(version, isUnrecorded: isUnrecorded)
  }

  private func recover(_ store: String) throws -> NewVersionReport {
    try models.workspace.checkSingle()
    let missing = try models.workspace.load().missingVersion(of: store)
    switch try missing.repair(named: name, addsIdentifiers: renamingIdentifiers, from: store) {
    case .made(let version, let isUnrecorded): return try make(version, isUnrecorded: isUnrecorded)
    case .restored(let version):
      if !dryRun {
        try version.write()
        try? EditOptions.record?.keep(version.edited, before: version.contents, of: version.version.filePath)
      }
      return NewVersionReport(version, store: store)
    }
  }
}
