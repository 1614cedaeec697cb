import ArgumentParser
import ModelKit

/// The objects of a store that a command changes, and how it writes the changes.
struct ChangeOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The store.", valueName: "store"))
  var store: StorePath

  @Argument(
    help: ArgumentHelp("The entity. The command includes objects of its sub-entities.", valueName: "entity"))
  var entity: String

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Select the objects that match this NSPredicate.", valueName: "predicate"))
  var predicates: [String] = []

  @Flag(name: .long, help: "Select all objects of the entity, instead of --where.")
  var all = false

  @Flag(name: [.customLong("dry-run"), .customShort("n")], help: "Print the changes and write nothing.")
  var dryRun = false

  @Option(
    name: .long, help: ArgumentHelp("Record this author if the store has a persistent history.", valueName: "name"))
  var author = "modelctl"

  @OptionGroup var mirroring: MirroredOption
  @OptionGroup(title: "Store options") var waiting: WaitingOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Store options") var configuration: ConfigurationOption
  @OptionGroup(title: "Output options") var output: OutputOptions

  /// The files that a result must not replace.
  var reserved: ReservedFiles { ReservedFiles(stores: [store.text]) }

  func validate() throws {
    try OnePredicate.check(predicates)
    guard predicates.isEmpty == all else {
      throw ValidationError("select objects with --where, or all objects with --all")
    }
  }

  /// Changes the store, or prints the changes of a dry run.
  func run(_ change: (StoreTransaction, RecordRequest, EntityHierarchy) throws -> Void) throws {
    try output.check()
    let interrupt = Interrupt()
    let workspace = try models.workspace(configuration).load()
    let (identification, metadata, _) = try workspace.identify(
      store.text, busyTimeout: waiting.busyTimeout, interruption: { interrupt.isRaised })
    guard let model = identification.model else { throw WorkspaceError.noModelInStore(path: store.text) }
    var options = OpeningOptions()
    options.busyTimeout = waiting.busyTimeout
    (options.writesMirrored, options.readsBesideWriter) = (mirroring.mirrored, false)
    (options.takesTurn, options.interruption) = (!dryRun, { interrupt.isRaised })
    let request = try RecordRequest(entity, where: predicates.first)
    let opened = try ObjectStore.open(store.text, having: model, options: options)
    let saving: Saving
    do {
      saving = try opened.saving(author: author, isWritten: !dryRun) { try change($0, request, opened.hierarchy) }
      try opened.close()
    } catch {
      try? opened.close()
      throw error
    }
    let report = SavingReport(saving, isWritten: !dryRun, store: metadata.uuid)
    try CommandError.afterWriting([store.text], isWritten: !dryRun && !saving.writes.isEmpty) {
      try output.write(text: report.text, document: report)
    }
    if !dryRun, !saving.writes.isEmpty { UnprovedKinds(of: [store.text]).show() }
  }
}

/// The permission to write to a store that CloudKit mirrors.
struct MirroredOption: ParsableArguments {
  @Flag(
    name: .customLong("allow-cloudkit"),
    help: "Write even if CloudKit mirrors the store. The app may not send your changes to CloudKit.")
  var mirrored = false
}
