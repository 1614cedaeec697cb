import ArgumentParser
import ModelKit

/// Which versions are recorded, as what, and what may be lost on the way to them.
struct RecordingOptions: ParsableArguments {
  @Flag(name: .long, help: "Record every version that is not recorded yet; those after the current one as drafts.")
  var all = false

  @Flag(name: .long, help: "Record as a draft, which may still change.")
  var draft = false

  @OptionGroup var consent: ConsentOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write the names of what is lost on the way, for --allow-data-loss @FILE, and record nothing.", valueName: "file")
  )
  var losses: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A released version to record anew although it was edited; stores of it no longer open.", valueName: "version"))
  var relock: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A store that Core Data made: the names of its join tables are recorded. Can be given more than once.",
      valueName: "store"))
  var store: [String] = []

  func validate() throws {
    if all && !relock.isEmpty { throw ValidationError("--all and --relock exclude each other") }
    if all && !consent.given.isEmpty { throw ValidationError("--all and --allow-data-loss exclude each other") }
    if all && losses != nil { throw ValidationError("--all and --losses exclude each other") }
  }

  /// What is recorded.
  ///
  /// - Parameter names: what may be lost.
  /// - Returns: the request.
  /// - Throws: `StoreError` when a store cannot be read.
  func request(allowing names: [ConsentName]) throws -> LockUpdate.Request {
    LockUpdate.Request(
      state: draft ? .draft : .released, recordsAll: all, allowedLosses: Set(names.map(\.text)),
      stores: try store.map { try ReferenceStore.read(path: $0) })
  }
}
