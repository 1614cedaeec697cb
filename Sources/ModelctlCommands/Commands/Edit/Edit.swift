import ArgumentParser
import ModelKit

/// Edits the text of a model file.
struct Edit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Add, rename, remove or change parts of a model.",
    usage: "modelctl edit <subcommand> ...",
    discussion: """
      EXAMPLES
        modelctl edit add attribute Order.note --type String
        modelctl edit add relationship Order.customer --destination Customer \\
          --to-one --inverse orders
        modelctl edit rename Order.note remark
        modelctl edit retype Order.number "Integer 64"
        modelctl edit set Order.number optional=no default=0
        modelctl edit remove Order.note --dry-run
        modelctl edit current v4
        modelctl edit undo

      Prints each change and the difference of the text. All other bytes of the file
      do not change. modelctl refuses to edit a released version; first make a new
      version with modelctl new-version.
      """,
    subcommands: [
      EditAdd.self, EditRename.self, EditRemove.self, EditRetype.self, EditSet.self, EditCurrent.self, EditUndo.self,
    ])
}

struct EditCurrent: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "current",
    abstract: "Make a version of a bundle the current version.",
    usage: "modelctl edit current <version> [<options>]",
    discussion: """
      EXAMPLES
        modelctl edit current v4
        modelctl edit current "Model 3" --model App/Model.xcdatamodeld

      Writes .xccurrentversion as Xcode does. It does not change a model.
      """)

  @Argument(help: "The version to make current.")
  var version: String

  @Flag(name: [.customLong("dry-run"), .customShort("n")], help: "Print the change and write nothing.")
  var dryRun = false

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var style: StyleOptions

  func run() throws {
    let bundle: ModelBundle
    let name: String
    if case .version(let found)? = try? models.workspace.source(version) {
      (bundle, name) = (try EditTarget.bundle(of: found), found.name)
    } else {
      (bundle, name) = (try models.workspace.onlyBundle(), version)
    }
    let change = try bundle.making(currentVersion: name)
    if let lock = try LockFile.read(beside: bundle), let entry = lock.entries[name], let retirement = entry.retirement {
      throw LockError.retired(
        place: entry.location.map { "\($0)" } ?? lock.path, version: name,
        path: bundle.version(named: name)?.path ?? name, retirement)
    }
    guard bundle.currentVersionName != name || change.oldData == nil else {
      throw CommandError.currentAlready(version: name, bundle: bundle.path)
    }
    if !dryRun { try EditOptions.write(change.data, to: change.path, inPlaceOf: change.oldData) }
    let report = EditReport(current: name, change, former: bundle.currentVersionName, isWritten: !dryRun)
    try output.write(text: report.text, document: report, coloring: .unifiedDiff)
  }
}
