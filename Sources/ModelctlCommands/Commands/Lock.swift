import ArgumentParser
import ModelKit

/// Records versions in lock files.
struct Lock: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Record the versions that users have.",
    usage: "modelctl lock [<bundle or version> ...] [--all] [--draft] [<options>]",
    discussion: """
      EXAMPLES
        modelctl lock                      the current version is released
        modelctl lock --all                so is every version not recorded yet
        modelctl lock --draft              the current version may still change
        modelctl lock Orders@v2
        modelctl lock --draft v4 --allow-data-loss Order.note
        modelctl lock --draft v4 --losses losses.txt

      Writes Name.lock.json beside Name.xcdatamodeld; commit it. modelctl
      check fails when a released version is not what it was.
      """)

  @Argument(
    help: ArgumentHelp("Bundles, folders or versions; every bundle here otherwise.", valueName: "bundle or version"))
  var arguments: [String] = []

  @OptionGroup var recording: RecordingOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  var reserved: ReservedFiles { ReservedFiles(stores: recording.store) }

  func validate() throws {
    if recording.losses != nil, !recording.store.isEmpty || !recording.consent.given.isEmpty || output.isForPrograms {
      throw ValidationError(
        "--losses writes names and records nothing; leave --store, --allow-data-loss and --format out")
    }
  }

  func run() throws {
    let targets = try models.workspace.lockTargets(arguments, relocking: recording.relock)
    Console.warn(ofCurrentVersionsIn: targets.map(\.bundle))
    if let losses = recording.losses {
      return try LossFile(path: losses).write(isDraft: recording.draft) {
        try LosingVersion.found(in: targets, of: .here)
      }
    }
    let update = try update(targets, allowing: recording.consent.names())
    try update.write()
    for (recording, drafts) in update.draftsBehind { Console.note(LockReport.note(drafts, in: recording)) }
    let report = LockReport(update.records)
    try output.write(text: report.text, document: report)
  }

  private func update(_ targets: [LockTarget], allowing names: [ConsentName]) throws -> LockUpdate {
    let progress = ProgressLine()
    defer { progress.finish() }
    do {
      let update = try LockUpdate.prepared(targets, recording.request(allowing: names), in: .here) {
        progress.show(recording: $0, of: $1, $2, $3)
      }
      for (file, version) in update.passedOver { Console.note("\(file): \(version) is released, and stays so") }
      return update
    } catch let error as LockError {
      throw ConsentFileError(error, names) ?? error
    }
  }
}
